// Painting on one board: a grid of cells for the mouse, for fingers and for the keyboard.

import { CELLS, COLUMNS, LETTERS, ROWS, columnOf, rowOf } from "../engine/grid.js";
import { h } from "./dom.js";
import { text } from "./i18n.js";

const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// The cells on the line between two cells, without the first, so that a fast stroke has no gaps.
function line(from, to) {
  const [fromX, fromY] = [from % COLUMNS, Math.floor(from / COLUMNS)];
  const [dx, dy] = [(to % COLUMNS) - fromX, Math.floor(to / COLUMNS) - fromY];
  const count = Math.max(Math.abs(dx), Math.abs(dy));
  return Array.from({ length: count }, (_, i) => {
    const part = (i + 1) / count;
    return (fromY + Math.round(dy * part)) * COLUMNS + fromX + Math.round(dx * part);
  });
}

// A finger that moves so many cells down drops the pair.
const DROP = 1.5;

// actions: begin() before a stroke, paint(index, erase), put(index, cell), flush() to show the painted cells, end() after
// the stroke, look(index or null) when the pointer or the focus moves. steering(): {move(by), turn(), drop()} while a finger
// steers a pair instead of painting, else null.
export class Editor {
  #cells;
  #actions;
  #focus = (ROWS - 1) * COLUMNS + 3;
  #stroke = null;
  #drag = null;
  // each cell's name, coded as a number
  #said = new Int32Array(CELLS).fill(-1);

  constructor(name, actions) {
    this.#actions = actions;
    this.#cells = Array.from({ length: CELLS }, (_, index) =>
      h("div", { role: "gridcell", tabindex: index === this.#focus ? 0 : -1, "data-index": index }),
    );
    const rows = Array.from({ length: ROWS }, (_, row) =>
      h("div", { role: "row" }, this.#cells.slice(row * COLUMNS, (row + 1) * COLUMNS)),
    );
    this.element = h(
      "div",
      {
        role: "grid",
        class: "cells",
        "aria-label": text.board(name),
        "aria-describedby": "grid-help",
        onpointerdown: (event) => this.#down(event),
        onpointermove: (event) => this.#move(event),
        onpointerup: (event) => this.#up(event),
        onpointercancel: (event) => this.#up(event),
        onpointerleave: () => actions.look(null),
        // a finger that steers makes no other gesture: after a swipe, browsers ignore the next tap for a moment
        ontouchstart: (event) => actions.steering() === null || event.preventDefault(),
        oncontextmenu: (event) => event.preventDefault(),
        onkeydown: (event) => this.#key(event),
        onfocusin: (event) => this.#look(event.target),
        onfocusout: () => actions.look(null),
      },
      rows,
    );
  }

  // Focuses the cell that Tab reaches.
  focus() {
    this.#cells[this.#focus].focus();
  }

  // Names the cells for screen readers. values: by cell, the value of the tail that ends there, or 0.
  describe(cells, values) {
    this.#cells.forEach((element, index) => {
      const said = cells[index] * 256 + values[index];
      if (this.#said[index] === said) return;
      this.#said[index] = said;
      const what = `${text.codes[cells[index]]}${values[index] > 0 ? text.tailHere(values[index]) : ""}`;
      element.setAttribute("aria-label", text.cell(columnOf(index), rowOf(index), what));
    });
  }

  #look(element) {
    const index = element.dataset.index;
    this.#actions.look(index === undefined ? null : Number(index), true);
  }

  // The cell at a place on the screen, or null. nearest: outside the board, the nearest cell.
  #at(event, nearest = false) {
    const box = this.element.getBoundingClientRect();
    let column = Math.floor(((event.clientX - box.left) / box.width) * COLUMNS);
    let row = Math.floor(((event.clientY - box.top) / box.height) * ROWS);
    if (nearest) {
      column = Math.min(Math.max(column, 0), COLUMNS - 1);
      row = Math.min(Math.max(row, 0), ROWS - 1);
    }
    const inside = column >= 0 && column < COLUMNS && row >= 0 && row < ROWS;
    return inside ? row * COLUMNS + column : null;
  }

  #down(event) {
    if (!event.isPrimary || (event.button !== 0 && event.button !== 2)) return;
    const index = this.#at(event);
    if (index === null) return;
    event.preventDefault();
    this.element.setPointerCapture(event.pointerId);
    if (event.pointerType === "touch" && this.#actions.steering() !== null) {
      this.#drag = { x: event.clientX, y: event.clientY, moved: false };
      return;
    }
    this.#stroke = { last: index, erase: event.button === 2 || event.shiftKey };
    // the focus moves first, because after the board has changed it would cost another layout
    this.#setFocus(index);
    this.#actions.begin();
    this.#actions.paint(index, this.#stroke.erase);
    this.#actions.flush();
  }

  #move(event) {
    if (!event.isPrimary) return;
    if (this.#drag !== null) {
      this.#steer(event);
      return;
    }
    if (this.#stroke === null) {
      this.#actions.look(this.#at(event));
      return;
    }
    const between = event.getCoalescedEvents?.() ?? [];
    for (const moment of between.length > 0 ? between : [event]) {
      const index = this.#at(moment, true);
      for (const cell of line(this.#stroke.last, index)) this.#actions.paint(cell, this.#stroke.erase);
      this.#stroke.last = index;
    }
    this.#actions.flush();
  }

  // The pair follows a finger sideways, a column for each cell that the finger has passed.
  #steer(event) {
    const side = this.element.getBoundingClientRect().width / COLUMNS;
    const by = Math.trunc((event.clientX - this.#drag.x) / side);
    if (by === 0) return;
    this.#drag.x += by * side;
    this.#drag.moved = true;
    this.#actions.steering()?.move(by);
  }

  // A tap turns the pair, and a swipe down drops it.
  #steered(event) {
    const drag = this.#drag;
    this.#drag = null;
    const steering = this.#actions.steering();
    if (event.type === "pointercancel" || steering === null) return;
    const side = this.element.getBoundingClientRect().width / COLUMNS;
    const [across, down] = [Math.abs(event.clientX - drag.x), event.clientY - drag.y];
    if (down > DROP * side && down > across) steering.drop();
    else if (!drag.moved && Math.max(across, Math.abs(down)) < side / 2) steering.turn();
  }

  #up(event) {
    if (event.isPrimary && this.#drag !== null) this.#steered(event);
    if (!event.isPrimary || this.#stroke === null) return;
    this.#stroke = null;
    this.#actions.end();
  }

  #setFocus(index) {
    this.#cells[this.#focus].tabIndex = -1;
    this.#focus = index;
    this.#cells[index].tabIndex = 0;
    this.#cells[index].focus({ preventScroll: true });
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in MOVES) {
      const [dx, dy] = MOVES[event.key];
      const column = (this.#focus % COLUMNS) + dx;
      const row = Math.floor(this.#focus / COLUMNS) + dy;
      const inside = column >= 0 && column < COLUMNS && row >= 0 && row < ROWS;
      if (event.shiftKey) this.#once(() => {
        this.#actions.paint(this.#focus, false);
        if (inside) this.#actions.paint(row * COLUMNS + column, false);
      });
      if (inside) this.#setFocus(row * COLUMNS + column);
    } else if (event.key === "Home" || event.key === "End") {
      const row = this.#focus - (this.#focus % COLUMNS);
      this.#setFocus(event.key === "Home" ? row : row + COLUMNS - 1);
    } else if (event.key === "PageUp" || event.key === "PageDown") {
      const column = this.#focus % COLUMNS;
      this.#setFocus(event.key === "PageUp" ? column : CELLS - COLUMNS + column);
    } else if (event.key === "Enter" || event.key === " ") {
      this.#once(() => this.#actions.paint(this.#focus, event.shiftKey));
    } else if (event.key === "Delete" || event.key === "Backspace") {
      this.#once(() => this.#actions.put(this.#focus, 0));
    } else if (event.key.length === 1 && LETTERS.includes(event.key)) {
      this.#once(() => this.#actions.put(this.#focus, LETTERS.indexOf(event.key)));
    } else {
      return;
    }
    event.preventDefault();
  }

  #once(stroke) {
    this.#actions.begin();
    stroke();
    this.#actions.flush();
    this.#actions.end();
  }
}
