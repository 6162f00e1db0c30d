// The best way to drop a pair as two needles, of all pairs of colours. It answers as bestPair does for one pair after the
// other, and burns each colour's blocks only once for each set of needles, because waves of different colours don't meet.

import { COLOURS, columnOf, needleOf, rowOf, withCode } from "./grid.js";
import { better, lights, pairWays } from "./heat.js";
import { MOST_BURNS, combined, optionsOf, rangeOf } from "./ties.js";
import { groupsOf } from "./wave.js";

export const ALL_PAIRS = COLOURS.flatMap((one) => COLOURS.filter((other) => other >= one).map((other) => [one, other]));

// A search. Its result has the form of bestPair's, with the pair's colours: {pair, halves, low, high, complete}, or null.
export function* bestOfPairs(cells, ruleset, { anywhere = false, mostBurns = MOST_BURNS } = {}) {
  const mvs = ruleset === "mvs";
  const known = new Map();
  // The options of one colour, with needles of this colour in some more cells.
  function* burnt(colour, more) {
    // a needle beside no block of its colour changes nothing
    const needles = more.filter((cell) => lights(cells, cell, colour));
    const key = `${colour}:${needles}`;
    if (!known.has(key)) {
      const loaded = needles.reduce((board, cell) => withCode(board, cell, needleOf(colour)), cells);
      const mine = groupsOf(loaded).filter(({ order: [cell] }) => loaded[cell] === colour);
      known.set(key, yield* optionsOf(mine, mvs, mostBurns));
      yield;
    }
    return known.get(key);
  }
  let best = null;
  for (const pair of ALL_PAIRS) {
    for (const halves of pairWays(cells, pair, anywhere)) {
      if (halves.every(([cell, colour]) => !lights(cells, cell, colour))) continue;
      let [options, complete] = [null, true];
      for (const colour of COLOURS) {
        const needles = halves.filter(([, one]) => one === colour).map(([cell]) => cell).sort((a, b) => a - b);
        const [mine, whole] = yield* burnt(colour, needles);
        options = options === null ? mine : combined(options, mine);
        complete &&= whole;
      }
      const found = { ...rangeOf(options, mvs), complete };
      if (better(found, best)) {
        best = { pair, halves: halves.map(([cell, colour]) => [columnOf(cell), rowOf(cell), colour]), ...found };
      }
    }
  }
  return best;
}
