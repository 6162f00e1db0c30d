// All outcomes that the open ties of an ignition allow, each by its sums. See bot/ochibot/nyaa/rules/ties.py.
// Options: a Map from a key of the sums to {s0, s1, t, second}, in the order found; second is a mask as in wave.js.

import { bit, burn, valueOf, word } from "./wave.js";

// The most ways in which one part is burnt. If it has more, the outcomes are incomplete.
export const MOST_BURNS = 2048;
// The most ways during painting. When painting stops, the page tries MOST_BURNS.
export const QUICK_BURNS = 64;

// A search yields after so many burns.
const SLICE = 128;

const NONE = [0, 0, 0];
const keyOf = ({ s0, s1, t }) => (s0 * 8192 + s1) * 128 + t;

export function attackOf(mvs, { s0, s1, t }) {
  if (mvs) return Math.floor((100 * s0 + 4 * t * s1) / 100);
  return s1 === 1 ? 0 : s1;
}

// {low, high}: the lowest and the highest attack of the options.
export function rangeOf(options, mvs) {
  let [low, high] = [Infinity, 0];
  for (const sums of options.values()) {
    const attack = attackOf(mvs, sums);
    low = Math.min(low, attack);
    high = Math.max(high, attack);
  }
  return { low, high };
}

function keep(options, sums, second) {
  const key = keyOf(sums);
  if (!options.has(key)) options.set(key, { ...sums, second });
}

// The sums of tails (cells). visited and owners: by cell, as burn returns them.
function summed(tails, visited, owners) {
  let [s0, s1, t] = [0, 0, 0];
  const counts = new Map();
  for (const tail of tails) {
    const value = valueOf(visited, tail);
    s1 += value;
    if (value > 1) s0 += value;
    const count = (counts.get(owners[tail]) ?? 0) + 1;
    counts.set(owners[tail], count);
    if (count > t) t = count;
  }
  return { s0, s1, t };
}

// A search for [all possible sums, those of the assumed tie rule first; whether these are all; the cells of the open ties].
export function* optionsOf(groups, mvs, mostBurns = MOST_BURNS) {
  let found = new Map();
  keep(found, { s0: 0, s1: 0, t: 0 }, NONE);
  const ties = [];
  let complete = true;
  for (const group of groups) {
    const first = burn(group, mvs);
    ties.push(...first.ties.keys());
    let parts;
    if (first.ties.size === 0) {
      const only = new Map();
      keep(only, summed(first.tails, first.visited, first.owners), NONE);
      parts = [[only, true]];
    } else if (mvs) parts = [yield* tries(group, mostBurns)];
    else parts = clusters(group, first, mostBurns);
    for (const [part, whole] of parts) {
      found = combined(found, part);
      complete &&= whole;
    }
  }
  return [found, complete, ties];
}

// The options of two parts that don't meet.
export function combined(left, right) {
  const sums = new Map();
  for (const a of left.values()) {
    for (const b of right.values()) {
      const second = b.second === NONE ? a.second : a.second.map((bits, at) => bits | b.second[at]);
      keep(sums, { s0: a.s0 + b.s0, s1: a.s1 + b.s1, t: Math.max(a.t, b.t) }, second);
    }
  }
  return sums;
}

const withBit = (mask, cell) => mask.map((bits, at) => (at === word(cell) ? bits | bit(cell) : bits));

// MVS: burns the group in every way. Ways that turn few ties come first.
function* tries(group, most) {
  const found = new Map();
  const owners = new Uint8Array(84);
  const visited = new Int32Array(84 * 3);
  group.starts.forEach((cell, index) => {
    owners[cell] = group.numbers[index];
    visited[cell * 3 + word(cell)] = bit(cell);
  });
  const waiting = [{ at: -1, owners, visited, parent: new Uint8Array(84), second: NONE }];
  let whole = true;
  for (let tried = 1; tried <= waiting.length; tried += 1) {
    if (tried % SLICE === 0) yield;
    const one = waiting[tried - 1];
    waiting[tried - 1] = null;
    burnOn(group, one, (number, cell) => {
      if (waiting.length < most) {
        waiting.push({
          at: number, owners: one.owners.slice(), visited: one.visited.slice(), parent: one.parent.slice(),
          second: withBit(one.second, cell),
        });
      } else whole = false;
    });
    const tails = group.order.filter((cell) => !one.parent[cell]);
    keep(found, summed(tails, one.visited, one.owners), one.second);
  }
  return [found, whole];
}

// Burns on from the claim one.at, which the second start wins. met(number, cell) is called for each tie that the first
// start wins.
function burnOn(group, one, met) {
  const { owners, visited, parent } = one;
  for (let number = Math.max(one.at, 0); number < group.claims.length; number += 1) {
    const { cell, sources, strong } = group.claims[number];
    let winner = owners[strong[0]];
    if (strong.length === 2 && owners[strong[1]] !== winner) {
      const other = owners[strong[1]];
      if (number === one.at) winner = Math.max(winner, other);
      else {
        winner = Math.min(winner, other);
        met(number, cell);
      }
    }
    owners[cell] = winner;
    const at = cell * 3;
    visited[at + word(cell)] |= bit(cell);
    for (const source of sources) {
      if (owners[source] !== winner) continue;
      parent[source] = 1;
      visited[at] |= visited[source * 3];
      visited[at + 1] |= visited[source * 3 + 1];
      visited[at + 2] |= visited[source * 3 + 2];
    }
  }
}

// PS2: first the tails that don't depend on ties, then each cluster: ties of one step that share claiming cells.
function clusters(group, first, most) {
  const open = new Set();
  for (const pair of first.ties.values()) for (const cell of pair) if (!first.forced[cell]) open.add(cell);
  const sure = { s0: 0, s1: 0, t: summed(first.tails, first.visited, first.owners).t };
  for (const tail of first.tails) {
    if (open.has(tail)) continue;
    const value = group.steps[tail];
    sure.s1 += value;
    if (value > 1) sure.s0 += value;
  }
  const start = new Map();
  keep(start, sure, NONE);
  const parts = [[start, true]];
  const waiting = new Map(first.ties);
  while (waiting.size > 0) {
    const [tie, sources] = [...waiting].at(-1);
    waiting.delete(tie);
    const cluster = [[tie, sources]];
    const cells = new Set(sources.filter((cell) => open.has(cell)));
    for (let grown = true; grown;) {
      const more = [...waiting].filter(([, pair]) => pair.some((cell) => cells.has(cell)));
      grown = more.length > 0;
      for (const [other, pair] of more) {
        waiting.delete(other);
        cluster.push([other, pair]);
        for (const cell of pair) if (open.has(cell)) cells.add(cell);
      }
    }
    if (cells.size > 0) {
      cluster.sort(([a], [b]) => a - b);
      parts.push(clusterOptions(cluster, cells, group.steps[tie] - 1, most));
    }
  }
  return parts;
}

// The sums that the cells of a cluster add: each cell that no tie chooses is a tail.
function clusterOptions(cluster, cells, step, most) {
  const found = new Map();
  const ways = 2 ** cluster.length;
  for (let count = 0; count < ways; count += 1) {
    if (count === most) return [found, false];
    const chosen = new Set();
    let second = NONE;
    cluster.forEach(([tie, pair], at) => {
      const place = cluster.length - 1 - at;
      const which = place < 31 ? (count >> place) & 1 : 0;
      chosen.add(pair[which]);
      if (which) second = withBit(second, tie);
    });
    let tails = 0;
    for (const cell of cells) if (!chosen.has(cell)) tails += 1;
    const total = step * tails;
    keep(found, { s0: step > 1 ? total : 0, s1: total, t: 0 }, second);
  }
  return [found, true];
}
