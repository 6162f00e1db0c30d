// The panel to play on: pop the blocks that burn, drop pairs, let nuisance fall, and count the nuisance sent.

import {
  COLOURS, COLUMNS, EMPTY, RULES, burntOut, cellAt, dropped, hasNeedle, heights, ignite, needleOf, nuisanceDropped,
  parse, settled,
} from "../engine/index.js";
import { pairSelects } from "./best.js";
import { h } from "./dom.js";
import { text } from "./i18n.js";
import { SHORT } from "./result.js";

const randomColour = () => COLOURS[Math.floor(Math.random() * COLOURS.length)];
const randomOrder = () => {
  const order = Array.from({ length: COLUMNS }, (_, i) => i + 1);
  for (let i = COLUMNS - 1; i > 0; i -= 1) {
    const other = Math.floor(Math.random() * (i + 1));
    [order[i], order[other]] = [order[other], order[i]];
  }
  return order;
};

// where the second half lies from the first, as [x, y]: above, right, below, left
const TURNS = [[0, 1], [1, 0], [0, -1], [-1, 0]];

// page: {cells, values, shown(), setHints(ruleset, hints), put(cells), playThen(action)}
export class PlayPanel {
  #page;
  #pair = [randomColour(), randomColour()];
  #nextPair = [randomColour(), randomColour()];
  #column = RULES.spawn_column - 1;
  #turn = 0;
  #needle = h("input", { type: "checkbox", onchange: () => this.refresh() });
  #sent = { mvs: [0, 0, true], ps2: [0, 0, true] };
  #count = h("input", { type: "number", min: 1, max: 84, value: 7, "aria-label": text.playon.nuisanceCount });
  #message = h("p", { class: "message", role: "status" });
  #sums = h("ul", { class: "sums" });
  #pairs = h("div", { class: "pairs" });
  #over = h("p", { class: "open", hidden: true }, text.playon.over);

  constructor(page) {
    this.#page = page;
    const { playon: words } = text;
    const button = (name, onclick, kind = null) => h("button", { type: "button", onclick, class: kind }, name);
    this.element = h(
      "div",
      { class: "playon" },
      button(words.fall, () => this.#fall(), "main"),
      this.#message, this.#over,
      h("h3", {}, words.sent), this.#sums,
      button(words.reset, () => this.#reset(), "small"),
      h("h3", {}, words.pair), this.#pairs,
      h(
        "div",
        { class: "row" },
        button("←", () => this.#move(-1)), button("→", () => this.#move(1)), button("↻", () => this.#rotate()),
        h("label", { class: "check" }, this.#needle, h("span", {}, words.needle)),
        button(words.drop, () => this.#drop(), "main"),
      ),
      h("h3", {}, words.nuisance),
      h("div", { class: "row" }, this.#count, button(words.nuisanceDrop, () => this.#nuisance())),
      h("p", { class: "soft" }, words.note),
    );
    for (const [sign, name] of [["←", words.left], ["→", words.right], ["↻", words.turn]]) {
      const found = [...this.element.querySelectorAll("button")].find((one) => one.textContent === sign);
      found.title = name;
      found.setAttribute("aria-label", name);
    }
    this.#showPairs();
    this.#showSums();
  }

  close() {
    for (const ruleset of ["mvs", "ps2"]) this.#page.setHints(ruleset, []);
  }

  refresh() {
    this.#showSums();
    this.#over.hidden = this.#page.cells[cellAt(...RULES.over_cell)] === EMPTY;
    const landing = this.#landing();
    const hints = landing === null ? [] : landing.map(([cell, code]) => ({ cell, code, bright: false }));
    for (const ruleset of this.#page.shown()) this.#page.setHints(ruleset, hints);
  }

  #showPairs() {
    this.#pairs.replaceChildren(
      pairSelects(text.best.pair, this.#pair, () => this.refresh(), false),
      pairSelects(text.best.nextPair, this.#nextPair, () => this.refresh(), false),
    );
  }

  #showSums() {
    this.#sums.replaceChildren(...this.#page.shown().map((ruleset) => {
      const [low, high, complete] = this.#sent[ruleset];
      const range = `${low === high ? low : `${low}–${high}`}${complete ? "" : "+"}`;
      return h("li", {}, text.playon.sentBy(SHORT[ruleset], range));
    }));
  }

  #reset() {
    this.#sent = { mvs: [0, 0, true], ps2: [0, 0, true] };
    this.#message.textContent = "";
    this.#showSums();
  }

  // The cells on which both halves come to rest, the lower half first: [[cell, code], ...]. Null if there is no room.
  #landing() {
    const [dx, dy] = TURNS[this.#turn];
    const code = (colour) => (this.#needle.checked ? needleOf(colour) : colour);
    const halves = [[this.#column, 0, code(this.#pair[0])], [this.#column + dx, dy, code(this.#pair[1])]];
    const tops = heights(this.#page.cells);
    const found = [];
    for (const [column, , one] of halves.sort((a, b) => a[1] - b[1])) {
      if (tops[column] >= 12) return null;
      tops[column] += 1;
      found.push([cellAt(column + 1, tops[column]), one]);
    }
    return found;
  }

  #move(by) {
    const [dx] = TURNS[this.#turn];
    const after = this.#column + by;
    const both = [after, after + dx];
    if (both.every((column) => column >= 0 && column < COLUMNS)) this.#column = after;
    this.refresh();
  }

  #rotate() {
    this.#turn = (this.#turn + 1) % TURNS.length;
    const [dx] = TURNS[this.#turn];
    if (this.#column + dx < 0) this.#column += 1;
    if (this.#column + dx >= COLUMNS) this.#column -= 1;
    this.refresh();
  }

  #drop() {
    // blocks of a painted board may float
    const ground = hasNeedle(this.#page.cells) ? this.#page.cells : settled(this.#page.cells);
    const landing = this.#landing();
    if (landing === null) {
      this.#message.textContent = text.playon.blocked;
      return;
    }
    const halves = landing.map(([cell, code]) => [cell % COLUMNS, code]);
    const [after] = dropped(ground, halves);
    [this.#pair, this.#nextPair] = [this.#nextPair, [randomColour(), randomColour()]];
    [this.#column, this.#turn] = [RULES.spawn_column - 1, 0];
    this.#needle.checked = false;
    this.#message.textContent = "";
    this.#showPairs();
    this.#page.put(after);
  }

  #nuisance() {
    const count = Math.min(Math.max(Math.floor(Number(this.#count.value)) || 0, 0), 84);
    this.#page.put(nuisanceDropped(settled(this.#page.cells), count, randomOrder()));
  }

  #fall() {
    const cells = this.#page.cells;
    const values = Object.fromEntries(["mvs", "ps2"].map((ruleset) => [ruleset, ignite(cells, ruleset)]));
    if (values.mvs.starts.length === 0) {
      // needles that light nothing become blocks, and floating blocks fall
      if (hasNeedle(cells)) this.#page.put(burntOut(cells, new Uint8Array(cells.length)));
      this.#message.textContent = text.playon.fallNothing;
      return;
    }
    this.#page.playThen(() => {
      for (const [ruleset, { attack, complete }] of Object.entries(values)) {
        const [low, high, whole] = this.#sent[ruleset];
        const each = RULES.nuisance_each;
        this.#sent[ruleset] = [low + attack[0] * each, high + attack[1] * each, whole && complete];
      }
      this.#showSums();
      const sums = this.#page.shown().map((ruleset) => {
        const [low, high] = values[ruleset].attack;
        return text.playon.sentBy(SHORT[ruleset], `+${low === high ? low : `${low}–${high}`}`);
      });
      this.#message.textContent = text.playon.moved(sums.join(", "));
      this.#page.put(parse(values.mvs.after));
    });
  }
}
