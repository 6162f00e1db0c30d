// Keeps the player alive, as bot/ochibot/puyo/search/chain/safety.py does.

import { boardBytes, countPuyos, heights, writeBoard, WORDS } from "./field.js";
import { palette, crc32 } from "./draw.js";
import { maskOf } from "./referee.js";
import { ALL_ROOTS, ROOTS } from "./search.js";

const ROOM = 6;
const FEW = { 3: 64, 4: 60, 5: 48, 6: 36 };
const TRIALS = 1;
const PAIRS = 16;
const DRAWN = 4;
const GUARDED = 8;
const PLIES = 2;
const WORK = 16 + 2 * 24 + 2 * 30 + (WORDS + 1) * 32;
const OVER_NOW = -2e9;

export class Keeper {
  constructor(referee, factors) {
    const { machine } = referee;
    this.machine = machine;
    this.referee = referee;
    this.question = machine.array("i8", [GUARDED]);
    this.board = machine.array("u8", [WORDS]);
    this.after = machine.array("u8", [WORDS]);
    this.spots = machine.array("u8", [16]);
    this.work = machine.array("u8", [WORK]);
    this.ranks = machine.array("i8", [ROOTS]);
    this.ranks.view.set(Array.from({ length: ROOTS }, (_, lock) => BigInt(lock)));
    this.pairs = machine.array("i8", [2, 2]);
    this.colors = machine.array("i8", [6]);
    this.how = machine.array("i8", [4]);
    this.random = machine.array("u8", [1]);
    this.factors = machine.array("f8", [factors.length]);
    this.factors.view.set(factors);
    this.asked = machine.array("i8", [9 + ROOTS]);
    this.answer = machine.array("i8", [8]);
  }

  // The lasting locks, as bits; all of them where none is, and where the third column is low.
  lasting(field, pairs, colors) {
    const { rules, start } = this.referee;
    if (rules.visible - heights(field)[rules.spawnColumn - 1] > ROOM) return ALL_ROOTS;
    const behind = pairs.length > 1 ? pairs[1].map((color) => color - 1) : [-1, -1];
    const dealt = palette(field, pairs.slice(0, 2), colors);
    const view = this.question.view;
    view.set([...pairs[0].map((color) => color - 1), ...behind].map(BigInt));
    view[4] = maskOf(dealt);
    view.set(start.view, 5);
    writeBoard(field, this.board.view);
    this.machine.call("lasting_locks", this.question, this.board, this.spots);
    return Number(this.machine.answer.view[0]) || ALL_ROOTS;
  }

  // Whether the article's player could play on from a board without losing the game, though bad pairs come. known: the
  // next pairs. dealt: the colours. field: the field before the lock.
  saves(field, after, known, dealt) {
    const few = FEW[Math.min(Math.max(dealt.length, 3), 6)];
    if (countPuyos(after) <= few) return true;
    writeBoard(after, this.board.view);
    this.pairs.view.set(known.flat().map((color) => BigInt(color - 1)));
    this.colors.view.set(dealt.map((color) => BigInt(color - 1)));
    this.how.view.set([TRIALS, PAIRS, few, DRAWN].map(BigInt));
    this.random.view[0] = BigInt(crc32(known.flat(), crc32(boardBytes(field))));
    this.machine.call(
      "outlives", this.board, this.pairs.as([known.length, 2]), this.colors.as([dealt.length]), this.how, this.random,
      this.factors, this.work, this.ranks,
    );
    return (this.machine.answer.view[0] & 0xffn) !== 0n;
  }

  // The article's player's lock, as a number; -1 if there is none. It takes an allowed lock (bits) if it can make one.
  choose(field, pairs, colors, allowed) {
    writeBoard(field, this.board.view);
    if (pairs.length < 2) return this.chooseBlindly(field, pairs[0], colors, allowed);
    const first = this.best(pairs[0], pairs[1], 0);
    let found = first;
    for (let barred = 0; found.lock >= 0 && !((allowed >> found.lock) & 1);) {
      barred |= 1 << found.lock;
      found = this.best(pairs[0], pairs[1], barred);
    }
    return found.lock >= 0 ? found.lock : first.lock;
  }

  // The same without a known next pair: each lock's value is the mean over all pairs that may come.
  chooseBlindly(field, pair, colors, allowed) {
    const dealt = [1, 2, 3, 4, 5, 6].filter((color) => color <= colors || pair.includes(color));
    const next = dealt.flatMap((a) => dealt.filter((b) => a <= b).map((b) => [a, b]));
    const chances = next.map(([a, b]) => (a === b ? 1 : 2));
    const all = chances.reduce((sum, chance) => sum + chance, 0);
    let best = null;
    let barred = 0;
    for (;;) {
      const { lock, value } = this.best(pair, next[0], barred);
      if (lock < 0) return best === null ? -1 : best.lock;
      const others = next.slice(1).map((one) => this.best(pair, one, ~(1 << lock) & ALL_ROOTS));
      const values = [value, ...others.map((one) => (one.lock < 0 ? OVER_NOW : one.value))];
      const mean = values.reduce((sum, one, at) => sum + chances[at] * one, 0) / all;
      const reached = (allowed >> lock) & 1;
      if (best === null || (reached && mean > best.value)) best = { lock, value: reached ? mean : 2 * OVER_NOW };
      barred |= 1 << lock;
    }
  }

  best(pair, next, barred) {
    const view = this.asked.view;
    view.set([...pair, ...next].map((color) => BigInt(color - 1)));
    view.set(this.referee.start.view, 4);
    view[7] = BigInt(PLIES);
    view[8] = BigInt(barred);
    view.set(this.ranks.view, 9);
    this.machine.call(
      "two_ply", this.board, this.asked, this.factors, this.referee.table, this.work, this.answer, this.after,
    );
    const lock = Number(this.answer.view[0]);
    return { lock, value: new Float64Array(this.machine.memory.buffer, this.machine.answer.address, 1)[0] };
  }
}
