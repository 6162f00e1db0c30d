// The boards of the game tab: the board of the player whose move it is, the next pairs, and the other player's board.

import { h } from "../page/dom.js";
import { BoardView } from "./draw.js";
import { emptyField } from "./field.js";
import { text } from "./i18n.js";
import { halves, spawnOf } from "./pair.js";
import { pairPicture } from "./pieces.js";
import { exactPercent, moveWords, nameOf } from "./words.js";

const SWIPE = 40;

export function pairName(pair, board) {
  const [axis, partner] = pair.map((code) => text.colours[board.letters[code]]);
  return text.pairName(axis, partner);
}

// Calls back(dx, dy) when a finger or the mouse has swiped across an element.
function onSwipe(element, back) {
  let start = null;
  element.addEventListener("pointerdown", (event) => {
    start = event.isPrimary ? [event.clientX, event.clientY] : null;
  });
  element.addEventListener("pointerup", (event) => {
    if (start === null) return;
    const [dx, dy] = [event.clientX - start[0], event.clientY - start[1]];
    start = null;
    if (Math.max(Math.abs(dx), Math.abs(dy)) >= SWIPE) back(dx, dy);
  });
  element.addEventListener("pointercancel", () => { start = null; });
}

export class Stage {
  #game;
  #pairs = h("div", { class: "nexts" });
  #rivalName = h("p", { class: "soft" });
  #title = h("p", { class: "movetitle" });

  // step(by): called for a swipe
  constructor(game, step) {
    this.#game = game;
    this.view = new BoardView(game.board, "");
    this.rival = game.isMatch ? new BoardView(game.board, "") : null;
    this.element = h(
      "div",
      { class: "stage" },
      h("div", { class: "own" }, this.#title, h("div", { class: "frame swipes" }, this.view.element)),
      h(
        "div",
        { class: "beside" },
        this.#pairs,
        this.rival === null ? null : h("div", { class: "rival" }, this.#rivalName, h("div", { class: "frame" }, this.rival.element)),
      ),
    );
    onSwipe(this.view.element, (dx, dy) => {
      if (Math.abs(dx) > Math.abs(dy)) step(dx < 0 ? 1 : -1);
    });
  }

  // Shows the position before a move. choice: the choice that is pointed at, or null for the best one.
  position(move, choice) {
    const game = this.#game;
    const of = game.movesOf(move.seat);
    const who = game.isMatch ? nameOf(game, move.seat) : null;
    this.#title.textContent = moveWords(move, of, game);
    this.view.name(text.boardOf(who, of.indexOf(move) + 1, of.length));
    this.view.show(positionOf(game, move, choice));
    this.#showPairs(move);
    this.#showRival(move);
  }

  picture({ cells, cleared = null, caption = null }) {
    this.view.show({ cells, cleared, caption });
  }

  #showPairs(move) {
    const { board } = this.#game;
    const row = (name, pair) => h("figure", { class: "next" }, h("figcaption", {}, name), pairPicture(pair, board, pairName(pair, board)));
    const nexts = this.#game.nextOf(move).slice(0, 2);
    this.#pairs.replaceChildren(row(text.now, this.#game.pairOf(move)), ...nexts.map((pair) => row(text.next, pair)));
  }

  #showRival(move) {
    const game = this.#game;
    if (this.rival === null) return;
    const other = game.rivalOf(move.seat);
    const theirs = game.at(other, move.frame);
    const who = nameOf(game, other);
    const chance = game.chanceFor(other, move);
    this.#rivalName.textContent = chance === null ? who : `${who} · ${exactPercent(chance)}`;
    this.rival.name(text.rivalBoard(who));
    const same = theirs !== null && theirs.round === move.round;
    this.rival.show({ cells: same ? game.fieldBefore(theirs) : emptyField(game.board) });
  }

  redraw() {
    this.view.redraw();
    this.rival?.redraw();
  }
}

// What the board shows before a move: the pair, ghosts of what was played and of a choice, and an arrow from one to the other.
function positionOf(game, move, choice) {
  const cells = game.fieldBefore(move);
  const pair = halves(spawnOf(game.board), game.pairOf(move), game.board).filter(([x, y]) => y < 0 || cells[y * game.board.columns + x] === 0);
  if (move.grade === null) return { cells, pair };
  const wanted = choice ?? (move.played_rank === 0 ? null : move.choices[0]);
  const ghosts = [];
  if (wanted !== null && wanted.then.length > 0 && choice !== null && wanted.steps === 0) ghosts.push({ cells: wanted.then, kind: "then" });
  ghosts.push({ cells: move.played.cells, kind: "played", sign: move.grade });
  const isOther = wanted !== null && wanted !== move.choices[move.played_rank ?? -1];
  if (isOther) ghosts.push({ cells: wanted.cells, kind: "best" });
  return { cells, pair, ghosts, arrow: isOther ? [move.played.cells, wanted.cells] : null };
}
