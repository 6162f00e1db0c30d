// Whether a board's place is off by whole rows or columns. A piece comes several times, so its cell looks like another one of the
// board, in another row and column. The frame and what lies around it look like no cell; and no piece lies beside the board.

import { EMPTY_LIFE, distance, looks, patchesOf } from "./patch.js";

// how far around the board is looked at
const COLUMNS = 2;
const ROWS = 3;
// two cells that differ less hold the same piece. Of our own game, cells with a piece differ by 25 at most from the nearest other
// one, and the frame by 45 and more.
const SAME = 30;

export class Kin {
  #patches;
  #lively;
  #isIn;
  #size;
  #same = new Map();

  // sums: of the picture; rect: the board's place, or one that is off
  constructor(sums, [left, top, right, bottom], size) {
    const [width, height] = [(right - left) / size.columns, (bottom - top) / size.rows];
    const wide = { columns: size.columns + 2 * COLUMNS, rows: size.rows + 2 * ROWS };
    this.#size = { ...size, wide };
    const corner = [left - COLUMNS * width, top - ROWS * height];
    this.#patches = patchesOf(sums, [...corner, right + COLUMNS * width, bottom + ROWS * height], wide);
    const lives = this.#patches.map((patch) => looks(patch).life);
    const inside = this.#cells(0, 0).map((cell) => lives[cell]).sort((one, other) => one - other);
    const least = inside[Math.floor(inside.length * 0.97)] * EMPTY_LIFE;
    this.#isIn = lives.map((_, cell) => {
      const [x, y] = [corner[0] + ((cell % wide.columns) + 0.5) * width, corner[1] + (Math.floor(cell / wide.columns) + 0.5) * height];
      return x > 0 && y > 0 && x < sums.width && y < sums.height;
    });
    this.#lively = lives.map((life, cell) => life >= least && this.#isIn[cell]);
  }

  // The cells of a rectangle: how far the board is shifted, and how much its sides are moved outwards.
  #cells(x, y, aside = 0, below = 0) {
    const { columns, rows, wide } = this.#size;
    const found = [];
    for (let row = ROWS + y; row < Math.min(ROWS + y + rows + below, wide.rows); row += 1) {
      for (let column = COLUMNS + x - aside; column < COLUMNS + x + columns + aside; column += 1) found.push(row * wide.columns + column);
    }
    return found;
  }

  #isSame(one, other) {
    const key = one < other ? one * 1000 + other : other * 1000 + one;
    if (!this.#same.has(key)) this.#same.set(key, distance(this.#patches[one], this.#patches[other], SAME) < SAME);
    return this.#same.get(key);
  }

  // What speaks against a shift by so many columns and rows: numbers of cells. strange: of those inside that look like no other;
  // outside: of those beside and below that look like one inside; below: of those below that only look like each other, which
  // may be text; afloat: of columns without a piece on the floor. all: of the cells inside that aren't empty. Yields between steps.
  * against(x, y) {
    const { columns, rows, wide } = this.#size;
    const cells = this.#cells(x, y);
    const inside = cells.filter((cell) => this.#lively[cell]);
    const row = (cell) => Math.floor(cell / wide.columns) - ROWS - y;
    const column = (cell) => (cell % wide.columns) - COLUMNS - x;
    // cells of the frame are like their neighbours along it
    const along = (cell, other) => (row(cell) >= rows - 1 && row(other) === row(cell))
      || ((column(cell) <= 0 || column(cell) >= columns - 1) && column(other) === column(cell));
    const hasKin = (cell, others) => others.some((other) => other !== cell && !along(cell, other) && this.#isSame(cell, other));
    const known = new Set(cells);
    const aside = this.#cells(x, y, 1).filter((cell) => !known.has(cell) && this.#lively[cell]);
    const below = this.#cells(x, y, 0, ROWS * 2).filter((cell) => !known.has(cell) && this.#lively[cell]);
    const full = new Set(inside.map(column));
    const floor = new Set(inside.filter((cell) => row(cell) === rows - 1).map(column));
    const counts = { strange: cells.filter((cell) => !this.#isIn[cell]).length, outside: 0, below: 0, afloat: full.size - floor.size, all: inside.length };
    for (const cell of inside) {
      if (!hasKin(cell, inside)) counts.strange += 1;
      yield;
    }
    for (const cell of [...aside, ...below]) {
      if (hasKin(cell, inside)) counts.outside += 1;
      else if (below.includes(cell) && hasKin(cell, below)) counts.below += 1;
      yield;
    }
    return counts;
  }

  // The shift that least speaks against: {x, y, cost}. Yields between steps.
  * best() {
    const cost = ({ strange, outside, below, afloat }) => strange + outside + below + afloat;
    let best = { x: 0, y: 0, cost: cost(yield* this.against(0, 0)) };
    for (const y of [0, 1, -1, 2, -2]) {
      for (const x of [0, 1, -1]) {
        if (x === 0 && y === 0) continue;
        const other = cost(yield* this.against(x, y));
        if (other < best.cost) best = { x, y, cost: other };
      }
    }
    return best;
  }
}
