// Where to ignite and where to build. See bot/ochibot/nyaa/calculator/heat.py.
// The searches are generators that yield between ignitions, so that a page can work on them in small slices.

import { CELLS, COLOURS, COLUMNS, EMPTY, NEAR, RULES, columnOf, needleOf, rowOf, withCode } from "./grid.js";
import { attackRange } from "./ignite.js";

export const NOWHERE = -1;

// The columns (from 0) that a pair can reach along the top row.
export function openColumns(cells) {
  const spawn = RULES.spawn_column - 1;
  const columns = [];
  for (let column = spawn; column >= 0 && cells[column] === EMPTY; column -= 1) columns.unshift(column);
  for (let column = spawn + 1; column < COLUMNS && cells[spawn] === EMPTY && cells[column] === EMPTY; column += 1) {
    columns.push(column);
  }
  return columns;
}

export function openCells(cells, anywhere = false) {
  if (anywhere) return [...cells.keys()].filter((cell) => cells[cell] === EMPTY);
  const open = [];
  for (const column of openColumns(cells)) open.push(...freeAbove(cells, column));
  return open.sort((a, b) => a - b);
}

export function restingCells(cells, anywhere = false) {
  return openCells(cells, anywhere).filter((cell) => cell + COLUMNS >= CELLS || cells[cell + COLUMNS] !== EMPTY);
}

function freeAbove(cells, column) {
  const free = [];
  for (let cell = column; cell < CELLS && cells[cell] === EMPTY; cell += COLUMNS) free.push(cell);
  return free;
}

const NOTHING = { low: 0, high: 0, complete: true };

// Whether a needle in a cell would light a block.
export const lights = (cells, cell, colour) => NEAR[cell].some((near) => cells[near] === colour);

// With the needles that already lie on the board, which ignite too.
function needleRange(cells, cell, colour, ruleset, mostBurns) {
  if (!lights(cells, cell, colour)) return NOTHING;
  return attackRange(withCode(cells, cell, needleOf(colour)), ruleset, mostBurns);
}

export const better = (found, best) =>
  found.high > 0 && (best === null || found.low > best.low || (found.low === best.low && found.high > best.high));

const needle = (cell, colour, found) => ({ x: columnOf(cell), y: rowOf(cell), color: colour, ...found });

// {low, high, complete}: by colour (from 0) and cell, NOWHERE where no needle can be. resting: the cells where a needle
// comes to rest.
export function* heatMap(cells, ruleset, { anywhere = false, mostBurns } = {}) {
  const low = COLOURS.map(() => new Int16Array(CELLS).fill(NOWHERE));
  const high = COLOURS.map(() => new Int16Array(CELLS).fill(NOWHERE));
  const complete = COLOURS.map(() => new Array(CELLS).fill(true));
  for (const cell of openCells(cells, anywhere)) {
    for (const colour of COLOURS) {
      const found = needleRange(cells, cell, colour, ruleset, mostBurns);
      low[colour - 1][cell] = found.low;
      high[colour - 1][cell] = found.high;
      complete[colour - 1][cell] = found.complete;
      if (found !== NOTHING) yield;
    }
  }
  return { low, high, complete, resting: restingCells(cells, anywhere) };
}

// The best needle of these colours at a place where it comes to rest, or null.
export function* bestIgnition(cells, ruleset, colours = COLOURS, { anywhere = false, mostBurns } = {}) {
  let best = null;
  for (const cell of restingCells(cells, anywhere)) {
    for (const colour of colours) {
      const found = needleRange(cells, cell, colour, ruleset, mostBurns);
      if (better(found, best)) best = needle(cell, colour, found);
      if (found !== NOTHING) yield;
    }
  }
  return best;
}

// Every way to drop a pair as two needles: [[cell, colour], [cell, colour]].
export function* pairWays(cells, pair, anywhere = false) {
  const columns = anywhere ? [...Array(COLUMNS).keys()] : openColumns(cells);
  const orders = pair[0] === pair[1] ? [pair] : [[...pair].sort((a, b) => a - b), [...pair].sort((a, b) => b - a)];
  for (const column of columns) {
    const free = freeAbove(cells, column);
    const spots = free.length > 1 ? [[free.at(-1), free.at(-2)]] : [];
    const beside = columns.includes(column + 1) ? freeAbove(cells, column + 1) : [];
    if (free.length > 0 && beside.length > 0) spots.push([free.at(-1), beside.at(-1)]);
    for (const spot of spots) for (const order of orders) yield spot.map((cell, half) => [cell, order[half]]);
  }
}

// The best way to drop a pair as two needles, or null.
export function* bestPair(cells, pair, ruleset, { anywhere = false, mostBurns } = {}) {
  let best = null;
  for (const halves of pairWays(cells, pair, anywhere)) {
    if (halves.every(([cell, colour]) => !lights(cells, cell, colour))) continue;
    const loaded = halves.reduce((board, [cell, colour]) => withCode(board, cell, needleOf(colour)), cells);
    const found = attackRange(loaded, ruleset, mostBurns);
    yield;
    if (better(found, best)) best = { halves: halves.map(([cell, colour]) => [columnOf(cell), rowOf(cell), colour]), ...found };
  }
  return best;
}

// The single blocks, each at rest, that raise the best ignition the most; at most count of them.
export function* bestAdditions(cells, ruleset, colours = COLOURS, { anywhere = false, count = 5, mostBurns } = {}) {
  const options = { anywhere, mostBurns };
  const now = yield* bestIgnition(cells, ruleset, COLOURS, options);
  // needles that lie on the board attack without another
  const least = Math.max(now?.low ?? 0, attackRange(cells, ruleset, mostBurns).low);
  const found = [];
  for (const cell of restingCells(cells, anywhere)) {
    for (const colour of colours) {
      const best = yield* bestIgnition(withCode(cells, cell, colour), ruleset, COLOURS, options);
      if (best !== null && best.low > least) {
        found.push({ x: columnOf(cell), y: rowOf(cell), color: colour, best, gain: best.low - least });
      }
    }
  }
  return found.sort((a, b) => b.gain - a.gain).slice(0, count);
}
