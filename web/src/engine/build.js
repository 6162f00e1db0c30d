// Two pairs ahead: the first dropped as blocks, the second as needles.

import { COLUMNS } from "./grid.js";
import { dropped } from "./fall.js";
import { bestPair, openColumns } from "./heat.js";

// Every way to drop a pair as blocks where both halves find room: {cells, blocks: [[x, y, code], ...]}.
export function* drops(cells, pair) {
  const columns = openColumns(cells);
  const orders = pair[0] === pair[1] ? [pair] : [pair, [pair[1], pair[0]]];
  for (const column of columns) {
    for (const other of [column, column + 1]) {
      if (!columns.includes(other)) continue;
      for (const [lower, upper] of orders) {
        const [after, lost] = dropped(cells, [[column, lower], [other, upper]]);
        if (lost > 0) continue;
        const blocks = [];
        for (let cell = cells.length - 1; cell >= 0; cell -= 1) {
          if (after[cell] !== cells[cell]) {
            blocks.push([(cell % COLUMNS) + 1, 12 - Math.floor(cell / COLUMNS), after[cell]]);
          }
        }
        yield { cells: after, blocks };
      }
    }
  }
}

// Where to drop the pair as blocks, so that the next pair, as needles, attacks the most: {blocks, needles}, or null if no
// needle lights anything. Of equal drops the first by column is taken, upright ones first.
export function* bestBuild(cells, pair, next, ruleset, options = {}) {
  let best = null;
  for (const { cells: after, blocks } of drops(cells, pair)) {
    const needles = yield* bestPair(after, next, ruleset, options);
    if (needles === null) continue;
    const more = best === null || needles.low > best.needles.low
      || (needles.low === best.needles.low && needles.high > best.needles.high);
    if (more) best = { blocks, needles };
  }
  return best;
}
