// The state of the game that is played on a board: the pairs to come, and the nuisance sent and waiting. Each step makes a
// new one, and each board in the undo list has its own, so that undo takes back everything that a step has done.

import { COLOURS, RULES } from "../engine/index.js";

const randomColour = () => COLOURS[Math.floor(Math.random() * COLOURS.length)];
export const randomPair = () => [randomColour(), randomColour()];
const NONE = { mvs: [0, 0, true], ps2: [0, 0, true] };

// sent: by ruleset, [lowest, highest, whether all ways to settle ties were tried]. waiting: nuisance above the board.
export const newGame = () => ({ pair: randomPair(), next: randomPair(), sent: NONE, waiting: 0 });

export const countedAnew = (game) => ({ ...game, sent: NONE });

// The next pair comes.
export const pairDropped = (game) => ({ ...game, pair: game.next, next: randomPair() });

// What an attack [lowest, highest] does: it cancels waiting nuisance first, and the rest is sent.
export function cancelled(attack, waiting) {
  const earned = attack.map((points) => points * RULES.nuisance_each);
  const gone = earned.map((one) => (RULES.offset ? Math.min(one, waiting) : 0));
  return { gone, sent: earned.map((one, at) => one - gone[at]) };
}
