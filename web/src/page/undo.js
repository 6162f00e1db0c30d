// Undo and redo. Each entry is a whole board, the newest last.

import { same } from "../engine/grid.js";

const MOST = 500;

export class Undo {
  #past = [];
  #future = [];
  #now;

  constructor(cells) {
    this.#now = cells.slice();
  }

  // Adds a board, unless it equals the last one.
  push(cells) {
    if (same(cells, this.#now)) return;
    this.#past.push(this.#now);
    if (this.#past.length > MOST) this.#past.shift();
    this.#future = [];
    this.#now = cells.slice();
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  undo() {
    return this.#move(this.#past, this.#future);
  }

  redo() {
    return this.#move(this.#future, this.#past);
  }

  #move(from, to) {
    if (from.length > 0) {
      to.push(this.#now);
      this.#now = from.pop();
    }
    return this.#now.slice();
  }
}
