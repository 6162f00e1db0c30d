// How an ignition burns, cell by cell: groups, claims, owners, tails. See bot/ochibot/nyaa/rules/wave.py.
// The cells that a wave has passed are a bit mask of 84 bits in three numbers of 28.

import { CELLS, COLUMNS, NEAR, NUISANCE, isBlock } from "./grid.js";

export const WORD = 28;
export const bit = (cell) => 1 << (cell % WORD);
export const word = (cell) => Math.floor(cell / WORD);
const ascending = (a, b) => a - b;

export function bitsOf(number) {
  let n = number - ((number >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return (((n + (n >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

// The cells that the needles light, in reading order.
export function startsOf(cells) {
  const starts = [];
  for (let cell = 0; cell < CELLS; cell += 1) {
    const code = cells[cell];
    if (isBlock(code) && NEAR[cell].some((near) => cells[near] === code + NUISANCE)) starts.push(cell);
  }
  return starts;
}

// The groups that burn, by their first start. A group has starts (its cells that needles light), numbers (of these starts,
// from 1), order (its cells by step, then in reading order), steps (by cell, 0: none), claims ([{cell, sources, strong}]).
export function groupsOf(cells) {
  const starts = startsOf(cells);
  if (starts.length === 0) return [];
  const numbers = new Uint8Array(CELLS);
  starts.forEach((cell, index) => {
    numbers[cell] = index + 1;
  });
  const seen = new Uint8Array(CELLS);
  const groups = [];
  for (const start of starts) {
    if (seen[start]) continue;
    const colour = cells[start];
    const mine = [];
    const front = [start];
    seen[start] = 1;
    while (front.length > 0) {
      const cell = front.pop();
      if (numbers[cell]) mine.push(cell);
      for (const near of NEAR[cell]) {
        if (!seen[near] && cells[near] === colour) {
          seen[near] = 1;
          front.push(near);
        }
      }
    }
    groups.push(groupFrom(cells, colour, mine.sort(ascending), numbers));
  }
  return groups;
}

function groupFrom(cells, colour, starts, numbers) {
  const steps = new Uint8Array(CELLS);
  const order = starts.slice();
  const claims = [];
  for (const cell of starts) steps[cell] = 1;
  let front = starts;
  for (let step = 2; front.length > 0; step += 1) {
    const next = [];
    for (const cell of front) {
      for (const near of NEAR[cell]) {
        if (cells[near] === colour && steps[near] === 0) {
          steps[near] = step;
          next.push(near);
        }
      }
    }
    next.sort(ascending);
    for (const cell of next) {
      const sources = NEAR[cell].filter((near) => steps[near] === step - 1);
      const upright = sources.filter((near) => Math.abs(near - cell) === COLUMNS);
      // vertical claims beat horizontal ones: on MVS only between starts, on the PS2 always
      claims.push({ cell, sources, strong: upright.length > 0 ? upright : sources });
      order.push(cell);
    }
    front = next;
  }
  return { starts, numbers: starts.map((cell) => numbers[cell]), order, steps, claims };
}

// Burns a group. second: a mask (three words) of the tied cells that the later claim wins.
// Returns owners (by cell), visited (by cell, three words), tails (in the group's order), ties (by cell: both sources; on
// MVS both starts' numbers), forced (by cell: whether a wave went on from there without a tie).
export function burn(group, mvs, second = null) {
  const owners = new Uint8Array(CELLS);
  const visited = new Int32Array(CELLS * 3);
  const parent = new Uint8Array(CELLS);
  const forced = new Uint8Array(CELLS);
  const ties = new Map();
  group.starts.forEach((cell, index) => {
    owners[cell] = group.numbers[index];
    visited[cell * 3 + word(cell)] = bit(cell);
  });
  for (const { cell, sources, strong } of group.claims) {
    let winner = mvs ? owners[strong[0]] : strong[0];
    let tie = false;
    if (strong.length === 2) {
      const other = mvs ? owners[strong[1]] : strong[1];
      tie = other !== winner;
      if (tie) {
        const pair = [Math.min(winner, other), Math.max(winner, other)];
        ties.set(cell, pair);
        winner = pair[second !== null && second[word(cell)] & bit(cell) ? 1 : 0];
      }
    }
    const at = cell * 3;
    visited[at + word(cell)] = bit(cell);
    for (const source of sources) {
      if ((mvs ? owners[source] : source) !== winner) continue;
      parent[source] = 1;
      if (!tie) forced[source] = 1;
      owners[cell] = owners[source];
      visited[at] |= visited[source * 3];
      visited[at + 1] |= visited[source * 3 + 1];
      visited[at + 2] |= visited[source * 3 + 2];
    }
  }
  const tails = group.order.filter((cell) => !parent[cell]);
  return { owners, visited, tails, ties, forced };
}

export const valueOf = (visited, cell) =>
  bitsOf(visited[cell * 3]) + bitsOf(visited[cell * 3 + 1]) + bitsOf(visited[cell * 3 + 2]);

export const passed = (visited, tail, cell) => (visited[tail * 3 + word(cell)] & bit(cell)) !== 0;

