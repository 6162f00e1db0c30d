// The beam along visible pairs and along random futures, as in bot/ochibot/puyo/search/chain/search.py and plan.py.

import { WORDS, writeBoard } from "./field.js";

export const SEEN = 3;
export const ROOTS = 22;
export const ALL_ROOTS = (1 << ROOTS) - 1;
const PER_BOARD = 13.5;
const PLANS = [[45000, 12, 6], [12000, 10, 3], [4000, 8, 2], [0, 6, 1]];
const QUESTION = 10;
// words: of a flood, of a board's children, and of the groups and chains on them
export const SCRATCH = 16 + (WORDS + 4) * ROOTS + (8 + 9) * (6 * 6 * ROOTS + 1);

// How a budget of boards is spent: the depth in pairs, the number of futures, the boards in a layer.
export function planOf(nodes, seen) {
  const [, plies, futures] = PLANS.find(([least]) => nodes >= least);
  const layers = seen + (plies - seen) * futures;
  return { plies, futures, width: Math.max(2, Math.trunc(nodes / (PER_BOARD * layers))) };
}

class Layer {
  constructor(machine, width) {
    this.boards = machine.array("u8", [width * WORDS]);
    this.costs = machine.array("f8", [width]);
    this.roots = machine.array("i8", [width]);
    this.keys = machine.array("f8", [width]);
    this.reach = machine.array("f8", [width]);
    this.count = 0;
  }
}

export class BeamSearch {
  // referee: whose rules and weights are used.
  constructor(referee, width) {
    const { machine } = referee;
    this.machine = machine;
    this.referee = referee;
    this.width = width;
    this.seen = Array.from({ length: SEEN }, () => new Layer(machine, width));
    this.depth = 0;
    this.start = new Layer(machine, 1);
    this.drawn = [new Layer(machine, width), new Layer(machine, width)];
    this.slots = machine.array("u8", [2 ** (2 * ROOTS * width).toString(2).length]);
    this.heap = machine.array("i8", [width]);
    this.scratch = machine.array("u8", [SCRATCH]);
    this.question = machine.array("i8", [QUESTION]);
    this.counts = machine.array("i8", [1]);
    this.fired = machine.array("f8", [ROOTS]);
  }

  get nodes() {
    return Number(this.counts.view[0]);
  }

  // Grows one layer for each visible pair; returns, for each, the points of the best chain by first lock. mask: the
  // colours dealt, as bits. roots: the first locks that are tried, as bits.
  look(field, pairs, mask, roots) {
    writeBoard(field, this.start.boards.view);
    this.start.count = 1;
    const question = this.question.view;
    question[4] = mask;
    question.set(this.referee.start.view, 6);
    question[9] = BigInt(roots);
    let layer = this.start;
    const fired = [];
    this.depth = 0;
    for (const [number, pair] of pairs.slice(0, SEEN).entries()) {
      this.fired.view.fill(0);
      this.grow(layer, pair, this.seen[number], 1, number === 0);
      fired.push(Float64Array.from(this.fired.view));
      layer = this.seen[number];
      if (layer.count === 0) break;
      this.depth += 1;
    }
    return fired;
  }

  // Grows further layers along a future; returns the last one that has any board. points: by first lock, raised to the
  // points of its best chain. A point loses value by the factor "later" with each pair.
  follow(layer, pairs, later, points) {
    let worth = 1;
    let last = layer;
    this.fired.view.set(points);
    for (const [number, pair] of pairs.entries()) {
      worth *= later;
      const into = this.drawn[number & 1];
      this.grow(last, pair, into, worth, false);
      if (into.count === 0) break;
      last = into;
    }
    points.set(this.fired.view);
    return last;
  }

  grow(layer, pair, into, worth, first) {
    const question = this.question.view;
    question[0] = BigInt(pair[0] - 1);
    question[1] = BigInt(pair[1] - 1);
    question[2] = BigInt(layer.count);
    question[3] = BigInt(this.width);
    question[5] = first ? 1n : 0n;
    const { weights, table } = this.referee;
    this.machine.call(
      "grow", this.question, layer.boards, layer.costs, layer.roots, into.boards, into.costs, into.roots, into.keys,
      into.reach, worth, this.fired, weights, table, this.slots, this.heap, this.scratch, this.counts,
    );
    into.count = Number(this.machine.answer.view[0]);
  }
}
