// The tools, one for each code that a stroke can paint. They are radio buttons, so that arrow keys work.

import { EMPTY, LETTERS, colourOf, isBlock, isNeedle, needleOf } from "../engine/grid.js";
import { h, s } from "./dom.js";
import { piece } from "./draw.js";
import { text } from "./i18n.js";

const ORDER = [1, 2, 3, 4, 5, 6, 7, 8, 9, EMPTY];

export function pieceIcon(code) {
  const lines = { stroke: "currentColor", "stroke-width": 3, fill: "none", "stroke-linejoin": "round" };
  const eraser = [s("path", { ...lines, d: "M8 25L22 9l11 9-14 16h-7zM14 18l11 10M17 34h17" })];
  return s("svg", { viewBox: "0 0 40 40", "aria-hidden": "true" }, code === EMPTY ? eraser : piece(code));
}

// On a low phone, one row of tools shows the blocks or the needles; a button switches between them.
function sharpener(box) {
  const button = h("button", {
    type: "button", class: "sharpen", "aria-pressed": false, "aria-label": text.sharpen, title: text.sharpen,
    onclick: () => {
      const sharp = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(sharp));
      box.dataset.sharp = sharp;
      const chosen = Number(box.querySelector("input:checked").value);
      // the chosen colour stays chosen
      if (sharp ? isBlock(chosen) : isNeedle(chosen)) {
        box.querySelector(`input[value="${sharp ? needleOf(chosen) : colourOf(chosen)}"]`).click();
      }
    },
  }, pieceIcon(6));
  return button;
}

// first: the code chosen at first. choose(code): called when another tool is chosen.
export function toolbox(first, choose) {
  const box = h(
    "fieldset",
    { class: "tools", "data-sharp": "false" },
    h("legend", {}, text.paintWith),
    ORDER.map((code) => {
      const name = code === EMPTY ? text.eraser : text.codes[code];
      const key = code === EMPTY ? "Del" : LETTERS[code];
      return h(
        "label",
        { title: text.key(name, key), class: code === EMPTY ? "eraser" : isNeedle(code) ? "sharp" : isBlock(code) ? "blunt" : null },
        h("input", {
          type: "radio", name: "tool", value: code, checked: code === first, "aria-label": name,
          onchange: () => choose(code),
        }),
        pieceIcon(code),
      );
    }),
  );
  box.append(sharpener(box));
  return box;
}
