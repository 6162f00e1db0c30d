// The exact value of a board: every tail with its path, every sum, every outcome of open ties. The answer has the form of
// the command's JSON. See bot/ochibot/nyaa/calculator/ignition.py.

import { CELLS, COLUMNS, columnOf, placeOf, rowOf, toText } from "./grid.js";
import { burntOut } from "./fall.js";
import { finish } from "./slices.js";
import { MOST_BURNS, attackOf, optionsOf, rangeOf } from "./ties.js";
import { burn, groupsOf, passed, valueOf } from "./wave.js";

export const MOST_OUTCOMES = 6;

const bySums = (a, b) => a.attack - b.attack || a.s0 - b.s0 || a.s1 - b.s1 || a.t - b.t;

// The outcomes by attack. On the PS2 only the attack counts, so each attack is one outcome.
function listed(options, mvs) {
  const all = [...options.values()].map((sums) => ({ ...sums, attack: attackOf(mvs, sums) }));
  if (mvs) return all.sort(bySums);
  const byAttack = new Map();
  for (const one of all) if (!byAttack.has(one.attack)) byAttack.set(one.attack, one);
  return [...byAttack.values()].sort(bySums);
}

// Only {low, high, complete}, for maps and searches.
export function attackRange(cells, ruleset, mostBurns = MOST_BURNS) {
  const mvs = ruleset === "mvs";
  const [options, complete] = finish(optionsOf(groupsOf(cells), mvs, mostBurns));
  return { ...rangeOf(options, mvs), complete };
}

export const ignite = (cells, ruleset, options) => finish(igniteInSlices(cells, ruleset, options));

// The same value as a search in slices.
export function* igniteInSlices(cells, ruleset, { mostBurns = MOST_BURNS, mostOutcomes = MOST_OUTCOMES } = {}) {
  const mvs = ruleset === "mvs";
  const groups = groupsOf(cells);
  const [options, complete, ties] = yield* optionsOf(groups, mvs, mostBurns);
  const found = listed(options, mvs);
  let shown = found;
  if (found.length > mostOutcomes) {
    const at = (i) => Math.floor((i * (found.length - 1)) / (mostOutcomes - 1));
    shown = Array.from({ length: mostOutcomes }, (_, i) => found[at(i)]);
  }
  const outcomes = shown.map((sums) => outcomeOf(groups, mvs, sums));
  const popped = new Uint8Array(CELLS);
  for (const group of groups) for (const cell of group.order) popped[cell] = 1;
  const [first] = outcomes;
  return {
    attack: [found[0].attack, found.at(-1).attack],
    exact: found.length === 1 && complete,
    attack_exact: found[0].attack === found.at(-1).attack && complete,
    paths_exact: ties.length === 0,
    tails: first.tails.map((tail) => tail.value),
    s0: first.s0,
    s1: first.s1,
    t: first.t,
    complete,
    open_ties: ties.sort((a, b) => a - b).map(placeOf),
    starts: groups.flatMap((group) => group.starts).sort((a, b) => a - b).map(placeOf),
    after: toText(burntOut(cells, popped)),
    outcomes,
    outcomes_total: found.length,
  };
}

// One outcome. Its tails are worked out only when they are read, because a page shows one outcome at a time.
function outcomeOf(groups, mvs, sums) {
  let whole = null;
  const burnt = () => (whole ??= burntBy(groups, mvs, sums));
  return {
    attack: sums.attack,
    s0: sums.s0,
    s1: sums.s1,
    get t() { return burnt().t; },
    bonus: mvs ? sums.attack - sums.s0 : 0,
    get tails() { return burnt().tails; },
    get steps() { return burnt().steps; },
    get owner() { return burnt().owner; },
  };
}

function burntBy(groups, mvs, sums) {
  const steps = new Uint8Array(CELLS);
  const owner = new Uint8Array(CELLS);
  const tails = [];
  for (const group of groups) {
    const { owners, visited, tails: ends } = burn(group, mvs, sums.second);
    for (const cell of group.order) {
      steps[cell] = group.steps[cell];
      owner[cell] = owners[cell];
    }
    for (const cell of ends) {
      tails.push({
        x: columnOf(cell), y: rowOf(cell), value: valueOf(visited, cell), owner: owners[cell],
        get path() { return group.order.filter((other) => passed(visited, cell, other)).map(placeOf); },
      });
    }
  }
  // by value, then in reading order
  tails.sort((a, b) => a.value - b.value || b.y - a.y || a.x - b.x);
  let { t } = sums;
  if (!mvs && tails.length > 0) {
    const counts = new Uint8Array(CELLS + 1);
    for (const tail of tails) counts[tail.owner] += 1;
    t = Math.max(...counts);
  }
  return { t, tails, steps: rowsOf(steps), owner: rowsOf(owner) };
}

const rowsOf = (values) =>
  Array.from({ length: CELLS / COLUMNS }, (_, row) => [...values.subarray(row * COLUMNS, (row + 1) * COLUMNS)]);
