// One ruleset's board: its headline, the picture, the cells to paint on, and its account beside it.

import { h } from "../dom.js";
import { indexOf } from "./board.js";
import { Picture } from "./draw.js";
import { Editor } from "./editor.js";
import { Account, RULESETS, headline } from "./result.js";

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

  // actions: those of an Editor, less look
  constructor(ruleset, actions) {
    this.ruleset = ruleset;
    const { name, long } = RULESETS[ruleset];
    this.#editor = new Editor(long, { ...actions, look: (index) => this.#look(index) });
    this.account = new Account(ruleset, {
      light: (number) => this.light(number),
      outcome: (number) => this.#choose(number),
    });
    this.element = h(
      "section",
      { class: `lane ${ruleset}`, "aria-label": long },
      h("header", {}, h("h2", {}, name), this.#note, this.#number),
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

  // null: not known (the server doesn't answer).
  setValue(value) {
    this.#value = value;
    this.#outcome = 0;
    this.#lit = null;
    const { number, note } = headline(value);
    this.#number.textContent = number;
    this.#note.textContent = note;
    this.#note.classList.toggle("between", value !== null && !value.exact);
    if (value !== null) this.account.show(value, 0);
    this.#changed();
  }

  // How many steps the waves of the outcome shown take.
  get steps() {
    const outcome = this.outcome;
    return outcome === null ? 0 : Math.max(...outcome.steps.flat());
  }

  get outcome() {
    return this.#value?.outcomes[this.#outcome] ?? null;
  }

  // Light the path of a tail, or none (null).
  light(number) {
    if (number === this.#lit) return;
    this.#lit = number;
    this.#draw();
  }

  showStep(step) {
    if (step === this.#step) return;
    this.#step = step;
    this.#draw();
  }

  // For the exported picture.
  part() {
    const { number, note } = headline(this.#value);
    return { group: this.#picture.group, title: RULESETS[this.ruleset].long, number, note };
  }

  #choose(number) {
    this.#outcome = number;
    this.#lit = null;
    this.account.show(this.#value, number);
    this.#changed();
  }

  #look(index) {
    const tails = this.outcome?.tails ?? [];
    const number = index === null ? -1 : tails.findIndex((tail) => indexOf(tail.x, tail.y) === index);
    this.light(number < 0 ? null : number);
  }

  #changed() {
    const ends = (this.outcome?.tails ?? []).map((tail) => [indexOf(tail.x, tail.y), tail.value]);
    this.#editor.describe(this.#cells, new Map(ends));
    this.#draw();
  }

  #draw() {
    this.#picture.setOverlay(this.outcome, {
      lit: this.#lit,
      step: this.#step,
      ties: this.#value?.open_ties ?? [],
      loneIsNothing: this.ruleset === "mvs" || this.outcome?.s1 === 1,
    });
  }
}
