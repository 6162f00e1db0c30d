// The player that builds chains, as bot/ochibot/puyo/search/chain/player.py decides, with the same numbers. It differs in
// one thing: it also values the places where the Python player stops early, because a chain is certain.

import { countPuyos, readBoard, WORDS } from "./field.js";
import { futuresOf, palette } from "./draw.js";
import { Keeper } from "./keeper.js";
import { maskOf } from "./referee.js";
import { BeamSearch, ROOTS, planOf } from "./search.js";

const FIRST_RATE = 4e5;
const LEARNS = 0.2;
const RELIEF = 1000;
const TRIED = 3;
const FILLED = [0.5, 1];
const SPARE = 0.92;

export class Player {
  // given: the player, as PLAYER in built.js. clock: milliseconds.
  constructor(referee, given, clock) {
    this.referee = referee;
    this.given = given;
    this.clock = clock;
    this.keeper = new Keeper(referee, given.factors);
    this.mark = referee.machine.next;
    this.search = null;
    this.rate = FIRST_RATE;
    this.filled = 1;
  }

  // The decision and the values of all places.
  //
  // field: resolved. pairs: one to three visible ones, the falling one first. ask: {nodes or ms, colors: how many the game
  // deals, seed, waited: how many decisions were made on a field with many puyos}.
  //
  // Returns {lock: the best place's number, -1 if every one ends the game; why; certain: {lock, points, at} of the best
  // chain that the visible pairs set off, or null; later: the points that the futures hold; places: by lock, {value,
  // expected} or undefined; nodes, plan, futures}.
  decide(field, pairs, { nodes = this.given.nodes, ms, colors = 4, seed = 0, waited = 0 } = {}) {
    const began = this.clock();
    const wanted = ms === undefined ? nodes : (ms / 1000) * this.rate * SPARE;
    const plan = planOf(ms === undefined ? wanted : wanted / this.filled, pairs.length);
    const search = this.memory(plan.width);
    const before = search.nodes;
    const allowed = this.keeper.lasting(field, pairs, colors);
    const found = this.choose(field, pairs, plan, { colors, seed, waited, allowed, began, ms });
    found.nodes = search.nodes - before;
    const taken = (this.clock() - began) / 1000;
    if (taken > 0 && found.nodes > 200) {
      this.rate += LEARNS * (found.nodes / taken - this.rate);
      if (found.futures === plan.futures) {
        const share = (found.nodes * this.filled) / Math.max(1, wanted);
        this.filled += LEARNS * (Math.min(Math.max(share, FILLED[0]), FILLED[1]) - this.filled);
      }
    }
    if (found.lock < 0) {
      found.lock = this.keeper.choose(field, pairs, colors, allowed);
      found.why = "danger";
    }
    return { ...found, plan };
  }

  // Whether the article's player could play on after a place without losing the game, though bad pairs come.
  isSafe(field, place, pairs, dealt) {
    return this.keeper.saves(field, place.field, pairs.slice(1), dealt);
  }

  memory(width) {
    if (this.search === null || this.search.width !== width) {
      this.search = null;
      this.referee.machine.free(this.mark);
      this.search = new BeamSearch(this.referee, width);
    }
    return this.search;
  }

  choose(field, pairs, plan, { colors, seed, waited, allowed, began, ms }) {
    const { deciding } = this.given;
    const { search } = this;
    const { rules } = this.referee;
    // not **, whose last bit browsers may round in different ways
    const powers = [1, deciding.later, deciding.later * deciding.later];
    const dealt = palette(field, pairs, colors);
    const fired = search.look(field, pairs, maskOf(dealt), allowed);
    const first = search.seen[0];
    if (first.count === 0) return { lock: -1, certain: null, later: 0, places: [], futures: 0 };
    const open = Array.from({ length: ROOTS }, () => -1);
    Array.from(first.roots.view.subarray(0, first.count), Number).forEach((root, at) => {
      if (open[root] < 0) open[root] = at;
    });
    const sure = open.map((at, root) => (at < 0 ? 0 : Math.max(...fired.map((of, number) => of[root] * powers[number]))));
    const surest = firstOfMost(sure);
    const atOnce = open.map((at, root) => (at < 0 ? 0 : fired[0][root]));
    const bestNow = firstOfMost(atOnce);
    const now = atOnce[bestNow];
    const points = sure[surest];
    const { values, expected, later, futures } = this.along(field, pairs, plan, { fired, colors, seed, began, ms });
    const places = open.map((at, root) => (at < 0 ? undefined : { value: values[root] / futures, expected: expected[root] }));
    const at = fired.findIndex((of, number) => of[surest] * powers[number] === points);
    const certain = points > 0 ? { lock: surest, points: fired[at][surest], at: at + 1 } : null;
    const all = { certain, later, places, futures };
    if (now >= rules.trigger) return { lock: bestNow, why: "chain", ...all };
    const crowded = countPuyos(field) >= deciding.crowded;
    let patience = crowded ? deciding.hurry : deciding.patience;
    patience += deciding.presses * Math.max(0, waited - deciding.waits);
    const worthy = points > 0 && (points >= rules.least || crowded) && points * patience >= later;
    if (worthy && points >= rules.least) return { lock: surest, why: "chain", ...all };
    const ranked = open.map((_, root) => root).sort((a, b) => valueOf(open, values, b) - valueOf(open, values, a) || a - b);
    for (const root of [...(worthy ? [surest] : []), ...ranked.slice(0, TRIED)]) {
      if (open[root] < 0) continue;
      const after = readBoard(first.boards.view, WORDS * open[root]);
      if (this.keeper.saves(field, after, pairs.slice(1), dealt)) {
        return { lock: root, why: worthy && root === surest ? "chain" : "build", ...all };
      }
    }
    if (now >= RELIEF) return { lock: bestNow, why: "room", ...all };
    return points >= RELIEF ? { lock: surest, why: "room", ...all } : { lock: -1, ...all };
  }

  // Searches along random futures. Returns the sums of the values by first lock, the mean points that are found after each
  // lock, the mean of the most points, and the number of futures that were tried.
  along(field, pairs, plan, { fired, colors, seed, began, ms }) {
    const { deciding } = this.given;
    const { search } = this;
    const futures = futuresOf(field, pairs, colors, Math.max(0, plan.plies - search.depth), plan.futures, seed);
    const base = search.seen[search.depth - 1];
    const known = new Float64Array(ROOTS);
    for (const of of fired.slice(1)) of.forEach((points, root) => { known[root] = Math.max(known[root], points); });
    const values = new Float64Array(ROOTS);
    const expected = new Float64Array(ROOTS);
    let sum = 0;
    let tried = 0;
    for (const future of futures) {
      const points = known.slice();
      const last = search.follow(base, future, deciding.later, points);
      this.values(last, points).forEach((value, root) => { values[root] += value; });
      sum += Math.max(...points);
      const best = points.slice();
      const reach = last.reach.view;
      Array.from(last.roots.view.subarray(0, last.count), Number).forEach((root, at) => {
        best[root] = Math.max(best[root], reach[at]);
      });
      best.forEach((one, root) => { expected[root] += one; });
      tried += 1;
      // another future may take too long
      if (ms !== undefined && ((this.clock() - began) * (tried + 1)) / tried > ms) break;
    }
    return { values, expected: expected.map((one) => one / tried), later: sum / tried, futures: tried };
  }

  // The value of each first lock in one future, in square roots of points.
  values(last, points) {
    const { deciding, weights } = this.given;
    const { count } = last;
    const [reaches, keys, roots] = [last.reach.view, last.keys.view, last.roots.view];
    const values = new Float64Array(ROOTS).fill(-Infinity);
    let most = -Infinity;
    for (let at = 0; at < count; at += 1) {
      const reach = Math.sqrt(reaches[at]);
      const stands = deciding.standing * (keys[at] / weights[0] - reach);
      const root = Number(roots[at]);
      most = Math.max(most, stands);
      values[root] = Math.max(values[root], deciding.promise * reach + stands);
    }
    points.forEach((one, root) => {
      if (one > 0) values[root] = Math.max(values[root], Math.sqrt(one) + most);
    });
    const least = Math.min(...values.filter(Number.isFinite)) - 10;
    return values.map((value) => (Number.isFinite(value) ? value : least));
  }
}

function valueOf(open, values, root) {
  return open[root] < 0 ? Number.MIN_SAFE_INTEGER : values[root];
}

function firstOfMost(values) {
  return values.indexOf(Math.max(...values));
}
