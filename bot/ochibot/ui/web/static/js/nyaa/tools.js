// The tools: what a stroke paints. A group of radio buttons, so that arrow keys go through it.

import { h, s } from "../dom.js";
import { EMPTY, LETTERS, NAMES } from "./board.js";
import { piece } from "./draw.js";

const ORDER = [1, 2, 3, 4, 5, 6, 7, 8, 9, EMPTY];

function icon(cell) {
  const lines = { stroke: "currentColor", "stroke-width": 3, fill: "none", "stroke-linejoin": "round" };
  const eraser = [s("path", { ...lines, d: "M8 25L22 9l11 9-14 16h-7zM14 18l11 10M17 34h17" })];
  return s("svg", { viewBox: "0 0 40 40", "aria-hidden": "true" }, cell === EMPTY ? eraser : piece(cell));
}

// choose(cell): the tool was changed
export function toolbox(first, choose) {
  return h(
    "fieldset",
    { class: "tools" },
    h("legend", {}, "Paint with"),
    ORDER.map((cell) => {
      const name = cell === EMPTY ? "eraser" : NAMES[cell];
      const key = cell === EMPTY ? "Del" : LETTERS[cell];
      return h(
        "label",
        { title: `${name} (key ${key})`, class: cell === EMPTY ? "eraser" : null },
        h("input", {
          type: "radio", name: "tool", value: cell, checked: cell === first, "aria-label": name,
          onchange: () => choose(cell),
        }),
        icon(cell),
      );
    }),
  );
}
