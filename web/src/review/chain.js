// Chains of Puyo Puyo, step by step, as bot/ochibot/puyo/rules/resolve.py resolves them. tests/ui/web/test_review_rules.py
// compares the two.

import { EMPTY, nuisanceOf } from "./field.js";

// Drops what floats, and removes what lies above the rows that keep puyos.
function settled(cells, board) {
  const { columns, rows, chain } = board;
  const after = new Uint8Array(cells.length);
  for (let x = 0; x < columns; x += 1) {
    let to = rows - 1;
    for (let y = rows - 1; y >= 0; y -= 1) {
      const code = cells[y * columns + x];
      if (code === EMPTY) continue;
      if (to >= chain.kept) after[to * columns + x] = code;
      to -= 1;
    }
  }
  return after;
}

function beside(cell, board) {
  const { columns, chain } = board;
  const x = cell % columns;
  return [
    cell - columns >= chain.grouping * columns ? cell - columns : -1,
    x > 0 ? cell - 1 : -1,
    x < columns - 1 ? cell + 1 : -1,
    cell + columns < columns * board.rows ? cell + columns : -1,
  ].filter((near) => near >= 0);
}

// The groups that are large enough to clear, each as its cells.
function groupsOf(cells, board) {
  const nuisance = nuisanceOf(board);
  const seen = new Set();
  const found = [];
  for (let start = board.chain.grouping * board.columns; start < cells.length; start += 1) {
    const code = cells[start];
    if (code === EMPTY || code === nuisance || seen.has(start)) continue;
    seen.add(start);
    const group = [start];
    for (const cell of group) {
      for (const near of beside(cell, board)) {
        if (cells[near] !== code || seen.has(near)) continue;
        seen.add(near);
        group.push(near);
      }
    }
    if (group.length >= board.chain.clear_size) found.push(group);
  }
  return found;
}

const upTo = (table, at) => table[Math.min(at, table.length - 1)];

const sumOf = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

// Boards of rules with a published formula have none.
const NONE = { per_cell: 0, by_size: [0], by_step: [0], multiplied: false, per_group: 0, groups_multiplied: false };

// The points of a chain's step, from 1.
function stepPoints(step, sizes, colours, chain) {
  const { extra = NONE, clear_size: least } = chain;
  const all = sumOf(sizes);
  const counted = { step: [all], excess: [all - (sizes.length - 1) * least] }[chain.group_bonus_per] ?? sizes;
  const grown = sumOf(counted.map((size) => upTo(chain.group_bonus, size)));
  const bonuses = [upTo(chain.chain_power, step - 1), chain.color_bonus[colours], grown];
  const made = chain.multiplier === "product" ? bonuses.reduce((times, one) => times * Math.max(one, 1), 1) : sumOf(bonuses);
  const times = Math.min(Math.max(made, 1), chain.most);
  const more = sumOf(counted.map((size) => extra.per_cell * (size - least) + upTo(extra.by_size, size)))
    + upTo(extra.by_step, step - 1);
  const further = extra.per_group * (sizes.length - 1);
  return chain.unit * all * times + more * (extra.multiplied ? times : 1) + further * (extra.groups_multiplied ? times : 1);
}

// Resolves a field: {cells: the settled field, steps: [{before, groups, cleared, points, after}], points, cleared, over}.
export function resolve(given, board) {
  const { chain } = board;
  const nuisance = nuisanceOf(board);
  let cells = settled(given, board);
  const steps = [];
  let [points, count] = [0, 0];
  for (let groups = groupsOf(cells, board); groups.length > 0; groups = groupsOf(cells, board)) {
    const cleared = new Set(groups.flat());
    for (const cell of groups.flat()) {
      for (const near of beside(cell, board)) if (cells[near] === nuisance) cleared.add(near);
    }
    const colours = new Set(groups.map(([cell]) => cells[cell])).size;
    const left = cells.map((code, cell) => (cleared.has(cell) ? EMPTY : code));
    let made = stepPoints(steps.length + 1, groups.map((group) => group.length), colours, chain);
    // before anything falls
    made += (chain.extra?.per_nuisance ?? 0) * (cleared.size - groups.flat().length);
    const { emptied } = chain;
    if (emptied?.points && left.slice(emptied.row ? -board.columns : 0).every((code) => code === EMPTY)) {
      made += emptied.points * (emptied.times_step ? steps.length + 1 : 1);
    }
    const after = settled(left, board);
    steps.push({ before: cells, groups, cleared, points: made, after });
    points += made;
    count += cleared.size;
    cells = after;
  }
  if (steps.length > 0 && cells.every((code) => code === EMPTY)) points += chain.all_clear;
  const [x, y] = board.spawn;
  return { cells, steps, points, cleared: count, over: cells[y * board.columns + x] !== EMPTY };
}
