// The puzzles: positions of the own game in which there was a clearly better place.

import { h } from "../page/dom.js";
import { keepFocus, setOff } from "../page/focus.js";
import { resolve } from "./chain.js";
import { text } from "./i18n.js";
import { sameCells, withCells } from "./pair.js";
import { pairPicture } from "./pieces.js";
import { Pictures, picturesOf } from "./motion.js";
import { pairName } from "./stage.js";
import { Steer, placeOf } from "./steer.js";
import { headline, leadsTo, nameOf, placeWords, reasons } from "./words.js";

export class Puzzles {
  #page;
  #game;
  #steer = null;
  #pictures = new Pictures();
  #title = h("h2", {});
  #what = h("p", {});
  #next = h("div", { class: "nexts" });
  #verdict = h("div", { class: "answer", role: "status" });
  #where = h("p", { class: "hidden", role: "status" });
  #buttons = {};
  #body = h("div", { class: "puzzle" });

  // page: {game, place, solved: a Set of the moves' numbers, showMove(move)}
  constructor(page) {
    this.#page = page;
    this.#game = page.game;
    this.element = h("div", { class: "puzzles" }, this.#seats(), this.#body);
    this.#fill(page.puzzle);
  }

  get list() {
    return this.#game.puzzlesOf(this.#page.place.seat);
  }

  close() {
    this.#pictures.stop();
  }

  redraw() {
    this.#steer?.redraw();
  }

  key(event) {
    return this.#steer?.key(event) ?? false;
  }

  #seats() {
    if (!this.#game.isMatch) return null;
    return h(
      "fieldset",
      { class: "seats segments" },
      h("legend", { class: "hidden" }, text.whose),
      this.#game.seats.map((seat) => h(
        "label",
        {},
        h("input", {
          type: "radio", name: "puzzleseat", value: seat, checked: seat === this.#page.place.seat,
          onchange: () => { Object.assign(this.#page.place, { seat, at: 0 }); this.#fill(0); },
        }),
        h("span", {}, text.player(seat)),
      )),
    );
  }

  #fill(at) {
    const { list } = this;
    if (list.length === 0) {
      this.#steer = null;
      this.#body.replaceChildren(h("h2", {}, text.puzzleTitle), h("p", {}, text.noPuzzles));
      return;
    }
    this.#steer = new Steer(this.#game.board, {
      dropped: (state, cells) => this.#placed(state, cells),
      moved: (state) => { this.#where.textContent = text.steeredTo(placeWords(placeOf(state))); },
      heir: () => this.#buttons.again,
    });
    const button = (name, does, extra = "") => {
      this.#buttons[name] = h("button", { type: "button", class: extra, onclick: does }, text[name]);
      return this.#buttons[name];
    };
    const help = this.#game.board.needles ? text.puzzleKeysNeedle : text.puzzleKeys;
    this.#body.replaceChildren(
      h("div", { class: "puzzlehead" }, this.#title, this.#what),
      h("div", { class: "puzzleboard" }, this.#steer.element, this.#next),
      h(
        "div",
        { class: "puzzledesk" },
        this.#verdict,
        h(
          "div",
          { class: "row" },
          button("again", () => this.#again(() => this.#begin())), button("solution", () => this.#answer()),
          button("previousPuzzle", () => this.#again(() => this.#open(this.#page.puzzle - 1))),
          button("nextPuzzle", () => this.#again(() => this.#open(this.#page.puzzle + 1)), "main"),
          button("seeMove", () => this.#page.showMove(this.move)),
        ),
        h("p", { class: "soft sums" }),
        h("p", { class: "soft" }, help),
        this.#where,
      ),
    );
    this.#open(at);
  }

  get move() {
    return this.list[this.#page.puzzle];
  }

  #open(at) {
    const { list } = this;
    this.#page.puzzle = Math.min(Math.max(0, at), list.length - 1);
    const { move } = this;
    const grade = headline(move);
    this.#title.textContent = text.puzzleOf(this.#page.puzzle + 1, list.length);
    this.#what.textContent = this.#game.isMatch
      ? text.puzzleWhatOf(nameOf(this.#game, move.seat), placeWords(move.played), grade)
      : text.puzzleWhat(placeWords(move.played), grade);
    this.#steer.name(text.puzzleBoard(this.#page.puzzle + 1));
    const { board } = this.#game;
    this.#next.replaceChildren(...this.#game.nextOf(move).slice(0, 2).map((pair) => h(
      "figure", { class: "next" }, h("figcaption", {}, text.next), pairPicture(pair, board, pairName(pair, board)),
    )));
    setOff(this.#buttons.previousPuzzle, this.#page.puzzle === 0);
    setOff(this.#buttons.nextPuzzle, this.#page.puzzle === list.length - 1);
    this.#begin();
  }

  // Begins anew; the keys are the board's then.
  #again(begin) {
    begin();
    this.#steer.frame.focus({ preventScroll: true });
  }

  #begin() {
    this.#pictures.stop();
    this.#say();
    this.#count();
    this.#steer.begin(this.#game.fieldBefore(this.move), this.#game.pairOf(this.move));
  }

  #say(right = null, ...sentences) {
    if (right === null) delete this.#verdict.dataset.right;
    else this.#verdict.dataset.right = String(right);
    keepFocus(this.#verdict, () => this.#verdict.replaceChildren(...sentences.map((one) => h("p", {}, one))), () => this.#buttons.again);
  }

  #count() {
    const solved = this.list.filter((move) => this.#page.solved.has(move.index)).length;
    this.element.querySelector(".sums").textContent = text.solved(solved, this.list.length);
  }

  #placed(state, cells) {
    const { move } = this;
    const [best] = move.choices;
    const rank = move.choices.findIndex((choice) => sameCells(choice.cells, cells));
    const isPlayed = sameCells(move.played.cells, cells);
    if (rank === 0 || (rank > 0 && !isPlayed)) {
      this.#page.solved.add(move.index);
      const why = reasons(move, this.#game).slice(0, move.marks.length);
      const words = rank === 0 ? text.rightBest : text.rightRank(rank + 1, placeWords(best));
      this.#say(true, words, text.answer(placeWords(best), leadsTo(best, this.#game)), ...why);
      this.#play(move.choices[rank]);
    } else {
      this.#say(false, ...this.#wrong(isPlayed, cells));
      this.#steer.show({ cells: this.#game.fieldBefore(move), ghosts: [{ cells, kind: "played", sign: isPlayed ? move.grade : "none" }] });
    }
    this.#count();
  }

  // What there is to say about a place that isn't good. A review has no verdict on most of them.
  #wrong(isPlayed, cells) {
    const { move } = this;
    if (isPlayed) return [text.wrongSame, text.leads(leadsTo(move.played, this.#game))];
    const { board } = this.#game;
    if (!board.chain) return [text.wrongOther];
    const { over, steps, points } = resolve(withCells(this.#game.fieldBefore(move), cells, board), board);
    if (over) return [text.wrongOver];
    const fires = { over, steps: steps.length, made: points, towards: 0 };
    return points > 0 ? [text.wrongOther, text.leads(leadsTo(fires, this.#game))] : [text.wrongOther];
  }

  // Plays a choice, and shows the place again afterwards.
  #play(choice) {
    const cells = this.#game.fieldBefore(this.move);
    const ghosts = [{ cells: choice.cells, kind: "best" }];
    const end = () => this.#steer.show({ cells, ghosts });
    this.#pictures.run(picturesOf(this.#game, this.move, choice), (picture) => this.#steer.show(picture), end);
  }

  #answer() {
    const { move } = this;
    const [best] = move.choices;
    this.#pictures.stop();
    this.#say(null, text.answer(placeWords(best), leadsTo(best, this.#game)), ...reasons(move, this.#game).slice(0, move.marks.length));
    this.#steer.show({
      cells: this.#game.fieldBefore(move),
      ghosts: [{ cells: move.played.cells, kind: "played", sign: move.grade }, { cells: best.cells, kind: "best" }],
      arrow: [move.played.cells, best.cells],
    });
  }
}
