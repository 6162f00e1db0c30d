// Asking for the best places of the analysis board's first pair.

import { h } from "../page/dom.js";
import { setOff } from "../page/focus.js";
import { Thinker } from "./engine.js";
import { text } from "./i18n.js";
import { leadsTo, number, placeWords } from "./words.js";

const TIMES = [0.3, 1, 5];
const CHAINS = { hasSteps: true };

export class Best {
  #given;
  #thinker = null;
  #asked = 0;
  #seconds = TIMES[1];
  #ask = h("button", { type: "button", class: "main", onclick: () => this.#find() }, text.ask);
  #results = h("ol", { class: "results" });
  #told = h("div", { role: "status" });

  // given: position() returns {cells, pairs, board, rules}; show(choice or null) shows one; drop(choice) plays it;
  // look() brings the board into sight
  constructor(given) {
    this.#given = given;
    const time = h(
      "select",
      { "aria-label": text.think, onchange: (event) => { this.#seconds = Number(event.target.value); } },
      TIMES.map((seconds) => h("option", { value: seconds, selected: seconds === this.#seconds }, text.thinkFor(seconds))),
    );
    this.element = h(
      "section",
      { class: "box" },
      h("h2", {}, text.engineTitle),
      h("div", { class: "row" }, this.#ask, h("label", { class: "row" }, h("span", {}, text.think), time)),
      this.#told,
      this.#results,
    );
    this.#results.addEventListener("pointerleave", () => given.show(null));
  }

  // The position is another one: what was found no longer holds.
  changed() {
    this.#asked += 1;
    this.#results.replaceChildren();
    this.#told.replaceChildren();
    setOff(this.#ask, false);
  }

  close() {
    this.#asked += 1;
    this.#thinker?.close();
    this.#thinker = null;
  }

  async #find() {
    this.#asked += 1;
    const mine = this.#asked;
    const position = this.#given.position();
    this.#results.replaceChildren();
    if (position.pairs.length === 0) {
      this.#told.replaceChildren(h("p", {}, text.engineNone));
      return;
    }
    this.#told.replaceChildren(h("p", {}, text.asking));
    setOff(this.#ask, true);
    let lines;
    let choices = [];
    try {
      this.#thinker ??= new Thinker();
      const found = await this.#thinker.best({ ...position, ms: 1000 * this.#seconds });
      ({ choices } = found);
      lines = this.#lines(found);
    } catch (error) {
      lines = [text.engineFailed(error.message)];
    }
    if (mine !== this.#asked) return;
    setOff(this.#ask, false);
    this.#told.replaceChildren(...lines.map((line) => h("p", {}, line)));
    this.#results.replaceChildren(...choices.map((choice, at) => this.#row(choice, at)));
  }

  #lines({ choices, reach, boards, seconds, engine }) {
    if (choices.every((choice) => choice.over)) return [text.engineOver];
    if (!engine) return [text.engineOff];
    const now = reach === null ? text.engineNoReach : text.engineReach(reach.steps, number(reach.points));
    return [now, text.engineLooked(number(boards), seconds.toFixed(1))];
  }

  #row(choice, at) {
    const show = () => this.#given.show(choice);
    // on a phone the list is below the board
    const tapped = () => { show(); this.#given.look(); };
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", class: "choice", onclick: tapped, onpointerenter: show, onfocus: show },
        h("span", { class: "rank" }, String(at + 1)),
        h("span", { class: "what" }, h("b", {}, placeWords(choice)), h("span", { class: "leads" }, leadsTo(choice, CHAINS))),
      ),
      h("button", { type: "button", onclick: () => { this.#given.drop(choice); this.#given.look(); } }, text.dropHere),
    );
  }
}
