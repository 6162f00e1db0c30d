// What the rules say of a field: its chain, the places of a pair, the chain in reach. All is computed by the kernels.

import { LOCKS } from "./built.js";
import { COLUMNS, ROWS, WORDS, heights, readBoard, writeBoard } from "./field.js";
import { SCRATCH } from "./search.js";
import { SCORES } from "./steps.js";

const UP = 2;
const SPOTS = 16 + 2 * 24 + 2 * 30;
const STATES = 4 * 96;
const MOST_LOCKS = 22 * ROWS;
const MANY = 512;
export const PRESSES = ["left", "right", "clockwise", "counterclockwise", "down"];
// (dx, dy) from the axis to the partner: down, left, up, right
const STEP = [[0, 1], [-1, 0], [0, -1], [1, 0]];
const NOWHERE = -1n;

export class Referee {
  constructor(machine, weights) {
    this.machine = machine;
    this.rules = null;
    this.table = machine.array("i8", [SCORES]);
    this.boards = machine.array("u8", [MANY, WORDS]);
    this.results = machine.array("i8", [MANY, 3]);
    this.shapes = machine.array("f8", [MANY]);
    this.spots = machine.array("u8", [SPOTS]);
    this.scratch = machine.array("u8", [SCRATCH]);
    this.locks = machine.array("i8", [1, 1 + MOST_LOCKS]);
    this.start = machine.array("i8", [3]);
    this.board = machine.array("u8", [WORDS]);
    this.ways = Array.from({ length: 3 }, () => machine.array("i8", [STATES]));
    this.weights = machine.array("f8", [weights.length]);
    // null stands for a number without limit
    this.weights.view.set(weights.map((weight) => weight ?? Infinity));
  }

  // Takes a game's rules, as RULES in built.js has them.
  use(rules) {
    if (this.rules === rules) return;
    this.machine.geometry(rules.geometry);
    this.table.view.set(rules.table.map(BigInt));
    this.rules = rules;
    this.spawn = { x: rules.spawnColumn, y: ROWS - rules.visible, orientation: UP };
    this.start.view.set([BigInt(rules.spawnColumn - 1), BigInt(rules.visible - 1), BigInt(UP)]);
  }

  // Resolves fields; for each {field, score, chain, cleared, gameOver}.
  resolveAll(fields) {
    const found = [];
    for (let from = 0; from < fields.length; from += MANY) {
      const some = fields.slice(from, from + MANY);
      const view = this.boards.view;
      some.forEach((codes, at) => writeBoard(codes, view, WORDS * at));
      this.machine.call("resolve_boards", this.boards.rows(some.length), this.table, this.results.rows(some.length));
      some.forEach((_, at) => found.push(this.outcome(at)));
    }
    return found;
  }

  outcome(at) {
    const field = readBoard(this.boards.view, WORDS * at);
    const [score, chain, cleared] = this.results.view.subarray(3 * at, 3 * at + 3);
    const emptied = chain > 0n && field.every((code) => code === 0);
    return {
      field,
      score: Number(score) + (emptied ? this.rules.allClear : 0),
      chain: Number(chain),
      cleared: Number(cleared),
      gameOver: this.isOver(field),
    };
  }

  resolve(field) {
    return this.resolveAll([field])[0];
  }

  isOver(field) {
    return field[this.spawn.y * COLUMNS + this.spawn.x - 1] !== 0;
  }

  // The places of a pair that appears, in the order of locks: [{lock, x, y, orientation, state}].
  locksOf(field, pair) {
    writeBoard(field, this.board.view);
    const board = this.board.as([1, WORDS]);
    const kind = BigInt(pair[0] === pair[1]);
    this.machine.call("lock_boards", board, this.start, kind, this.spots, this.locks);
    const [count, ...numbers] = this.locks.view.subarray(0, 1 + Number(this.locks.view[0]));
    return numbers.slice(0, Number(count)).map((number) => {
      const lock = Number(number >> 4n);
      const row = Number(number & 15n);
      const [x, orientation] = LOCKS[lock];
      return { lock, x, y: ROWS - 1 - row, orientation, state: 96 * orientation + 16 * (x - 1) + row };
    });
  }

  // The field with a pair in its place; nothing has dropped yet.
  withPair(field, pair, place) {
    const after = field.slice();
    const [dx, dy] = STEP[place.orientation];
    after[place.y * COLUMNS + place.x - 1] = pair[0];
    after[(place.y + dy) * COLUMNS + place.x - 1 + dx] = pair[1];
    return after;
  }

  // Every place of a pair with what follows: [{lock, x, y, orientation, path, field, score, chain, cleared, gameOver}].
  places(field, pair) {
    const locks = this.locksOf(field, pair);
    if (locks.length === 0) return [];
    const outcomes = this.resolveAll(locks.map((place) => this.withPair(field, pair, place)));
    this.machine.call("find_ways", this.board, this.start, BigInt(pair[0] === pair[1]), this.spots, ...this.ways);
    return locks.map(({ state, ...place }, at) => ({ ...place, path: this.pathTo(state), ...outcomes[at] }));
  }

  // The presses that lead to a lock, without the straight drop at the end.
  pathTo(lock) {
    const [, came, above] = this.ways.map((array) => array.view);
    const presses = [];
    for (let state = above[lock]; state !== NOWHERE;) {
      const before = came[Number(state)];
      if (before >> 3n === state) break;
      presses.push(PRESSES[Number(before & 7n)]);
      state = before >> 3n;
    }
    return presses.reverse();
  }

  // Of each resolved field: {score, chain, puyos} of the best chain in reach, and the shape's value. mask: the colours
  // dealt, as bits.
  potentials(fields, mask) {
    const found = [];
    for (let from = 0; from < fields.length; from += MANY) {
      const some = fields.slice(from, from + MANY);
      const view = this.boards.view;
      some.forEach((codes, at) => writeBoard(codes, view, WORDS * at));
      const boards = this.boards.rows(some.length);
      const results = this.results.rows(some.length);
      this.machine.call("potential_boards", boards, mask, this.table, this.weights, this.scratch, results);
      this.machine.call("shape_boards", boards, this.weights, this.shapes.as([some.length]));
      some.forEach((_, at) => {
        const [score, chain, puyos] = Array.from(this.results.view.subarray(3 * at, 3 * at + 3), Number);
        found.push({ score, chain, puyos, shape: this.shapes.view[at] });
      });
    }
    return found;
  }

  // The chain in reach of a resolved field: {column, color, puyos, chain, score}, or null. puyos more of a colour in one
  // column set it off. As "promised" of bot/ochibot/puyo/search/chain/line.py: ties go to a single puyo. most: chains with
  // more points are left out, because a wall keeps pairs from their column.
  promised(field, colors, most) {
    const tries = [];
    for (const puyos of [1, 2]) {
      for (const color of [...colors].sort()) {
        heights(field).forEach((height, column) => {
          if (ROWS - height < puyos) return;
          const cells = field.slice();
          for (let one = 0; one < puyos; one += 1) cells[(ROWS - 1 - height - one) * COLUMNS + column] = color;
          tries.push({ column: column + 1, color, puyos, cells });
        });
      }
    }
    let best = null;
    this.resolveAll(tries.map(({ cells }) => cells)).forEach(({ chain, score }, at) => {
      if (chain > 0 && score <= most && (best === null || score > best.score)) {
        const { column, color, puyos } = tries[at];
        best = { column, color, puyos, chain, score };
      }
    });
    return best;
  }

  // The best chain that one or two puyos of one colour set off on a resolved field; null if there is none.
  reach(field, colors) {
    const [{ score }] = this.potentials([field], maskOf(colors));
    return score > 0 ? this.promised(field, colors, score) : null;
  }
}

// The colours as bits.
export function maskOf(colors) {
  return BigInt(colors.reduce((mask, color) => mask | (1 << (color - 1)), 0));
}
