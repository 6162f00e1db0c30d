// The state of the game that is played on a board: the pairs to come, the nuisance sent and waiting, and the other side. Each
// step makes a new one, and each board in the undo list has its own, so that undo takes back everything that a step has done.

import { COLOURS, COLUMNS, EMPTY, RULES, cellAt, emptyBoard, heights, settled } from "../engine/index.js";

const randomColour = () => COLOURS[Math.floor(Math.random() * COLOURS.length)];
export const randomPair = () => [randomColour(), randomColour()];
const both = (value) => ({ mvs: value, ps2: value });
const NONE = both([0, 0, true]);
// waiting nuisance beyond that is lost (assumed)
export const MOST_WAITING = RULES.most_pending;

// sent and waiting: by ruleset, [lowest, highest]; sent also whether all ways to settle ties were tried. other: the other
// side, {cells, game}, or null.
export const newGame = () => ({ pair: randomPair(), next: randomPair(), sent: NONE, waiting: both([0, 0]), other: null });

export const countedAnew = (game) => ({ ...game, sent: NONE });

export const withWaiting = (game, count) => ({ ...game, waiting: both([count, count]) });

// The next pair comes.
export const pairDropped = (game) => ({ ...game, pair: game.next, next: randomPair() });

export const withOther = (game) => ({ ...game, other: { cells: emptyBoard(), game: newGame() } });

// The other side's board and game, with this side as its other one.
export const changedSides = (cells, game) => {
  const { other, ...mine } = game;
  return { cells: other.cells, game: { ...other.game, other: { cells, game: { ...mine, other: null } } } };
};

// What an attack [lowest, highest] does: it cancels waiting nuisance [lowest, highest] first, and the rest is sent.
export function answered(attack, waiting) {
  const [least, most] = attack.map((points) => points * RULES.nuisance_each);
  if (!RULES.offset) return { gone: [0, 0], sent: [least, most], left: waiting };
  return {
    gone: [Math.min(least, waiting[0]), Math.min(most, waiting[1])],
    sent: [Math.max(0, least - waiting[1]), Math.max(0, most - waiting[0])],
    left: [Math.max(0, waiting[0] - most), Math.max(0, waiting[1] - least)],
  };
}

// The game after an ignition, by the values of the rulesets: what is cancelled, sent, and waits for the other side.
export function ignited(game, values) {
  const [sent, waiting, theirs] = [{}, {}, {}];
  for (const [ruleset, { attack, complete }] of Object.entries(values)) {
    const done = answered(attack, game.waiting[ruleset]);
    const [low, high, whole] = game.sent[ruleset];
    sent[ruleset] = [low + done.sent[0], high + done.sent[1], whole && complete];
    waiting[ruleset] = done.left;
    theirs[ruleset] = (game.other?.game.waiting[ruleset] ?? [0, 0]).map((one, at) => Math.min(one + done.sent[at], MOST_WAITING));
  }
  const other = game.other === null ? null : { ...game.other, game: { ...game.other.game, waiting: theirs } };
  return { ...game, sent, waiting, other };
}

// How much falls at once of the nuisance that waits.
export const nextFall = (waiting) => Math.min(waiting, RULES.most_per_fall);

// The game after as much has fallen as can fall at once.
export const fallen = (game, count) => ({
  ...game,
  waiting: Object.fromEntries(Object.entries(game.waiting).map(([ruleset, range]) =>
    [ruleset, range.map((one) => Math.max(0, one - count))])),
});

// In how many of the 7 columns for the last rows' rest the fall of so much nuisance takes the cell that ends the game: 0 to 7.
// 7: always, 0: never. Full rows fall everywhere; each further block falls in a column of its own (assumed: any is as likely).
export function lostIn(cells, count) {
  const [column, row] = RULES.over_cell;
  const lying = settled(cells);
  if (lying[cellAt(column, row)] !== EMPTY) return COLUMNS;
  const free = row - heights(lying)[column - 1];
  const rest = count % COLUMNS;
  const rows = (count - rest) / COLUMNS;
  if (rows >= free) return COLUMNS;
  return rows + 1 >= free ? rest : 0;
}

