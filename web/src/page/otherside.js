// The other side of a match: its board beside one's own, with its value and what waits above it. A button changes sides.

import { QUICK_BURNS, ignite } from "../engine/index.js";
import { h } from "./dom.js";
import { Picture } from "./draw.js";
import { keepFocus } from "./focus.js";
import { changedSides, withOther } from "./game.js";
import { text } from "./i18n.js";
import { SHORT, rangeOf } from "./result.js";

const valueOf = (cells, ruleset) => ignite(cells, ruleset, { mostBurns: QUICK_BURNS });

// The other side's board on a desk, as large as one's own. A press on it changes sides.
export class OtherLane {
  #picture = new Picture();
  #number = h("span", { class: "number" });
  #waits = h("span", { class: "note" });

  // swap(): changes sides
  constructor(swap) {
    this.element = h(
      "section", { class: "lane opponent", "aria-label": text.sides.title, hidden: true },
      h("header", {}, h("h2", {}, text.sides.title), this.#waits, h("p", { class: "worth" }, this.#number)),
      h("button", { type: "button", class: "board", "aria-label": text.sides.swap, title: text.sides.swap, onclick: swap }, this.#picture.element),
    );
  }

  setLook(look) {
    this.#picture.setLook(look);
  }

  // other: {cells, game}, or null. Returns whether there is one.
  show(other, rulesets) {
    this.element.hidden = other === null;
    if (other === null) return false;
    this.#picture.setBoard(other.cells);
    this.#picture.setOverlay(null);
    this.#number.textContent = rulesets.map((one) => rangeOf(valueOf(other.cells, one))).join(" / ");
    this.#waits.textContent = rulesets.map((one) => text.sides.waits(SHORT[one], rangeOf({ attack: other.game.waiting[one], complete: true }))).join(" · ");
    return true;
  }
}

// page: {cells, game, shown(), look(), put(cells, game)}
export class OtherSide {
  #page;
  #picture = new Picture();
  #facts = h("ul", { class: "facts" });
  #begin = h("button", { type: "button", class: "small", onclick: () => this.#put(withOther(this.#page.game)) }, text.sides.begin);
  #board;
  // for the dock of a phone
  swap = h("button", {
    type: "button", class: "swap", "aria-label": text.sides.swap, title: text.sides.swap, onclick: () => this.#swap(),
  }, "⇄");

  constructor(page) {
    this.#page = page;
    this.#board = h(
      "div", { class: "other" },
      h("div", { class: "small-board", role: "img", "aria-label": text.sides.picture }, this.#picture.element),
      h(
        "div", {}, this.#facts,
        h("div", { class: "row" },
          h("button", { type: "button", onclick: () => this.#swap() }, text.sides.swap),
          h("button", { type: "button", class: "quiet", onclick: () => this.#put({ ...this.#page.game, other: null }) }, text.sides.end)),
      ),
    );
    this.element = h("div", { class: "sides" }, this.#begin, this.#board);
  }

  refresh() {
    const { other } = this.#page.game;
    keepFocus(this.element, () => {
      this.#begin.hidden = other !== null;
      this.#board.hidden = other === null;
    }, () => this.#begin);
    this.swap.hidden = other === null;
    if (other === null) return;
    this.#picture.setLook(this.#page.look());
    this.#picture.setBoard(other.cells);
    this.#picture.setOverlay(null);
    this.#facts.replaceChildren(...this.#page.shown().map((ruleset) => {
      const waits = rangeOf({ attack: other.game.waiting[ruleset], complete: true });
      return h("li", {}, text.sides.facts(SHORT[ruleset], rangeOf(valueOf(other.cells, ruleset)), waits));
    }));
  }

  #put(game) {
    this.#page.put(this.#page.cells, game);
  }

  #swap() {
    const { cells, game } = changedSides(this.#page.cells, this.#page.game);
    this.#page.put(cells, game);
  }
}
