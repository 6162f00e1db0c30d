// The film strip: every move of a player as a small picture. Tab reaches the one that is shown, arrow keys the others.

import { h } from "../page/dom.js";
import { SIGNS, thumbnail } from "./draw.js";
import { text } from "./i18n.js";
import { headline } from "./words.js";
import { colourOf } from "./pieces.js";

export class Film {
  #buttons = [];
  #choose;
  #game;

  // choose(at): called with the number of a move of the player, from 0
  constructor(game, choose) {
    this.#game = game;
    this.#choose = choose;
    this.list = h("ol", { class: "film" });
    this.element = h("section", { class: "filmstrip" }, h("h2", { class: "small-title" }, text.film), this.list);
  }

  fill(moves) {
    const { board } = this.#game;
    this.#buttons = moves.map((move, at) => {
      const canvas = h("canvas", { "aria-hidden": "true" });
      thumbnail(canvas, this.#game.fieldAfter(move) ?? this.#game.fieldBefore(move), board, colourOf);
      const made = move.played?.made > 0;
      const sign = made && this.#game.hasSteps && move.played.steps > 1 ? String(move.played.steps) : SIGNS[move.grade] ?? "";
      const tag = h("span", { class: "tag", "data-grade": move.grade ?? "none", "data-chain": made && sign !== "" ? "" : null }, sign || "·");
      return h(
        "button",
        { type: "button", tabindex: -1, "aria-label": text.filmMove(at + 1, headline(move)), onclick: () => this.#choose(at), onkeydown: (event) => this.#key(event, at) },
        canvas,
        tag,
        h("span", { class: "count", "aria-hidden": "true" }, String(at + 1)),
      );
    });
    this.list.replaceChildren(...this.#buttons.map((button) => h("li", {}, button)));
  }

  show(at) {
    this.#buttons.forEach((button, index) => {
      const mine = index === at;
      button.tabIndex = mine ? 0 : -1;
      if (mine) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
    const button = this.#buttons[at];
    // the strip scrolls, the page doesn't
    if (button) this.list.scrollLeft = button.offsetLeft - this.list.offsetLeft - (this.list.clientWidth - button.offsetWidth) / 2;
  }

  #key(event, at) {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: this.#buttons.length - 1 }[event.key];
    if (to === undefined || this.#buttons[to] === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#choose(to);
    this.#buttons[to].focus();
  }
}

