// A board on which a person moves a pair and drops it: by keys, buttons, taps and swipes.

import { h } from "../page/dom.js";
import { keepFocus } from "../page/focus.js";
import { BoardView } from "./draw.js";
import { text } from "./i18n.js";
import { icon } from "./icons.js";
import { dropped, fits, halves, pressed, resting, spawnOf } from "./pair.js";
import { UNIT } from "./pieces.js";

const KEYS = {
  ArrowLeft: "left", ArrowRight: "right", ArrowUp: "clockwise", ArrowDown: "drop", " ": "drop", z: "counterclockwise", x: "clockwise", n: "needle",
};
const [TAP, DROP] = [10, 60];

// The place of a state in the words of a review: {x from 1, orientation, needle}.
export const placeOf = (state) => ({
  place: { x: state.x + 1, orientation: ["down", "left", "up", "right"][state.turn], needle: state.needle },
});

export class Steer {
  #board;
  #cells = null;
  #pair = null;
  #state = null;
  #dropped;
  #moved;
  #heir;
  #pad;

  // dropped(state, cells): called with the pair's resting cells; moved(state): when it has moved; heir(): the control that
  // gets the focus when the buttons vanish
  constructor(board, { dropped, moved, heir }) {
    this.#board = board;
    this.#dropped = dropped;
    this.#moved = moved;
    this.#heir = heir;
    this.view = new BoardView(board, "");
    const button = (name, press, extra = "") =>
      h("button", { type: "button", class: extra, "aria-label": text[name], title: text[name], onclick: () => this.press(press) }, icon(name));
    this.view.element.setAttribute("aria-hidden", "true");
    this.frame = h("div", { class: "frame steered", role: "application", tabindex: 0 }, this.view.element);
    this.#pad = h(
      "div",
      { class: "pad" },
      button("left", "left"), button("turnLeft", "counterclockwise"), button("turnRight", "clockwise"), button("right", "right"),
      board.needles ? button("needle", "needle") : null,
      button("drop", "drop", "main"),
    );
    this.element = h("div", { class: "steer" }, this.frame, this.#pad);
    this.#fingers();
  }

  // Begins with a field and a pair. The pair may be null: then nothing falls.
  begin(cells, pair) {
    const start = spawnOf(this.#board);
    this.#cells = cells;
    this.#pair = pair;
    this.#state = pair !== null && fits(cells, start, this.#board) ? start : null;
    this.#show();
  }

  name(label) {
    this.frame.setAttribute("aria-label", label);
  }

  // Shows something else than the falling pair.
  show(shown) {
    this.#state = null;
    this.#switch();
    this.view.show(shown);
  }

  press(press) {
    if (this.#state === null) return;
    if (press === "drop") {
      const state = dropped(this.#cells, this.#state, this.#board);
      this.#state = null;
      this.#switch();
      this.#dropped(state, resting(this.#cells, state, this.#pair, this.#board));
      return;
    }
    this.#state = pressed(this.#cells, this.#state, press, this.#board);
    this.#show();
    this.#moved(this.#state);
  }

  // Whether a key did something.
  key(event) {
    const press = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (press === undefined || this.#state === null) return false;
    this.press(press);
    return true;
  }

  redraw() {
    this.view.redraw();
  }

  #switch() {
    keepFocus(this.#pad, () => { this.#pad.hidden = this.#state === null; }, this.#heir);
  }

  #show() {
    this.#switch();
    if (this.#state === null) {
      this.view.show({ cells: this.#cells });
      return;
    }
    const ghosts = [{ cells: resting(this.#cells, this.#state, this.#pair, this.#board), kind: "then" }];
    this.view.show({ cells: this.#cells, pair: halves(this.#state, this.#pair, this.#board), ghosts });
  }

  // A finger that moves sideways takes the pair with it; one that swipes down drops it; a tap turns it.
  #fingers() {
    let start = null;
    this.frame.addEventListener("pointerdown", (event) => {
      if (!event.isPrimary || event.button !== 0) return;
      start = { x: event.clientX, y: event.clientY, column: 0, moved: false };
      this.frame.setPointerCapture(event.pointerId);
    });
    this.frame.addEventListener("pointermove", (event) => {
      if (start === null || !event.isPrimary) return;
      const cell = (this.view.element.getBoundingClientRect().width * UNIT) / this.view.width;
      const [dx, dy] = [event.clientX - start.x, event.clientY - start.y];
      if (Math.hypot(dx, dy) > TAP) start.moved = true;
      if (Math.abs(dy) > Math.abs(dx)) return;
      const column = Math.round(dx / cell);
      for (; start.column < column; start.column += 1) this.press("right");
      for (; start.column > column; start.column -= 1) this.press("left");
    });
    this.frame.addEventListener("pointerup", (event) => {
      if (start === null || !event.isPrimary) return;
      const [dx, dy] = [event.clientX - start.x, event.clientY - start.y];
      const { moved } = start;
      start = null;
      if (!moved) this.press("clockwise");
      else if (dy > DROP && dy > 2 * Math.abs(dx)) this.press("drop");
    });
    this.frame.addEventListener("pointercancel", () => { start = null; });
  }
}
