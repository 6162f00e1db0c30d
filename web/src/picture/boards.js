// Finds boards in a picture: rectangles between long straight edges in which a grid of cells fits.

import { frameOf } from "./frame.js";
import { Kin } from "./kin.js";
import { fit, refined } from "./lattice.js";
import { edgesOf } from "./lines.js";
import { sumsOf } from "./pixels.js";
import { changesOf, quickFit } from "./quickfit.js";
import { isInside, likeness, overlap, shifted } from "./rects.js";
import { alike, beside, bySize } from "./twins.js";

// a cell's least width in pixels, and its width divided by its height
const LEAST_CELL = 6;
const ASPECTS = [0.74, 1.36];
// for a board without an edge at its top
const USUAL_ASPECTS = [1, 0.857, 0.933, 1.071, 1.143, 1.2];
// which share of a side must be on an edge, and what the picture's own border counts for
const LEAST_SHARE = 0.6;
const BORDER_SHARE = 0.75;
// what a whole side is worth beside the fit of the grid
const FRAME = 0.4;
// what an edge through the whole board costs, beyond the share that pieces in a row may have
const CROSSING = 6;
const STRAIGHT = 0.9;
// what it costs that a cell isn't square, by the logarithm of its width divided by its height
const SQUARE = 1;
const ROUGHLY_SQUARE = 0.05;
const NO_SHARE = 0.4;
const MOST_FITTED = 60;
const MOST_REFINED = 20;
const MOST_IN_PLACE = 6;
// how far from the line between two cells an edge is thought to be the line itself, in cells
const NEAR_LINE = 0.2;
const QUICK_LEAST = 0.1;
const LEAST_FIT = 0.3;
const LEAST_FITS = 0.8;
// the same for a board beside one of the same size
const LEAST_TWIN = 0.2;
const LEAST_TWINS = 0.6;
const LEAST_FRAME = 2.6;
const MOST_CROSSED = 0.97;
const LEAST_LIFE = 1.2;
const MOST_PARTED = 0.5;
// how many cells beside a board may look like cells in it, and how many in it like no other: so many, and a share of its pieces
const MOST_OUTSIDE = [2, 0.05];
const MOST_BOUNDLESS = 0.4;
const MOST_STRANGE = [4, 0.25];

// Lines of the picture that may be sides: [place, share(from, to)].
function sides(edges, least) {
  const lines = edges.lines(least).map((place) => ({ place, share: (from, to) => edges.share(place, from, to) }));
  const border = () => BORDER_SHARE;
  return [{ place: 0, share: border }, ...lines.filter(({ place }) => place > 1 && place < edges.places - 1),
    { place: edges.places, share: border }];
}

const framed = (shares) => shares.reduce((sum, share) => sum + share ** 2, 0);

function* rectangles({ upright, level }, { columns, rows }, add) {
  const xs = sides(upright, LEAST_CELL * rows * 0.8);
  const ys = sides(level, LEAST_CELL * columns * 0.8);
  for (const left of xs) {
    for (const right of xs) {
      const cell = (right.place - left.place) / columns;
      if (cell < LEAST_CELL) continue;
      const [lowest, highest] = [(cell / ASPECTS[1]) * rows, (cell / ASPECTS[0]) * rows];
      const across = ys.map((side) => side.share(left.place, right.place));
      for (const [at, bottom] of ys.entries()) {
        if (across[at] < LEAST_SHARE || bottom.place < lowest * 0.97) continue;
        const offer = (top, above) => {
          const shares = [left.share(top, bottom.place), right.share(top, bottom.place)];
          if (Math.min(...shares) < LEAST_SHARE) return;
          add([left.place, top, right.place, bottom.place], framed([...shares, across[at], above]));
        };
        ys.forEach((top, other) => {
          const height = bottom.place - top.place;
          if (height >= lowest && height <= highest && across[other] >= LEAST_SHARE) offer(top.place, across[other]);
        });
        for (const aspect of USUAL_ASPECTS) {
          const top = bottom.place - (cell / aspect) * rows;
          if (top > -cell / 2) offer(top, NO_SHARE);
        }
        yield;
      }
      yield;
    }
  }
}

const worthOf = ({ upright, level }, frame, crossed = 0, stretch = 0) => upright + level + FRAME * frame
  - CROSSING * Math.max(0, crossed - STRAIGHT) - SQUARE * Math.max(0, stretch - ROUGHLY_SQUARE);

const stretchOf = ([left, top, right, bottom], { columns, rows }) => Math.abs(Math.log((right - left) / columns / (bottom - top) * rows));

const isFramed = ({ life, frame, crossed }) => life >= LEAST_LIFE && frame >= LEAST_FRAME && crossed < MOST_CROSSED;
const isBoard = (one) => isFramed(one) && Math.min(one.upright, one.level) >= LEAST_FIT && one.upright + one.level >= LEAST_FITS;
const isTwin = (one) => isFramed(one) && Math.min(one.upright, one.level) >= LEAST_TWIN && one.upright + one.level >= LEAST_TWINS;

// Whether the boards have the size that is looked for: no frame between their columns, and cells that look like each other, but
// not like those beside them.
function areOurs(boards) {
  const sum = (of) => boards.reduce((all, one) => all + of(one), 0);
  return boards.every((one) => one.parted < MOST_PARTED)
    && sum(({ kin }) => kin.outside) <= sum(({ kin }) => MOST_OUTSIDE[0] + MOST_OUTSIDE[1] * kin.all)
    && sum(({ kin }) => kin.strange) <= sum(({ kin }) => MOST_STRANGE[0] + MOST_STRANGE[1] * kin.all);
}

const STEPS = [[0, -1], [0, 1], [-1, 0], [1, 0], [0, -2], [0, 2]];

// Of rectangles in order, the first ones that are less alike than so much to all before them. measure: of two rectangles.
function* apart(found, measure, least, most = Infinity) {
  const kept = [];
  for (const [at, one] of found.entries()) {
    if (at % 32 === 31) yield;
    if (kept.length === most) break;
    if (kept.every((other) => measure(one.rect, other.rect) < least)) kept.push(one);
  }
  return kept;
}

// The longest straight edge through the middles of cells, as a share of the board's width or height. A board has none; a
// rectangle that takes in a part of the frame has.
function crossing({ upright, level }, [left, top, right, bottom], { columns, rows }) {
  let most = 0;
  const [width, height] = [(right - left) / columns, (bottom - top) / rows];
  const isBetween = (place, start, cell) => Math.abs(((place - start) / cell) % 1 - 0.5) > 0.5 - NEAR_LINE;
  for (let x = Math.max(0, Math.ceil(left)); x < Math.min(right, upright.places); x += 1) {
    if (!isBetween(x, left, width)) most = Math.max(most, upright.share(x, top, bottom));
  }
  for (let y = Math.max(0, Math.ceil(top)); y < Math.min(bottom, level.places); y += 1) {
    if (!isBetween(y, top, height)) most = Math.max(most, level.share(y, left, right));
  }
  return most;
}

// How much longer the longest straight edge between two columns is than most, as a share of the board's height: of a board with
// fewer columns, the frame is there.
function parted({ upright }, [left, top, right, bottom], { columns }) {
  const width = (right - left) / columns;
  const shares = [];
  for (let column = 1; column < columns; column += 1) {
    let most = 0;
    for (let x = Math.ceil(left + (column - NEAR_LINE) * width); x <= left + (column + NEAR_LINE) * width; x += 1) {
      most = Math.max(most, upright.share(Math.min(Math.max(x, 0), upright.places - 1), top, bottom));
    }
    shares.push(most);
  }
  shares.sort((one, other) => one - other);
  return shares.at(-1) - shares[Math.floor(shares.length / 2)];
}

// Of rectangles in order, so many at one place, and so many in all.
function spread(found) {
  const places = [];
  const kept = [];
  for (const one of found) {
    let place = places.find(({ rect }) => overlap(rect, one.rect) > 0.5);
    if (place === undefined) places.push(place = { rect: one.rect, count: 0 });
    place.count += 1;
    if (place.count <= MOST_IN_PLACE && kept.length < MOST_REFINED) kept.push(one);
  }
  return kept;
}

// The best few hundred of many.
class Best {
  constructor(most) {
    Object.assign(this, { most, kept: [] });
  }

  add(one) {
    this.kept.push(one);
    if (this.kept.length > this.most * 2) this.#cut();
  }

  #cut() {
    this.kept.sort((one, other) => other.worth - one.worth);
    this.kept.length = Math.min(this.kept.length, this.most);
  }

  sorted() {
    this.#cut();
    return this.kept;
  }
}

// pixels: {width, height, data (RGBA)}; size: {columns, rows}. Yields between steps. Returns {sums, boards, isOther}: the boards
// from left to right, each with rect [left, top, right, bottom]; whether there are boards that have another size.
export function* findBoards(pixels, size) {
  const sums = yield* sumsOf(pixels);
  const edges = yield* edgesOf(pixels);
  const changes = yield* changesOf(pixels);
  const found = new Best(600);
  yield* rectangles(edges, size, (rect, frame) => {
    const quick = quickFit(changes, rect, size);
    if (Math.min(quick.upright, quick.level) >= QUICK_LEAST) found.add({ rect, frame, worth: worthOf(quick, frame) });
  });
  const fitting = [];
  const order = (one, other) => other.worth - one.worth;
  for (const { rect, frame } of yield* apart(found.sorted(), likeness, 0.94, MOST_FITTED)) {
    const full = fit(sums, rect, size);
    yield;
    if (full.life >= LEAST_LIFE) fitting.push({ rect, frame, worth: worthOf(full, frame, crossing(edges, rect, size)) });
  }
  fitting.sort(order);
  const boards = [];
  const judged = (rect) => {
    const full = fit(sums, rect, size);
    const [frame, crossed] = [frameOf(sums, rect, size), crossing(edges, rect, size)];
    return { rect, ...full, frame, crossed, parted: parted(edges, rect, size), worth: worthOf(full, frame, crossed, stretchOf(rect, size)) };
  };
  for (const { rect } of spread(fitting)) {
    let best = judged(yield* refined(sums, rect, size));
    // the grid fits as well if it is off by a whole row or column
    for (const near of STEPS.map(([x, y]) => shifted(best.rect, x, y, size)).filter((one) => isInside(one, size, pixels))) {
      yield;
      const other = judged(near);
      if (other.worth > best.worth) best = judged(yield* refined(sums, near, size));
    }
    if (isBoard(best)) boards.push(best);
  }
  boards.sort(order);
  function* placed(rect, isGood) {
    let best = judged(rect);
    for (let turn = 0; turn < 2; turn += 1) {
      const { x, y } = yield* new Kin(sums, best.rect, size).best();
      if (x === 0 && y === 0) return best;
      const other = judged(yield* refined(sums, shifted(best.rect, x, y, size), size));
      if (!isGood(other)) return best;
      best = other;
    }
    return best;
  }
  const all = [];
  for (const { rect } of yield* apart(boards, overlap, 0.1)) all.push(yield* placed(rect, isBoard));
  for (const one of all) one.kin = yield* new Kin(sums, one.rect, size).against(0, 0);
  // text and patterns go on beside it
  const bounded = all.filter(({ kin }) => kin.outside <= MOST_BOUNDLESS * kin.all);
  const ours = bySize(bounded).find(areOurs) ?? [];
  const twins = yield* alike(ours, judged, isBoard, size);
  const complete = yield* beside(twins, changes, function* place(rect) { return yield* placed(yield* refined(sums, rect, size), isTwin); }, isTwin, size);
  return { sums, isOther: all.length > 0 && ours.length === 0, boards: complete.sort((one, other) => one.rect[0] - other.rect[0]) };
}
