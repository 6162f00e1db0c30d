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

function needleRange(cells, cell, colour, ruleset, mostBurns) {
  if (NEAR[cell].every((near) => cells[near] !== colour)) return NOTHING;
  return attackRange(withCode(cells, cell, needleOf(colour)), ruleset, mostBurns);
}

const better = (found, best) =>
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

// The best way to drop a pair as two needles, or null.
export function* bestPair(cells, pair, ruleset, { anywhere = false, mostBurns } = {}) {
  const columns = anywhere ? [...Array(COLUMNS).keys()] : openColumns(cells);
  const orders = pair[0] === pair[1] ? [pair] : [[...pair].sort((a, b) => a - b), [...pair].sort((a, b) => b - a)];
  let best = null;
  for (const column of columns) {
    const free = freeAbove(cells, column);
    const spots = free.length > 1 ? [[free.at(-1), free.at(-2)]] : [];
    const beside = columns.includes(column + 1) ? freeAbove(cells, column + 1) : [];
    if (free.length > 0 && beside.length > 0) spots.push([free.at(-1), beside.at(-1)]);
    for (const spot of spots) {
      for (const order of orders) {
        const loaded = withCode(withCode(cells, spot[0], needleOf(order[0])), spot[1], needleOf(order[1]));
        const found = attackRange(loaded, ruleset, mostBurns);
        yield;
        if (!better(found, best)) continue;
        best = { halves: spot.map((cell, half) => [columnOf(cell), rowOf(cell), order[half]]), ...found };
      }
    }
  }
  return best;
}

// The single blocks, each at rest, that raise the best ignition the most; at most count of them.
export function* bestAdditions(cells, ruleset, colours = COLOURS, { anywhere = false, count = 5, mostBurns } = {}) {
  const options = { anywhere, mostBurns };
  const now = yield* bestIgnition(cells, ruleset, COLOURS, options);
  const least = now?.low ?? 0;
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
