// Ten digits for an answer, under the board: a phone's own keyboard would cover the board.

import { h } from "./dom.js";

// input: the answer's field. names: {erase, ok}. The last key submits the field's form.
export function keypad(input, { erase, ok }) {
  const digit = (number) => h("button", { type: "button", onclick: () => { input.value += number; } }, String(number));
  return h(
    "div",
    { class: "keypad" },
    [1, 2, 3, 4, 5].map(digit),
    h("button", { type: "button", "aria-label": erase, title: erase, onclick: () => { input.value = input.value.slice(0, -1); } }, "⌫"),
    [6, 7, 8, 9, 0].map(digit),
    h("button", { type: "submit", class: "main" }, ok),
  );
}

// Whether a finger is what the device is used with.
export const isTouched = () => matchMedia("(pointer: coarse)").matches;
