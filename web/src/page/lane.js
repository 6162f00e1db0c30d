// One ruleset's board: its headline, the picture, the cells to paint on, and its account beside it.

import { CELLS, cellAt } from "../engine/grid.js";
import { Account } from "./account.js";
import { h } from "./dom.js";
import { Picture } from "./draw.js";
import { Editor } from "./editor.js";
import { keepFocus } from "./focus.js";
import { text } from "./i18n.js";
import { SHORT, headline } from "./result.js";

export class Lane {
  #picture = new Picture();
  #editor;
  #number = h("span", { class: "number" }, "…");
  #note = h("span", { class: "note" });
  #value = null;
  #outcome = 0;
  #lit = null;
  #step = null;
  #cells = null;
  #hidden = false;

  // actions: those of an Editor, but for look
  constructor(ruleset, actions) {
    this.ruleset = ruleset;
    const long = text.rulesets[ruleset];
    this.#editor = new Editor(long, { ...actions, look: (cell) => this.#look(cell) });
    this.account = new Account(ruleset, {
      light: (number) => this.light(number),
      outcome: (number) => this.#choose(number),
    });
    this.element = h(
      "section",
      { class: `lane ${ruleset}`, "aria-label": long },
      h(
        "header", {}, h("h2", {}, SHORT[ruleset]), this.#note,
        h("p", { class: "worth" }, this.#number, h("span", { class: "unit" }, text.unit)),
      ),
      h("div", { class: "board" }, this.#picture.element, this.#editor.element),
    );
  }

  setLook(look) {
    this.#picture.setLook(look);
    this.#draw();
  }

  setBoard(cells) {
    this.#cells = cells;
    this.#picture.setBoard(cells);
  }

  // value: null while it isn't known
  setValue(value) {
    this.#value = value;
    this.#outcome = 0;
    this.#lit = null;
    this.#changed();
  }

  // Hides the board's value, for a quiz.
  hide(hidden) {
    if (hidden === this.#hidden) return;
    this.#hidden = hidden;
    this.#changed();
  }

  setHints(hints) {
    this.#picture.setHints(hints);
  }

  // The number of steps that the waves of the shown outcome take.
  get steps() {
    const { outcome } = this;
    return outcome === null ? 0 : Math.max(...outcome.steps.flat());
  }

  get outcome() {
    return this.#hidden ? null : (this.#value?.outcomes[this.#outcome] ?? null);
  }

  // The sum of the tails that have ended after so many steps.
  totalAt(step) {
    const { outcome } = this;
    if (outcome === null) return 0;
    const steps = outcome.steps.flat();
    const ended = outcome.tails.filter((tail) => steps[cellAt(tail.x, tail.y)] <= step);
    return ended.reduce((total, tail) => total + tail.value, 0);
  }

  // Shows the path of a tail, or none (null).
  light(number) {
    if (number === this.#lit || this.#hidden) return;
    this.#lit = number;
    this.#draw();
  }

  showStep(step) {
    if (step === this.#step) return;
    this.#step = step;
    this.#draw();
  }

  // This board's part of an exported picture.
  part() {
    const { number, note } = headline(this.#hidden ? null : this.#value);
    return { group: this.#picture.group, title: text.rulesets[this.ruleset], number, note };
  }

  #choose(number) {
    this.#outcome = number;
    this.#lit = null;
    this.#changed();
  }

  #look(cell) {
    const tails = this.outcome?.tails ?? [];
    const number = cell === null ? -1 : tails.findIndex((tail) => cellAt(tail.x, tail.y) === cell);
    this.light(number < 0 ? null : number);
  }

  #changed() {
    // no board has been shown yet
    if (this.#cells === null) return;
    const shown = this.#hidden ? null : this.#value;
    const { number, note } = headline(shown);
    this.#number.textContent = this.#hidden ? "?" : number;
    this.#note.textContent = note;
    this.#note.classList.toggle("between", shown !== null && !shown.attack_exact);
    // another board has other tails, or none
    keepFocus(this.account.element, () => this.account.show(shown, this.#outcome), () => this.#editor);
    const ends = new Uint8Array(CELLS);
    for (const tail of this.outcome?.tails ?? []) ends[cellAt(tail.x, tail.y)] = tail.value;
    this.#editor.describe(this.#cells, ends);
    this.#draw();
  }

  #draw() {
    this.#picture.setOverlay(this.outcome, {
      lit: this.#lit,
      step: this.#step,
      ties: this.#hidden ? [] : (this.#value?.open_ties ?? []),
      loneIsNothing: this.ruleset === "mvs" || this.outcome?.s1 === 1,
    });
  }
}
