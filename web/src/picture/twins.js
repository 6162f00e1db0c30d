// A game's boards have one size, and lie at one height: what is known of one helps to find and to judge the others.

import { quickFit } from "./quickfit.js";
import { overlap } from "./rects.js";

// what two boards of one size, side by side, are worth more
const TWINS = 0.15;
// how much the sides of two boards of one game may differ
const SAME_SIZE = 0.07;
// the quick fit that is worth a closer look, and of how many places
const QUICK_LEAST = 0.35;
const MOST_LOOKS = 5;

const isApart = (rect, boards) => boards.every((one) => overlap(one.rect, rect) < 0.1);

// Where two boards differ, one of them may be misplaced: then the size and the height of the other may fit it better.
// judged: a function of a rectangle; isBoard: of what that gives. Yields between steps.
export function* alike(boards, judged, isBoard, size) {
  let best = { gain: 0 };
  for (const [at, one] of boards.entries()) {
    for (const other of boards) {
      const middle = (one.rect[0] + one.rect[2]) / 2;
      const half = (other.rect[2] - other.rect[0]) / 2;
      const cell = (other.rect[3] - other.rect[1]) / size.rows;
      const off = Math.max(...[1, 3].map((side) => Math.abs(one.rect[side] - other.rect[side])));
      if (other === one || off < cell * 0.3 || off > cell * 2.5) continue;
      yield;
      const twin = judged([middle - half, other.rect[1], middle + half, other.rect[3]]);
      const gain = twin.worth + TWINS - one.worth;
      if (isBoard(twin) && gain > best.gain) best = { gain, at, twin };
    }
  }
  return boards.map((one, at) => (at === best.at ? best.twin : one));
}

// Boards that weren't found, beside the one that is worth most. place: a job that moves a rectangle to where it fits best.
export function* beside(boards, changes, place, isTwin, size) {
  if (boards.length === 0) return boards;
  const [left, top, right, bottom] = boards.reduce((best, one) => (one.worth > best.worth ? one : best)).rect;
  const [wide, cell] = [right - left, (right - left) / size.columns];
  const looks = [];
  for (let x = -cell / 4; x + wide < changes.width + cell / 4; x += Math.max(1, cell / 10)) {
    const rect = [x, top, x + wide, bottom];
    if (!isApart(rect, boards)) continue;
    const { upright, level } = quickFit(changes, rect, size);
    if (Math.min(upright, level) > 0 && upright + level > QUICK_LEAST) looks.push({ rect, worth: upright + level });
    yield;
  }
  looks.sort((one, other) => other.worth - one.worth);
  const tried = [];
  const found = [...boards];
  for (const { rect } of looks) {
    if (tried.length === MOST_LOOKS) break;
    if (!isApart(rect, found) || tried.some((x) => Math.abs(x - rect[0]) < cell / 3)) continue;
    tried.push(rect[0]);
    const twin = yield* place(rect);
    if (isTwin(twin) && isApart(twin.rect, found)) found.push(twin);
  }
  return found;
}

// The boards of each size, the best ones first.
export function bySize(boards) {
  const isSame = (one, other) => [0, 1].every((side) => {
    const [mine, its] = [one, other].map(({ rect }) => rect[side + 2] - rect[side]);
    return Math.abs(mine - its) < SAME_SIZE * Math.max(mine, its);
  });
  const worth = (group) => group.reduce((sum, one) => sum + one.worth, 0);
  return boards.map((one) => boards.filter((other) => isSame(one, other))).sort((one, other) => worth(other) - worth(one));
}
