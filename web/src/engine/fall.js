// The board after an ignition, and falling blocks, pairs and nuisance. See bot/ochibot/nyaa/rules/resolve.py, lock.py.

import { CELLS, COLUMNS, EMPTY, NEAR, NUISANCE, ROWS, RULES, colourOf, isNeedle } from "./grid.js";

export function settled(cells) {
  const fallen = new Uint8Array(CELLS);
  for (let column = 0; column < COLUMNS; column += 1) {
    let floor = CELLS - COLUMNS + column;
    for (let cell = floor; cell >= 0; cell -= COLUMNS) {
      if (cells[cell] === EMPTY) continue;
      fallen[floor] = cells[cell];
      floor -= COLUMNS;
    }
  }
  return fallen;
}

// The settled board after blocks have popped. popped: by cell, whether its block pops.
export function burntOut(cells, popped) {
  const left = cells.slice();
  for (let cell = 0; cell < CELLS; cell += 1) {
    const code = cells[cell];
    if (popped[cell]) left[cell] = EMPTY;
    else if (code === NUISANCE && RULES.nuisance_pops && NEAR[cell].some((near) => popped[near])) left[cell] = EMPTY;
    else if (isNeedle(code)) {
      const colour = colourOf(code);
      const idle = NEAR[cell].every((near) => cells[near] !== colour);
      left[cell] = idle && RULES.idle_needle === "block" ? colour : EMPTY;
    }
  }
  return settled(left);
}

export function heights(cells) {
  return Array.from({ length: COLUMNS }, (_, column) => {
    for (let row = 0; row < ROWS; row += 1) if (cells[row * COLUMNS + column] !== EMPTY) return ROWS - row;
    return 0;
  });
}

// Drops pieces, each [column (from 0), code], one after another. Returns [cells, the number that found no room].
export function dropped(cells, halves) {
  const after = cells.slice();
  let lost = 0;
  for (const [column, code] of halves) {
    const height = heights(after)[column];
    if (height === ROWS) lost += 1;
    else after[(ROWS - 1 - height) * COLUMNS + column] = code;
  }
  return [after, lost];
}

// Drops nuisance: full rows of seven first, then one each into the first columns of order (columns 1 to 7).
export function nuisanceDropped(cells, count, order) {
  const rest = count % COLUMNS;
  const rows = (count - rest) / COLUMNS;
  const halves = [];
  order.forEach((x, place) => {
    for (let row = 0; row < rows + (place < rest ? 1 : 0); row += 1) halves.push([x - 1, NUISANCE]);
  });
  return dropped(cells, halves)[0];
}
