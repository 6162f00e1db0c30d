// The board's picture as SVG, 40 units a cell. All looks are attributes, not CSS, so that the picture can be exported.
// Each colour has a mark of its own (disc, triangle, diamond, star), for people who can't see the colours.

import {
  CELLS, COLUMNS, EMPTY, NEAR, NUISANCE, ROWS, cellAt, colourOf, isBlock, isNeedle,
} from "../engine/grid.js";
import { s } from "./dom.js";
import {
  Marks, UNIT, ashMark, badge, centre, corner, ghostMark, label, startMark, tieMark, waveMark,
} from "./marks.js";

export const LOOKS = {
  light: { well: "#e7e3d6", line: "#d5cfbe", skull: "#b9b19b", page: "#faf8f2", text: "#22252e", soft: "#5b6070" },
  dark: { well: "#191c27", line: "#272c3b", skull: "#444b60", page: "#11131b", text: "#f0eff4", soft: "#a6acbf" },
};

// by colour: the block, its darker rim, its mark
const PAINT = [
  null,
  { base: "#d3323f", rim: "#9c1c28", mark: "#ffffff" },
  { base: "#1d8a4c", rim: "#0f5f33", mark: "#ffffff" },
  { base: "#2f6be4", rim: "#1b479f", mark: "#ffffff" },
  { base: "#f3bf1d", rim: "#b98a05", mark: "#4a3500" },
  { base: "#f4f4f6", rim: "#9a9fae", mark: "#858b9d" },
];

const STAR = star(5, 11.5, 5, 20, 20.8);
const SPIKES = star(12, 19.5, 14.5);
const MARKS = [
  null,
  "M20 11.500a8.500 8.500 0 1 1 0 17a8.500 8.500 0 1 1 0-17z",
  "M20 10.500L30 28H10z",
  "M20 9L31 20L20 31L9 20z",
  STAR,
  "M20 20.500c4 0 7 3.300 7 6.300 0 3.600-4.500 2.200-7 2.200s-7 1.400-7-2.200c0-3 3-6.300 7-6.300z"
    + "M11.600 16.500a2.400 3 0 1 0 .1 0zM17 11.500a2.400 3.200 0 1 0 .1 0zM23 11.500a2.400 3.200 0 1 0 .1 0z"
    + "M28.400 16.500a2.400 3 0 1 0 .1 0z",
];

function star(points, outer, inner, x = 20, y = 20) {
  const corners = Array.from({ length: points * 2 }, (_, i) => {
    const angle = (Math.PI * i) / points - Math.PI / 2;
    const radius = i % 2 ? inner : outer;
    return `${(x + radius * Math.cos(angle)).toFixed(2)} ${(y + radius * Math.sin(angle)).toFixed(2)}`;
  });
  return `M${corners.join("L")}z`;
}

// The shapes of a block, nuisance or needle in a square of 40 units.
export function piece(cell) {
  const colour = colourOf(cell);
  const { base, rim, mark } = PAINT[colour];
  const symbol = { d: MARKS[colour], fill: mark, "stroke-linejoin": "round" };
  if (isNeedle(cell)) {
    return [
      s("path", { d: SPIKES, fill: base, stroke: rim, "stroke-width": 1.5, "stroke-linejoin": "round" }),
      s("circle", { cx: 20, cy: 20, r: 11.5, fill: rim }),
      s("path", { ...symbol, transform: "translate(6.4 6.4) scale(.68)" }),
    ];
  }
  const radius = cell === NUISANCE ? 17 : 9;
  return [
    s("rect", { x: 2, y: 2, width: 36, height: 36, rx: radius, fill: rim }),
    s("rect", { x: 2, y: 2, width: 36, height: 33.5, rx: radius, fill: base }),
    cell === NUISANCE ? null : s("rect", { x: 6, y: 4.5, width: 28, height: 3, rx: 1.5, fill: "#fff", opacity: 0.28 }),
    s("path", symbol),
  ].filter(Boolean);
}

// Neighbours of one colour are joined, so that a structure is seen as one.
function joints(cells, index) {
  if (!isBlock(cells[index])) return "";
  const right = index % COLUMNS < COLUMNS - 1 && cells[index + 1] === cells[index];
  const below = index + COLUMNS < CELLS && cells[index + COLUMNS] === cells[index];
  return (right ? "r" : "") + (below ? "b" : "");
}

function joint(cell, sides) {
  const { rim } = PAINT[cell];
  return [
    sides.includes("r") ? s("rect", { x: 30, y: 12, width: 20, height: 16, fill: rim }) : null,
    sides.includes("b") ? s("rect", { x: 12, y: 30, width: 16, height: 20, fill: rim }) : null,
  ].filter(Boolean);
}

export class Picture {
  #keys = new Array(CELLS).fill("");
  #joints = s("g");
  #pieces = s("g");
  #marks = new Marks("marks");
  #path = s("g");
  #badges = new Marks("badges");
  #hints = s("g");
  #ground = s("g");
  #look = LOOKS.light;
  #cells = new Uint8Array(CELLS);

  constructor() {
    this.group = s("g", {}, this.#ground, this.#joints, this.#pieces, this.#hints, this.#marks.element, this.#path, this.#badges.element);
    this.element = s(
      "svg",
      { viewBox: `0 0 ${COLUMNS * UNIT} ${ROWS * UNIT}`, class: "picture", "aria-hidden": "true" },
      this.group,
    );
    for (let index = 0; index < CELLS; index += 1) {
      const [x, y] = corner(index);
      this.#joints.append(s("g", { transform: `translate(${x} ${y})` }));
      this.#pieces.append(s("g", { transform: `translate(${x} ${y})` }));
    }
  }

  setLook(look) {
    this.#look = look;
    const [width, height] = [COLUMNS * UNIT, ROWS * UNIT];
    const lines = [];
    for (let x = 1; x < COLUMNS; x += 1) lines.push(`M${x * UNIT} 0V${height}`);
    for (let y = 1; y < ROWS; y += 1) lines.push(`M0 ${y * UNIT}H${width}`);
    const [x, y] = centre(cellAt(4, ROWS));
    this.#ground.replaceChildren(
      s("rect", { width, height, fill: look.well }),
      s("path", { d: lines.join(""), stroke: look.line, "stroke-width": 1 }),
      // the cell that ends the game when it is filled
      s("path", {
        d: `M${x - 7} ${y - 7}l14 14m0-14l-14 14`, stroke: look.skull, "stroke-width": 3, "stroke-linecap": "round",
      }),
    );
  }

  setBoard(cells) {
    this.#cells = cells;
    this.#place(cells);
  }

  #place(cells) {
    for (let index = 0; index < CELLS; index += 1) {
      const sides = joints(cells, index);
      const key = `${cells[index]}${sides}`;
      if (key === this.#keys[index]) continue;
      this.#keys[index] = key;
      this.#pieces.children[index].replaceChildren(...(cells[index] === EMPTY ? [] : piece(cells[index])));
      this.#joints.children[index].replaceChildren(...(sides ? joint(cells[index], sides) : []));
    }
  }

  // Shows the ignition. lit: the number of the tail whose path is shown; step: the waves' current step.
  setOverlay(outcome, { lit = null, step = null, ties = [], loneIsNothing = false } = {}) {
    const steps = outcome?.steps.flat() ?? [];
    const gone = (index) => step !== null && steps[index] > 0 && steps[index] < step;
    this.#place(this.#cells.map((cell, index) => (gone(index) ? EMPTY : cell)));
    const marks = new Map();
    const badges = new Map();
    const path = [];
    if (outcome !== null) {
      if (lit !== null) path.push(...this.#drawnPath(outcome.tails[lit], steps));
      else if (step !== null) this.#markWaves(marks, steps, step);
      else {
        this.#markStarts(marks, steps, outcome.owner.flat());
        for (const [x, y] of ties) marks.set(`?${x},${y}`, [tieMark, cellAt(x, y)]);
      }
      outcome.tails.forEach((tail, number) => {
        const index = cellAt(tail.x, tail.y);
        const seen = lit === null ? step === null || steps[index] <= step : lit === number;
        if (!seen) return;
        const worthless = loneIsNothing && tail.value === 1;
        badges.set(`${index} ${tail.value} ${worthless} ${lit}`, [badge, index, tail.value, worthless, lit !== null]);
      });
    }
    this.#marks.show(marks);
    this.#path.replaceChildren(...path);
    this.#badges.show(badges);
  }

  // Shows pieces that could be put into free cells: [{cell, code, label, bright}]; or, with ghost, where a falling pair comes
  // to rest.
  setHints(hints) {
    this.#hints.replaceChildren(...hints.map(({ cell, code, label: words, bright, ghost }) => {
      if (ghost) return ghostMark(cell, piece(code));
      const [x, y] = corner(cell);
      const shape = code === undefined ? [] : piece(code);
      return s(
        "g",
        { class: "hint", transform: `translate(${x} ${y})`, opacity: bright ? 1 : 0.62 },
        s("g", { transform: words ? "translate(5 -1) scale(.75)" : "translate(2 2) scale(.9)", opacity: bright ? 0.95 : 0.6 }, shape),
        words ? [
          s("rect", {
            x: 20 - 5 * words.length - 3, y: 23.5, width: 10 * words.length + 6, height: 15, rx: 5,
            fill: bright ? "#fff" : "#d5d7de", stroke: bright ? "#1b1d26" : "none", "stroke-width": 1.5,
          }),
          label(20, 31, words, 13.5, "#1b1d26"),
        ] : [],
      );
    }));
  }

  #markStarts(marks, steps, owner) {
    const several = Math.max(...owner) > 1;
    steps.forEach((at, index) => {
      if (at === 1) marks.set(`s${index} ${several ? owner[index] : ""}`, [startMark, index, several ? owner[index] : 0]);
    });
  }

  #markWaves(marks, steps, now) {
    steps.forEach((at, index) => {
      if (at > 0 && at < now) marks.set(`o${index} ${this.#look.skull}`, [ashMark, index, this.#look.skull]);
      if (at > 0 && at === now) marks.set(`w${index}`, [waveMark, index]);
    });
  }

  #drawnPath(tail, steps) {
    const path = tail.path.map(([x, y]) => cellAt(x, y));
    const inside = new Set(path);
    // one veil over all other cells, because several would show seams
    const veil = steps.map((_, index) => (inside.has(index) ? "" : `M${corner(index).join(" ")}h40v40h-40z`)).join("");
    const drawn = [s("path", { d: veil, fill: this.#look.well, opacity: 0.74 })];
    const ways = [];
    for (const index of path) {
      for (const next of NEAR[index]) {
        if (inside.has(next) && steps[next] === steps[index] + 1) {
          ways.push(`M${centre(index).join(" ")}L${centre(next).join(" ")}`);
        }
      }
    }
    const d = ways.join("");
    drawn.push(
      s("path", { d, stroke: "#1b1d26", "stroke-width": 9, "stroke-linecap": "round" }),
      s("path", { d, stroke: "#fff", "stroke-width": 5, "stroke-linecap": "round" }),
    );
    // the last cell has the tail's number
    for (const index of path.slice(0, -1)) {
      const [x, y] = centre(index);
      drawn.push(
        s("circle", { cx: x, cy: y, r: 10, fill: "#fff", stroke: "#1b1d26", "stroke-width": 2 }),
        label(x, y, steps[index], 12, "#1b1d26"),
      );
    }
    return drawn;
  }
}
