// A chain step by step, for animations. The kernels give the same chain as a whole.

import { CELLS, COLUMNS, NUISANCE, ROWS, dropped } from "./field.js";

// The score table's parts, see bot/ochibot/puyo/rules/profile.py.
const COLOR_BONUS = 24;
const GROUP_BONUS = COLOR_BONUS + 7;
const SIZES = 24;
const LIMIT = GROUP_BONUS + SIZES;
const UNIT = LIMIT + 1;
const PER_STEP = UNIT + 1;
const BY_EXCESS = 2;
const PRODUCT = PER_STEP + 1;
const MULTIPLIED = PRODUCT + 1;
const GROUPS_MULTIPLIED = MULTIPLIED + 1;
const EMPTIED_ROW = GROUPS_MULTIPLIED + 1;
const EMPTIED_TIMES = EMPTIED_ROW + 1;
const EMPTIED = EMPTIED_TIMES + 1;
const PER_GROUP = EMPTIED + 1;
const PER_CELL = PER_GROUP + 1;
const BY_SIZE = PER_CELL + 1;
const BY_STEP = BY_SIZE + SIZES;
const PER_NUISANCE = BY_STEP + COLOR_BONUS;
// The table's length: there are as many numbers by step as chain powers.
export const SCORES = PER_NUISANCE + 1;

function near(cell, top) {
  const column = cell % COLUMNS;
  const found = [];
  if (column > 0) found.push(cell - 1);
  if (column < COLUMNS - 1) found.push(cell + 1);
  if (cell - COLUMNS >= top) found.push(cell - COLUMNS);
  if (cell + COLUMNS < CELLS) found.push(cell + COLUMNS);
  return found;
}

// The groups that clear, each as a list of cells.
function groups(field, rules, top) {
  const seen = new Uint8Array(CELLS);
  const found = [];
  for (let start = top; start < CELLS; start += 1) {
    const color = field[start];
    if (color === 0 || color === NUISANCE || seen[start]) continue;
    seen[start] = 1;
    const group = [start];
    for (const cell of group) {
      for (const beside of near(cell, top)) {
        if (field[beside] === color && !seen[beside]) {
          seen[beside] = 1;
          group.push(beside);
        }
      }
    }
    if (group.length >= rules.clearSize) found.push(group);
  }
  return found;
}

function stepScore(field, found, step, { table, clearSize }) {
  const sizes = found.map((group) => group.length);
  const all = sizes.reduce((sum, size) => sum + size, 0);
  const colors = new Set(found.map(([cell]) => field[cell])).size;
  let bySize = sizes;
  if (table[PER_STEP] === BY_EXCESS) bySize = [all - clearSize * (sizes.length - 1)];
  else if (table[PER_STEP] !== 0) bySize = [all];
  const at = Math.min(step, COLOR_BONUS - 1);
  let [grown, extra] = [0, table[BY_STEP + at]];
  for (const size of bySize) {
    grown += table[GROUP_BONUS + Math.min(size, SIZES - 1)];
    extra += table[BY_SIZE + Math.min(size, SIZES - 1)] + table[PER_CELL] * (size - clearSize);
  }
  const bonuses = [table[at], table[COLOR_BONUS + colors], grown];
  const made = table[PRODUCT] === 0
    ? bonuses.reduce((sum, bonus) => sum + bonus, 0)
    : bonuses.reduce((product, bonus) => product * Math.max(bonus, 1), 1);
  const times = Math.min(Math.max(made, 1), table[LIMIT]);
  const further = table[PER_GROUP] * (sizes.length - 1);
  return table[UNIT] * all * times + extra * (table[MULTIPLIED] === 0 ? 1 : times)
    + further * (table[GROUPS_MULTIPLIED] === 0 ? 1 : times);
}

// Each step of a field's chain: {before: the field before it, cells: the cells that clear, groups: those of each group,
// score, after: the field after the rest has dropped}. Cells are numbers from 0 in reading order. The points for emptying
// the field aren't in it.
export function chainSteps(field, rules) {
  const top = (ROWS - rules.grouping) * COLUMNS;
  const kept = (ROWS - rules.kept) * COLUMNS;
  let now = dropped(field).fill(0, 0, kept);
  const steps = [];
  for (;;) {
    const found = groups(now, rules, top);
    if (found.length === 0) return steps;
    const gone = new Set(found.flat());
    for (const cell of found.flat()) {
      for (const beside of near(cell, top)) if (now[beside] === NUISANCE) gone.add(beside);
    }
    const left = now.slice();
    for (const cell of gone) left[cell] = 0;
    const after = dropped(left);
    let score = stepScore(now, found, steps.length, rules) + rules.table[PER_NUISANCE] * (gone.size - found.flat().length);
    // before anything falls
    if (left.subarray(rules.table[EMPTIED_ROW] === 0 ? 0 : -COLUMNS).every((code) => code === 0)) {
      score += rules.table[EMPTIED] * (rules.table[EMPTIED_TIMES] === 0 ? 1 : steps.length + 1);
    }
    steps.push({ before: now, cells: [...gone].sort((a, b) => a - b), groups: found, score, after });
    now = after;
  }
}
