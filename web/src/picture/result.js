// The board that was read, over its picture: doubtful cells are marked, and a tap changes a cell.

import { leftOut } from "./afloat.js";
import { readCells } from "./read.js";

const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Result {
  #given;
  #cells = [];
  // what the user has said of cells, and the cells of a falling pair
  #said = new Map();
  #falling = new Set();
  #isBusy = false;
  #now = 0;
  #buttons = [];
  #choices;

  // given: what the panel's page has, and {text, memory, patches, picture (a canvas), run(job, done), says(words),
  // use (a button)}
  constructor(given) {
    this.#given = given;
    const { h, size, text, picture, pieces, names, icon } = given;
    const rows = Array.from({ length: size.rows }, (_, row) => h("div", { role: "row" }, Array.from({ length: size.columns }, (_, column) => {
      const cell = row * size.columns + column;
      const button = h("div", { role: "gridcell", tabindex: -1, onclick: () => this.#select(cell, true), onfocus: () => this.#select(cell) });
      this.#buttons.push(button);
      return button;
    })));
    const grid = h("div", { class: "read-cells", role: "grid", "aria-label": text.grid, onkeydown: (event) => this.#key(event) }, rows);
    grid.style.setProperty("--columns", size.columns);
    this.#choices = pieces.map(({ code }) =>
      h("button", { type: "button", "aria-label": names[code], title: names[code], "aria-pressed": "false", onclick: () => this.#say(code) }, icon(code)));
    this.element = h("div", { class: "read" },
      h("div", { class: "read-board" }, picture, grid),
      h("div", { class: "read-bar" }, h("div", { class: "read-pieces", role: "group", "aria-label": text.pieces }, this.#choices), given.use));
  }

  get codes() {
    return this.#cells.map(({ code }) => code);
  }

  start() {
    this.#read(() => {
      const first = this.#cells.findIndex(({ sure }) => !sure);
      this.#select(Math.max(first, 0), true);
    });
  }

  // Teaches what the board's cells look like: those that the user has named, and those that were clear.
  teach(memory) {
    this.#cells.forEach(({ code, sure }, cell) => {
      if (this.#said.has(cell) || (sure && !this.#falling.has(cell))) memory.learn(code, this.#given.patches[cell]);
    });
  }

  #read(then) {
    const { patches, pieces, memory, run } = this.#given;
    run(readCells(patches, pieces, memory, this.#said), (cells) => {
      const left = leftOut(cells, this.#given.size, this.#said);
      [this.#cells, this.#falling, this.#isBusy] = [left.cells, left.falling, left.isBusy];
      cells.forEach((_, cell) => this.#draw(cell));
      this.#tell();
      then?.();
    });
  }

  #tell() {
    const { text, says } = this.#given;
    const doubtful = this.#cells.filter(({ sure }) => !sure).length;
    says([text.found(doubtful), this.#falling.size > 0 ? text.pair : "", this.#isBusy ? text.busy : ""].filter(Boolean).join(" "));
  }

  #draw(cell) {
    const { size, text, names, icon } = this.#given;
    const { code, sure } = this.#cells[cell];
    const button = this.#buttons[cell];
    const isFalling = this.#falling.has(cell);
    button.className = [sure ? "" : "doubtful", isFalling ? "falling" : "", this.#said.has(cell) ? "said" : ""].filter(Boolean).join(" ");
    button.replaceChildren(...(code === 0 ? [] : [icon(code)]));
    const what = names[code] + (sure ? "" : text.doubtful) + (isFalling ? text.falling : "");
    button.setAttribute("aria-label", text.cell((cell % size.columns) + 1, size.rows - Math.floor(cell / size.columns), what));
  }

  #select(cell, focus = false) {
    this.#buttons[this.#now].tabIndex = -1;
    this.#buttons[this.#now].removeAttribute("aria-selected");
    this.#now = cell;
    this.#buttons[cell].tabIndex = 0;
    this.#buttons[cell].setAttribute("aria-selected", "true");
    if (focus) this.#buttons[cell].focus();
    this.#choices.forEach((choice, at) =>
      choice.setAttribute("aria-pressed", String(this.#given.pieces[at].code === this.#cells[cell].code)));
  }

  // The user says what is in the chosen cell. Cells that look alike follow; then the next doubtful cell is chosen.
  #say(code) {
    const told = this.#now;
    // by keyboard, the focus goes along
    const isFocused = document.activeElement === this.#buttons[told];
    this.#said.set(told, code);
    this.#read(() => {
      const order = [...this.#cells.keys()].map((at) => (told + 1 + at) % this.#cells.length);
      this.#select(order.find((cell) => !this.#cells[cell].sure) ?? told, isFocused);
    });
  }

  #key(event) {
    const { size, letters } = this.#given;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = KEYS[event.key];
    const code = event.key === "Delete" || event.key === "Backspace" ? 0 : letters.indexOf(event.key);
    if (step !== undefined) {
      const column = Math.min(Math.max((this.#now % size.columns) + step[0], 0), size.columns - 1);
      const row = Math.min(Math.max(Math.floor(this.#now / size.columns) + step[1], 0), size.rows - 1);
      this.#select(row * size.columns + column, true);
    } else if (code >= 0 && event.key.length > 0) this.#say(code);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
