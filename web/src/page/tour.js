// The guided tour: the article's figures and problems, each with its boards. The words are in text/.

import { RULESETS, parse } from "../engine/grid.js";
import { ignite } from "../engine/ignite.js";
import { h } from "./dom.js";
import { setOff } from "./focus.js";
import { text } from "./i18n.js";
import { SHORT } from "./result.js";

const eighteen = (left, right) =>
  [`..${left}B${right}..`, "...b...", "...bb..", "...b...", "..bbb..", "...b..."];

// view: the ruleset that a stop is about, if it is about only one; such a stop has one board
export const STOPS = [
  { name: "line", boards: [["R......", "r......", "r......", "r......", "r......"]] },
  { name: "one", boards: [["...R...", "...r..."]] },
  { name: "tutorial", boards: [["R.r....", "rrrrr..", "...r..."]] },
  { name: "ones", boards: [[".Rr....", ".r.....", ".r....."]] },
  { name: "square", boards: [["B......", "bb.....", "bb....."]] },
  { name: "figure2", boards: [["R......", "rrr....", "rrr....", "rrr...."]] },
  {
    name: "tall",
    boards: [["R......", ...Array(7).fill("rr.....")], ["R......", "rrrrrrr", "rrrrrrr"]],
  },
  { name: "loop", boards: [[".R.....", "rrr....", "r.r....", "rrr...."]] },
  {
    name: "extra",
    boards: [
      [".R.....", ".r.....", "rrrr...", "..r...."], [".R.....", "rrrr...", "..r...."], ["R.r....", "rrrrr..", ".r.r..."],
    ],
  },
  {
    name: "line25",
    boards: [
      ["R......", "r......", "rrrrrrr", "......r", "rrrrrrr", "r......", "rrrrrrr"],
      ["R......", "r......", "r......", "rrrrrrr", "......r", "rrrrrrr", "r......", "rrrrrrr"],
    ],
  },
  { name: "stairs", boards: [["bbb....", "bb.....", "bB....."], ["b......", "bbB....", "bbb...."]] },
  { name: "figure4", boards: [["b......", "bbB....", "bbb...."], ["b......", "bbB....", "bb....."]] },
  { name: "company", boards: [eighteen(".", "."), eighteen("b", "."), eighteen("b", "b")] },
  {
    name: "thirty",
    boards: [["..b....", ".bbB.b.", "...b.b.", "...bbbb", "...b...", "..bbb..", "...b..."]],
  },
  { name: "tieV", view: "ps2", boards: [["..B....", ".bbb...", ".brb...", "bbbb..."]] },
  { name: "tieH", view: "ps2", boards: [["...b...", ".bbb...", "Bbrb...", "rbbb..."]] },
  { name: "tieM", view: "mvs", boards: [[".bBb...", ".brb...", "bbbb..."]] },
  { name: "tieW", view: "ps2", boards: [["...b...", ".bbb...", "Bbrb...", "bbbb..."]] },
];

// page: {put(cells), prefer(ruleset)}. prefer shows a ruleset's board, if only one board is shown.
export class TourPanel {
  #page;
  #at = 0;
  #shown = null;
  #variants = [];
  #list = h("ol", { class: "stops" });
  #words = h("div", { class: "words", "aria-live": "polite" });
  #back = h("button", { type: "button", onclick: () => this.#go(this.#at - 1) }, text.tour.back);
  #on = h("button", { type: "button", onclick: () => this.#go(this.#at + 1) }, text.tour.on);

  constructor(page) {
    this.#page = page;
    this.element = h(
      "div", { class: "tour" },
      h("div", { class: "stop" }, this.#words, h("div", { class: "row" }, this.#back, this.#on)),
      h("details", { class: "all" }, h("summary", {}, text.tour.title), this.#list),
    );
    this.#list.append(...STOPS.map(({ name }, at) =>
      h("li", {}, h("button", { type: "button", class: "quiet", onclick: () => this.#go(at) }, text.tour.stops[name][0]))));
  }

  close() {}

  // Puts the current stop's board on the grid.
  open() {
    this.#go(this.#at);
  }

  refresh() {}

  #go(at, variant = 0) {
    this.#at = at;
    const { boards, view } = STOPS[at];
    const cells = boards.map((rows) => parse(rows.join("\n")));
    // the buttons of a stop stay while its variants are gone through
    if (at !== this.#shown) this.#write(at, cells);
    this.#variants.forEach((one, number) => one.setAttribute("aria-pressed", String(number === variant)));
    if (view) this.#page.prefer(view);
    this.#page.put(cells[variant]);
  }

  #write(at, cells) {
    this.#shown = at;
    const { name, view } = STOPS[at];
    const [title, words] = text.tour.stops[name];
    this.#variants = cells.length < 2 ? [] : cells.map((_, number) =>
      h("button", { type: "button", onclick: () => this.#go(at, number) }, String.fromCharCode(65 + number)));
    this.#words.replaceChildren(
      h("p", { class: "soft" }, text.tour.of(at + 1, STOPS.length)),
      h("h3", {}, title),
      h("p", {}, words),
      view ? h("p", { class: "open" }, this.#outcomes(cells[0])) : "",
      this.#variants.length === 0 ? "" : h(
        "div", { class: "row", role: "group", "aria-label": text.tour.variants }, this.#variants,
      ),
    );
    setOff(this.#back, at === 0);
    setOff(this.#on, at === STOPS.length - 1);
    [...this.#list.querySelectorAll("button")].forEach((one, number) => {
      if (number === at) one.setAttribute("aria-current", "step");
      else one.removeAttribute("aria-current");
    });
  }

  // Both possible values, for each ruleset under which the board has an open tie.
  #outcomes(cells) {
    return RULESETS.map((ruleset) => [ruleset, ignite(cells, ruleset)])
      .filter(([, value]) => !value.attack_exact)
      .map(([ruleset, { outcomes }]) => text.tour.outcomes(SHORT[ruleset], outcomes.map((one) => one.attack)))
      .join(" · ");
  }
}
