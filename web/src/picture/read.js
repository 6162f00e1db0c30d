// Reads the cells of a board: by the looks that were taught, and else by a first guess from their colours.

import { EMPTY_LIFE, distance, looks, patchesOf } from "./patch.js";

// beyond FAR a cell is like nothing that is known; a cell is sure if the next piece is this much further away
const FAR = 26;
const CLEAR = 0.75;
const LEAST_COLOUR = 16;
// the colours that everybody names alike, by their directions; how far from one a colour may be, in radians
const HUES = { red: 0.45, yellow: 1.35, green: 2.55, blue: -1.95, purple: -1.1, cyan: -2.75 };
const MOST_TURN = 0.45;
// a piece that differs so much from most of its colour may be a needle
const ODD = 1.7;

const turn = (one, other) => Math.abs(Math.atan2(Math.sin(one - other), Math.cos(one - other)));

// The first guess. pieces: [{code, guess}], where guess is "empty", "grey" or a colour of HUES.
function guesses(patches, pieces) {
  const seen = patches.map(looks);
  const lives = seen.map(({ life }) => life).sort((one, other) => one - other);
  const liveliest = lives[Math.floor(lives.length * 0.97)];
  const known = new Map(pieces.map(({ code, guess }) => [guess, code]));
  const guessed = seen.map(({ life, a, b }) => {
    if (life < liveliest * EMPTY_LIFE) return { code: known.get("empty"), sure: life < liveliest * EMPTY_LIFE * 0.75 };
    if (Math.hypot(a, b) < LEAST_COLOUR) return { code: known.get("grey") ?? known.get("empty"), sure: known.has("grey") };
    const hues = Object.entries(HUES).filter(([name]) => known.has(name)).map(([name, at]) => [turn(Math.atan2(b, a), at), known.get(name)]);
    const [off, code] = hues.sort(([one], [other]) => one - other)[0];
    return { code, sure: off < MOST_TURN };
  });
  markOdd(patches, guessed);
  return guessed;
}

// Pieces that look unlike most others of their colour aren't sure.
function markOdd(patches, guessed) {
  for (const code of new Set(guessed.map((one) => one.code))) {
    const cells = guessed.flatMap((one, cell) => (one.code === code ? [cell] : []));
    if (cells.length < 3) {
      for (const cell of cells) guessed[cell].sure = false;
      continue;
    }
    const some = cells.filter((_, at) => at % Math.ceil(cells.length / 12) === 0);
    const away = cells.map((cell) => {
      const all = some.filter((other) => other !== cell).map((other) => distance(patches[cell], patches[other])).sort((one, other) => one - other);
      return all[Math.floor(all.length / 2)];
    });
    const usual = [...away].sort((one, other) => one - other)[Math.floor(away.length / 2)];
    cells.forEach((cell, at) => { if (away[at] > Math.max(usual * ODD, 12)) guessed[cell].sure = false; });
  }
}

// memory: what was taught. set: a Map of cells that the user has named, to codes. Yields between steps. Returns the cells in
// reading order: {code, sure}.
export function* readCells(patches, pieces, memory, set = new Map()) {
  const known = memory.copy();
  for (const [cell, code] of set) known.learn(code, patches[cell]);
  const first = guesses(patches, pieces);
  const cells = [];
  for (let cell = 0; cell < patches.length; cell += 1) {
    if (set.has(cell)) cells.push({ code: set.get(cell), sure: true });
    else {
      const { code, near, other } = known.nearest(patches[cell]);
      if (near <= FAR) cells.push({ code, sure: near <= other * CLEAR });
      else cells.push({ code: first[cell].code, sure: memory.isEmpty && first[cell].sure });
    }
    yield;
  }
  return cells;
}

const SHIFTS = [[0, 0], [0, -1], [0, 1], [-1, 0], [1, 0]];

// The board's place may be off by a row or column; where all is like what was taught, it is right.
export function* settled(sums, rect, size, memory) {
  const [width, height] = [(rect[2] - rect[0]) / size.columns, (rect[3] - rect[1]) / size.rows];
  let [best, least] = [rect, Infinity];
  if (memory.isEmpty) return best;
  for (const [x, y] of SHIFTS) {
    const moved = [rect[0] + x * width, rect[1] + y * height, rect[2] + x * width, rect[3] + y * height];
    const isInside = moved[0] > -width / 2 && moved[1] > -height / 2 && moved[2] < sums.width + width / 2 && moved[3] < sums.height + height / 2;
    if (!isInside) continue;
    let sum = 0;
    for (const patch of patchesOf(sums, moved, size)) {
      sum += Math.min(memory.nearest(patch).near, FAR * 2);
      yield;
    }
    if (sum < least * 0.93) [best, least] = [moved, sum];
  }
  return best;
}
