// Undo and redo. Each entry is a whole board with the state of the game played on it, the newest last.

import { same } from "../engine/grid.js";

const MOST = 500;

// "undo" or "redo" if a key asks for it, else null. In a field, the keys are the field's.
export function undoKey(event) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target.matches("textarea, input:is([type=number], [type=text])")) {
    return null;
  }
  const key = event.key.toLowerCase();
  if (key === "y" || (key === "z" && event.shiftKey)) return "redo";
  return key === "z" ? "undo" : null;
}

export class Undo {
  #past = [];
  #future = [];
  #now;

  // game: never changed in place, only replaced
  constructor(cells, game) {
    this.#now = { cells: cells.slice(), game };
  }

  // Adds a board, unless it and its game equal the last ones.
  push(cells, game) {
    if (same(cells, this.#now.cells) && game === this.#now.game) return;
    this.#past.push(this.#now);
    if (this.#past.length > MOST) this.#past.shift();
    this.#future = [];
    this.#now = { cells: cells.slice(), game };
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
    return { cells: this.#now.cells.slice(), game: this.#now.game };
  }
}
