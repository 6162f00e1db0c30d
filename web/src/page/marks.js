// What is drawn over the pieces of a board: starts, open ties, waves, and the tails' values.

import { COLUMNS } from "../engine/grid.js";
import { s } from "./dom.js";

// the side of a cell in the picture
export const UNIT = 40;
// also in the saved pictures
export const FONT = "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";

export const corner = (index) => [(index % COLUMNS) * UNIT, Math.floor(index / COLUMNS) * UNIT];
export const centre = (index) => corner(index).map((at) => at + UNIT / 2);

// A group of marks, each with a key. A mark whose key stays is kept from one drawing to the next.
export class Marks {
  element;
  #kept = new Map();

  constructor(name) {
    this.element = s("g", { class: name });
  }

  // wanted: a Map from keys to [makes the mark, its arguments]
  show(wanted) {
    for (const [key, mark] of this.#kept) {
      if (wanted.has(key)) continue;
      mark.remove();
      this.#kept.delete(key);
    }
    for (const [key, [make, ...given]] of wanted) {
      if (this.#kept.has(key)) continue;
      const mark = make(...given);
      this.#kept.set(key, mark);
      this.element.append(mark);
    }
  }
}

const stamps = new Map();

// A copy of a mark, at a cell. A copy costs a tenth of a new mark. make(): makes the mark for the cell in the corner.
function stamped(key, index, make) {
  if (!stamps.has(key)) stamps.set(key, make());
  const mark = stamps.get(key).cloneNode(true);
  mark.setAttribute("transform", `translate(${corner(index).join(" ")})`);
  return mark;
}

export function label(x, y, text, size, fill) {
  return s(
    "text",
    {
      x, y: y + size * 0.36, fill, "font-size": size, "font-weight": 700, "text-anchor": "middle", "font-family": FONT,
    },
    String(text),
  );
}

export const startMark = (index, number) =>
  stamped(`s${number}`, index, () =>
    s(
      "g",
      { class: "start" },
      s("rect", {
        x: 4.5, y: 4.5, width: 31, height: 31, rx: 7, fill: "none", stroke: "#fff", "stroke-width": 2.5,
        "stroke-dasharray": "5 3.500",
      }),
      number > 0 ? [
        s("circle", { cx: 10, cy: 10, r: 8.5, fill: "#1b1d26", stroke: "#fff", "stroke-width": 2 }),
        label(10, 10, number, 12.5, "#fff"),
      ] : [],
    ));

// Marks a block that has popped.
export const ashMark = (index, fill) => stamped(`o${fill}`, index, () => s("g", {}, s("circle", { cx: 20, cy: 20, r: 3, fill })));

export const waveMark = (index) =>
  stamped("w", index, () =>
    s(
      "g", {},
      s("circle", { cx: 20, cy: 20, r: 19, fill: "#fff", opacity: 0.92, class: "wave" }),
      s("circle", { cx: 20, cy: 20, r: 12, fill: "none", stroke: "#e07b00", "stroke-width": 4 }),
    ));

// Marks a cell that no known rule gives to one of its waves.
export const tieMark = (index) =>
  stamped("?", index, () =>
    s(
      "g",
      { class: "tie" },
      s("circle", { cx: 10, cy: 10, r: 8.5, fill: "#ffd9a0", stroke: "#1b1d26", "stroke-width": 2 }),
      label(10, 10, "?", 14, "#1b1d26"),
    ));

export function badge(index, value, worthless, central) {
  return stamped(`b${value} ${worthless} ${central}`, index, () => {
    const width = value > 9 ? 27 : 20;
    const [x, y] = central ? [(UNIT - width) / 2, 9.5] : [UNIT - width - 1, 18];
    return s(
      "g",
      { class: "badge" },
      s("rect", {
        x, y, width, height: 21, rx: 7, fill: worthless ? "#d5d7de" : "#fff", stroke: "#1b1d26", "stroke-width": 2,
      }),
      label(x + width / 2, y + 10.5, value, 16, worthless ? "#5b6070" : "#1b1d26"),
    );
  });
}

// Where a half of the falling pair comes to rest, with the way that it falls above.
export function ghostMark(index, shapes) {
  const [x, y] = corner(index);
  return s(
    "g",
    { class: "hint ghost" },
    s("rect", { x: x + 12, y: 0, width: UNIT - 24, height: y, fill: "#7f7f7f", opacity: 0.16 }),
    s("g", { transform: `translate(${x} ${y})` },
      s("g", { opacity: 0.72 }, shapes),
      s("rect", { x: 1.5, y: 1.5, width: 37, height: 37, rx: 10, fill: "none", stroke: "#1b1d26", "stroke-width": 3 }),
      s("rect", {
        x: 1.5, y: 1.5, width: 37, height: 37, rx: 10, fill: "none", stroke: "#fff", "stroke-width": 3, "stroke-dasharray": "6 5",
      })),
  );
}
