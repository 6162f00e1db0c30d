// The game tab: plays the game, and shows of every move what it was worth beside the best one.

import { h } from "../page/dom.js";
import { keepFocus, setOff } from "../page/focus.js";
import { SIGNS } from "./draw.js";
import { Film } from "./film.js";
import { Graph } from "./graph.js";
import { text } from "./i18n.js";
import { icon } from "./icons.js";
import { analysed, isWrong } from "./model.js";
import { Pictures, picturesOf } from "./motion.js";
import { linkRow, sharePicture } from "./picture.js";
import { Stage } from "./stage.js";
import { clock, exactPercent, headline, leadsTo, moment, moveWords, nameOf, placeWords, reasons } from "./words.js";

const THINKS = 750;

export const tag = (move) => h("span", { class: "tag", "data-grade": move.grade ?? "none", "aria-hidden": "true" }, SIGNS[move.grade] || "·");

export class Viewer {
  #page;
  #game;
  #choice = null;
  #pictures = new Pictures();
  #playing = false;
  #pause = null;
  #controls = {};
  #verdict = h("div", { class: "said", "aria-live": "polite" });
  #choices = h("div", { class: "choices" });
  #moments = h("ol", { class: "moments" });
  #links = h("div", {});

  // page: {game, place: {seat, at}, say(words), showText(heading, words), analyse(position)}
  constructor(page) {
    this.#page = page;
    this.#game = page.game;
    this.stage = new Stage(this.#game, (by) => this.#step(by));
    this.film = new Film(this.#game, (at) => this.go(at));
    this.graph = new Graph(this.#game, (at) => this.go(at));
    this.element = h(
      "div",
      { class: "viewer" },
      h("div", { class: "left" }, this.#seats(), this.stage.element, this.#buttons()),
      h("section", { class: "verdict" }, this.#verdict, this.#help()),
      h("div", { class: "times" }, this.graph.element, this.film.element),
      h(
        "div",
        { class: "lists" },
        h("section", {}, h("h2", { class: "small-title" }, text.choices), this.#choices),
        h("section", {}, h("h2", { class: "small-title" }, text.moments), this.#moments),
      ),
      this.#sharing(),
    );
  }

  get moves() {
    return this.#game.movesOf(this.#page.place.seat);
  }

  get move() {
    return this.moves[this.#page.place.at];
  }

  opened() {
    this.#fill();
    this.go(this.#page.place.at);
  }

  close() {
    this.#stop();
    this.graph.close();
  }

  redraw() {
    this.stage.redraw();
    this.graph.redraw();
  }

  // Shows a move, by its number among the player's own from 0.
  go(at) {
    this.#stop();
    this.#show(at);
  }

  #show(at) {
    this.#page.place.at = Math.min(Math.max(0, at), this.moves.length - 1);
    this.#choice = null;
    const { move } = this;
    this.stage.position(move, null);
    this.film.show(this.#page.place.at);
    this.graph.show(this.#page.place.at);
    this.#showVerdict();
    keepFocus(this.#choices, () => this.#showChoices(), () => this.#controls.forward);
    for (const button of this.#moments.querySelectorAll("button")) {
      if (Number(button.dataset.index) === move.index) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    this.#links.replaceChildren(linkRow(this.#page, analysed(this.#game, move), this.#game.board));
    const [first, last] = [this.#page.place.at === 0, this.#page.place.at === this.moves.length - 1];
    setOff(this.#controls.first, first);
    setOff(this.#controls.back, first);
    setOff(this.#controls.forward, last);
    setOff(this.#controls.last, last);
    setOff(this.#controls.lastMoment, this.#momentFrom(-1) === undefined);
    setOff(this.#controls.nextMoment, this.#momentFrom(1) === undefined);
    setOff(this.#controls.watch, !move.played);
  }

  #fill() {
    this.film.fill(this.moves);
    this.graph.fill(this.#page.place.seat, this.moves);
    const shown = this.#game.review.moments.map((index) => this.#game.moves[index]);
    const rows = shown.map((move) => h(
      "li",
      {},
      h(
        "button",
        { type: "button", "data-index": move.index, onclick: () => this.#jump(move) },
        tag(move),
        h("span", { class: "when" }, clock(move.seconds)),
        h("span", { class: "what" }, this.#game.isMatch ? `${nameOf(this.#game, move.seat)} · ` : "", isWrong(move) ? h("b", {}, headline(move)) : null, isWrong(move) ? " · " : "", moment(move, this.#game)),
      ),
    ));
    this.#moments.replaceChildren(...(rows.length > 0 ? rows : [h("li", { class: "soft" }, text.noMoments)]));
  }

  #jump(move) {
    if (move.seat !== this.#page.place.seat) this.#choose(move.seat);
    this.go(this.moves.indexOf(move));
    this.stage.element.scrollIntoView({ block: "nearest" });
  }

  // Shows the moves of another player.
  #choose(seat) {
    this.#stop();
    const frame = this.move.frame;
    this.#page.place.seat = seat;
    const later = this.moves.findIndex((move) => move.frame > frame);
    this.#page.place.at = Math.max(0, (later < 0 ? this.moves.length : later) - 1);
    for (const input of this.element.querySelectorAll(".seats input")) input.checked = Number(input.value) === seat;
    this.#fill();
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
          type: "radio", name: "seat", value: seat, checked: seat === this.#page.place.seat,
          onchange: () => { this.#choose(seat); this.#show(this.#page.place.at); },
        }),
        h("span", {}, text.player(seat)),
      )),
    );
  }

  #buttons() {
    const button = (name, does, extra = "") => {
      this.#controls[name] = h("button", { type: "button", class: extra, "aria-label": text[name], title: text[name], onclick: does }, icon(name));
      return this.#controls[name];
    };
    this.#controls.watch = h("button", { type: "button", class: "wide", onclick: () => this.#watch() }, text.watch);
    this.#controls.watchBest = h("button", { type: "button", class: "wide", onclick: () => this.#watch(this.#choice ?? this.move.choices[0]) }, text.watchBest);
    return h(
      "div",
      { class: "controls" },
      button("first", () => this.go(0)),
      button("lastMoment", () => this.go(this.#momentFrom(-1))),
      button("back", () => this.#step(-1)),
      button("play", () => this.#toggle(), "main"),
      button("forward", () => this.#step(1)),
      button("nextMoment", () => this.go(this.#momentFrom(1))),
      button("last", () => this.go(this.moves.length - 1)),
      this.#controls.watch,
      this.#controls.watchBest,
    );
  }

  #sharing() {
    return h(
      "section",
      { class: "sharing" },
      h("h2", { class: "small-title" }, text.share),
      h(
        "div",
        { class: "row" },
        h("button", { type: "button", onclick: () => this.#picture() }, icon("picture"), text.picture),
        this.#game.board.chain ? h("button", { type: "button", onclick: () => this.#page.analyse(analysed(this.#game, this.move)) }, icon("analyse"), text.analyse) : null,
      ),
      this.#game.board.needles ? null : this.#links,
      this.#game.board.needles ? null : h("p", { class: "soft" }, text.leaves),
    );
  }

  #picture() {
    const { move } = this;
    const title = `${nameOf(this.#game, move.seat)} · ${moveWords(move, this.moves, this.#game)}`;
    const said = move.grade === null ? headline(move) : text.titled(headline(move), reasons(move, this.#game)[0]);
    return sharePicture(this.#page, this.stage.view, this.#game.board, title, said, `ochibot-${move.seat}-${move.number}.png`);
  }

  #showVerdict() {
    const { move } = this;
    const game = this.#game;
    const chance = move.chance === null || move.chance === undefined ? null : h("span", { class: "chance" }, exactPercent(move.chance));
    this.#verdict.replaceChildren(
      h(
        "div",
        { class: "gradeline" },
        h("h2", { class: "grade", "data-grade": move.grade ?? "none" }, SIGNS[move.grade] ? tag(move) : null, headline(move)),
        chance,
      ),
      ...reasons(move, game).map((sentence) => h("p", {}, sentence)),
    );
  }

  #help() {
    return h("button", { type: "button", class: "quiet help-button", "aria-label": text.whatIs, title: text.whatIs, onclick: () => this.#page.open("help") }, "?");
  }

  #showChoices() {
    const { move } = this;
    if (move.grade === null) {
      this.#choices.replaceChildren();
      return;
    }
    const shown = [...move.choices];
    if (move.played_rank === null) shown.push(move.played);
    const rows = shown.map((choice, at) => {
      const isPlayed = choice === move.played || at === move.played_rank;
      const rank = at < move.choices.length ? `${at + 1}` : "·";
      const chance = choice.chance === null ? "" : text.chanceIs(exactPercent(choice.chance));
      return h(
        "button",
        {
          type: "button", "aria-pressed": false, class: "choice",
          onclick: (event) => this.#point(choice, event.currentTarget, true),
          onpointerenter: (event) => event.pointerType === "mouse" && this.#point(choice, event.currentTarget, false),
        },
        h("span", { class: "rank" }, rank),
        h("span", { class: "what" }, h("b", {}, placeWords(choice)), h("span", { class: "leads" }, leadsTo(choice, this.#game), chance === "" ? "" : ` · ${chance}`)),
        isPlayed ? h("span", { class: "mine" }, text.played) : null,
      );
    });
    this.#choices.replaceChildren(...rows, h("p", { class: "soft" }, text.choicesHint, shown.some((one) => one.then.length > 0) ? ` ${text.thenShown}` : ""));
    this.#choices.onpointerleave = () => this.#point(null, null, false);
  }

  // Shows a choice on the board. kept: until another is chosen; else while it is pointed at.
  #kept = null;

  #point(choice, button, kept) {
    if (this.#pictures.isRunning) this.#stop();
    // on a phone the list is below the board
    if (kept) this.stage.element.scrollIntoView({ block: "nearest" });
    if (kept) this.#kept = this.#kept?.choice === choice ? null : { choice, button, move: this.move };
    if (this.#kept?.move !== this.move) this.#kept = null;
    this.#choice = choice ?? this.#kept?.choice ?? null;
    for (const one of this.#choices.querySelectorAll("button")) one.setAttribute("aria-pressed", String(one === this.#kept?.button));
    this.stage.position(this.move, this.#choice);
  }

  #momentFrom(by) {
    const index = this.#page.place.at;
    const found = this.moves.map((move, at) => [move, at]).filter(([move, at]) => (by > 0 ? at > index : at < index)
      && (isWrong(move) || this.#game.review.moments.includes(move.index)));
    return (by > 0 ? found[0] : found.at(-1))?.[1];
  }

  #step(by) {
    const to = this.#page.place.at + by;
    if (to >= 0 && to < this.moves.length) this.go(to);
  }

  #watch(choice = this.move.played) {
    if (this.#pictures.isRunning) {
      this.go(this.#page.place.at);
      return;
    }
    this.#stop();
    const back = () => {
      this.#pause = setTimeout(() => this.#show(this.#page.place.at), THINKS);
    };
    this.#pictures.run(picturesOf(this.#game, this.move, choice), (picture) => this.stage.picture(picture), back);
  }

  #toggle() {
    if (this.#playing) {
      this.go(this.#page.place.at);
      return;
    }
    if (this.#page.place.at === this.moves.length - 1) this.#show(0);
    this.#playing = true;
    this.#showPlaying();
    this.#playOn();
  }

  #playOn() {
    const next = () => {
      if (this.#page.place.at === this.moves.length - 1) {
        this.#stop();
        return;
      }
      this.#show(this.#page.place.at + 1);
      this.#playOn();
    };
    this.#pause = setTimeout(() => {
      if (!this.move.played) next();
      else this.#pictures.run(picturesOf(this.#game, this.move, this.move.played), (picture) => this.stage.picture(picture), next);
    }, THINKS);
  }

  #stop() {
    this.#pictures.stop();
    clearTimeout(this.#pause);
    this.#playing = false;
    this.#showPlaying();
  }

  #showPlaying() {
    const button = this.#controls.play;
    const name = this.#playing ? "pause" : "play";
    button.replaceChildren(icon(name));
    button.title = text[name];
    button.setAttribute("aria-label", text[name]);
    // while it plays, the verdicts change too often to be read out
    this.#verdict.setAttribute("aria-live", this.#playing ? "off" : "polite");
  }

  key(event) {
    const does = {
      ArrowLeft: () => this.#step(-1), ArrowRight: () => this.#step(1),
      ArrowUp: () => this.#goMoment(-1), ArrowDown: () => this.#goMoment(1),
      Home: () => this.go(0), End: () => this.go(this.moves.length - 1), " ": () => this.#toggle(),
    }[event.key];
    if (does === undefined) return false;
    does();
    return true;
  }

  #goMoment(by) {
    const to = this.#momentFrom(by);
    if (to !== undefined) this.go(to);
  }
}

