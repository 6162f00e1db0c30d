// What a review says about a placement, in sentences.

import { text } from "./i18n.js";
import { isWrong } from "./model.js";

const LARGER = 2;
const READY = 3;

export const number = (value) => new Intl.NumberFormat(text.code).format(Math.round(value));
const percent = (share) => `${Math.round(100 * share)} %`;
export const exactPercent = (share) => (share > 0 && share < 0.01 ? `< 1 %` : share < 1 && share > 0.99 ? "> 99 %" : percent(share));

export function clock(seconds) {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

// Where a choice puts the pair.
export function placeWords({ place }) {
  const { x, orientation, needle } = place;
  const words = {
    up: () => text.upright(x), down: () => text.upsideDown(x), right: () => text.lying(x, x + 1), left: () => text.lyingBack(x - 1, x),
  }[orientation]();
  return needle ? text.asNeedles(words) : words;
}

// What a choice leads to.
export function leadsTo(choice, game) {
  if (choice.over) return text.endsGame;
  const chain = game.hasSteps;
  const fires = chain ? text.firesChain(choice.steps, number(choice.made)) : text.firesAttack(number(choice.made));
  const towards = chain ? text.towardsChain(choice.towards_steps, number(choice.towards)) : text.towardsAttack(number(choice.towards));
  // a small chain that leaves a larger one in reach is told with it
  if (choice.made > 0) return choice.towards > LARGER * choice.made ? text.both(fires, towards) : fires;
  return choice.towards > 0 ? towards : chain ? text.towardsNothing : text.towardsNoAttack;
}

// "Move 3 of 40 · 0:12", with the round where there are several. of: all moves of its player.
export function moveWords(move, of, game) {
  const words = text.moveOf(of.indexOf(move) + 1, of.length, clock(move.seconds));
  return game.hasRounds ? text.inRound(move.round, words) : words;
}

export const nameOf = (game, seat) => (game.isMatch ? text.player(seat) : text.you);

export function headline(move) {
  return move.grade === null ? text.unjudged : text.grades[move.grade];
}

// The sentences below the headline.
export function reasons(move, game) {
  if (move.grade === null) return [text.unjudgedWhy];
  const [best] = move.choices;
  const said = [];
  const attack = !game.hasSteps;
  for (const mark of move.marks) {
    said.push({
      missed: () => text.marks.missed(best.steps, number(best.made), attack),
      early: () => text.marks.early(move.played.steps, number(move.played.made), reachWords(best, game), attack),
      broke: () => text.marks.broke(reachWords(best, game), reachWords(move.played, game)),
      danger: () => text.marks.danger,
      over: () => text.marks.over,
      needed: () => text.marks.needed,
    }[mark]());
  }
  if (move.played_rank === 0) said.push(text.wasBest(leadsTo(move.played, game)));
  else {
    said.push(text.yours(placeWords(move.played), leadsTo(move.played, game)));
    said.push(text.better(placeWords(best), leadsTo(best, game), isWrong(move)));
  }
  if (move.played.sent > 0) said.push(text.sends(number(move.played.sent)));
  // a chain that could be set off, and wasn't
  const ready = game.hasSteps ? move.now.steps >= READY : move.now.points > 0;
  if (ready && move.played.made === 0 && !move.marks.includes("missed")) {
    said.push(text.ready(game.hasSteps ? text.chainOf(move.now.steps) : text.attackOf(number(move.now.points))));
  }
  if (move.chance !== null && move.chance_lost > 0.005) {
    said.push(text.chanceLost(exactPercent(best.chance ?? move.chance), exactPercent(move.played.chance ?? move.chance)));
  }
  // both aren't known of every game
  const waste = move.least === null ? 0 : move.frames - move.least;
  const presses = move.presses === null ? 0 : move.presses - move.needed;
  if (waste > 0 || presses > 0) said.push(text.slow(Math.max(0, presses), Math.max(0, waste), (Math.max(0, waste) / 60).toFixed(1)));
  if (move.waiting > 0) said.push(text.waiting(number(move.waiting)));
  return said;
}

function reachWords(choice, game) {
  const reach = game.reach(choice);
  return game.hasSteps ? text.chainOf(Math.max(reach, choice.steps)) : text.attackOf(number(Math.max(choice.towards, choice.made)));
}

// One line for a list of key moments.
export function moment(move, game) {
  if (!isWrong(move)) {
    return game.hasSteps ? text.firesChain(move.played.steps, number(move.played.made)) : text.firesAttack(number(move.played.made));
  }
  const [mark] = move.marks;
  const short = mark === undefined ? null : (game.hasSteps ? text.markShort : text.markShortAttack)[mark];
  return short ?? text.momentBetter(placeWords(move.choices[0]));
}
