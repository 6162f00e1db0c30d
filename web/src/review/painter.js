// Painting a field: a grid of cells for the mouse, fingers and the keyboard, over a picture of the board.

import { h, s } from "../page/dom.js";
import { BoardView } from "./draw.js";
import { EMPTY } from "./field.js";
import { text } from "./i18n.js";
import { pieceOf } from "./pieces.js";

const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Painter {
  #board;
  #changed;
  #cells;
  #before = null;
  #grid = [];
  #focus;
  #code = 1;
  #stroke = null;

  // changed(cells, before): called after each stroke
  constructor(board, changed) {
    this.#board = board;
    this.#changed = changed;
    this.#focus = (board.rows - 1) * board.columns;
    this.view = new BoardView(board, text.fieldGrid);
    this.view.element.setAttribute("aria-hidden", "true");
    this.grid = h("div", {
      class: "cells", role: "grid", "aria-label": text.fieldGrid, "aria-describedby": "grid-help",
      onpointerdown: (event) => this.#down(event), onpointermove: (event) => this.#move(event), onpointerup: () => this.#up(),
      onpointercancel: () => this.#up(), oncontextmenu: (event) => event.preventDefault(), onkeydown: (event) => this.#key(event),
    });
    this.element = h(
      "div",
      { class: "canvas" },
      h("div", { class: "frame" }, this.view.element),
      this.grid,
      h("p", { id: "grid-help", class: "hidden" }, text.gridHelp),
    );
    this.tools = this.#makeTools();
    this.#grid = Array.from({ length: board.rows * board.columns }, (_, cell) => h("div", { role: "gridcell", tabindex: cell === this.#focus ? 0 : -1 }));
    this.grid.append(...Array.from({ length: board.rows }, (_, y) => h("div", { role: "row" }, this.#grid.slice(y * board.columns, (y + 1) * board.columns))));
  }

  // Shows a field. ghosts: as of boardGroup.
  show(cells, shown = {}) {
    this.#cells = cells;
    this.view.show({ cells, ...shown });
    this.#grid.forEach((element, cell) => {
      const [x, y] = [cell % this.#board.columns, Math.floor(cell / this.#board.columns)];
      element.setAttribute("aria-label", text.cell(x + 1, this.#board.rows - y, text.colours[this.#board.letters[cells[cell]]]));
    });
  }

  redraw() {
    this.view.redraw();
  }

  #makeTools() {
    const tool = (code) => h(
      "label",
      {},
      h("input", { type: "radio", name: "tool", value: code, checked: code === this.#code, "aria-label": this.#nameOf(code), onchange: () => { this.#code = code; } }),
      h("span", {}, s("svg", { viewBox: "0 0 40 40", "aria-hidden": "true" }, code === EMPTY
        ? s("path", { d: "M10 10l20 20M30 10L10 30", stroke: "currentColor", "stroke-width": 3, "stroke-linecap": "round" })
        : pieceOf(code, this.#board))),
    );
    const codes = [...this.#board.letters].map((_, code) => code).slice(1);
    return h("fieldset", { class: "tools" }, h("legend", { class: "hidden" }, text.paintWith), [...codes, EMPTY].map(tool));
  }

  #nameOf(code) {
    return code === EMPTY ? text.erase : text.colours[this.#board.letters[code]];
  }

  #at(event) {
    const box = this.grid.getBoundingClientRect();
    const limit = (value, most) => Math.min(Math.max(value, 0), most - 1);
    const x = limit(Math.floor(((event.clientX - box.left) / box.width) * this.#board.columns), this.#board.columns);
    const y = limit(Math.floor(((event.clientY - box.top) / box.height) * this.#board.rows), this.#board.rows);
    return y * this.#board.columns + x;
  }

  #begin() {
    this.#before = this.#cells;
    this.#cells = this.#cells.slice();
  }

  #put(cell, code) {
    if (this.#cells[cell] === code) return;
    this.#cells[cell] = code;
    this.show(this.#cells);
  }

  #end() {
    const before = this.#before;
    this.#before = null;
    if (before !== null && before.some((code, cell) => code !== this.#cells[cell])) this.#changed(this.#cells, before);
  }

  #down(event) {
    if (!event.isPrimary || (event.button !== 0 && event.button !== 2)) return;
    event.preventDefault();
    const cell = this.#at(event);
    this.grid.setPointerCapture(event.pointerId);
    this.#begin();
    // painting over the same colour takes it away
    const isSame = this.#cells[cell] === this.#code;
    this.#stroke = event.button === 2 || event.shiftKey || isSame ? EMPTY : this.#code;
    this.#setFocus(cell);
    this.#put(cell, this.#stroke);
  }

  #move(event) {
    if (this.#stroke === null || !event.isPrimary) return;
    for (const one of event.getCoalescedEvents?.() ?? [event]) this.#put(this.#at(one), this.#stroke);
    this.#put(this.#at(event), this.#stroke);
  }

  #up() {
    if (this.#stroke === null) return;
    this.#stroke = null;
    this.#end();
  }

  #setFocus(cell) {
    this.#grid[this.#focus].tabIndex = -1;
    this.#focus = cell;
    this.#grid[cell].tabIndex = 0;
    this.#grid[cell].focus({ preventScroll: true });
  }

  #once(code) {
    this.#begin();
    this.#put(this.#focus, code);
    this.#end();
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { columns, rows, letters } = this.#board;
    const [x, y] = [this.#focus % columns, Math.floor(this.#focus / columns)];
    if (event.key in MOVES) {
      const [to, down] = [x + MOVES[event.key][0], y + MOVES[event.key][1]];
      if (to >= 0 && to < columns && down >= 0 && down < rows) this.#setFocus(down * columns + to);
    } else if (event.key === "Enter" || event.key === " ") this.#once(this.#code);
    else if (event.key === "Delete" || event.key === "Backspace" || event.key === ".") this.#once(EMPTY);
    else {
      const code = event.key.length === 1 ? letters.toLowerCase().indexOf(event.key.toLowerCase()) : -1;
      if (code <= 0) return;
      this.#once(code);
    }
    event.preventDefault();
  }
}
