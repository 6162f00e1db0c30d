// The picture of a board: its pieces, the falling pair, ghosts of placements, arrows, and what clears.

import { s } from "../page/dom.js";
import { EMPTY, isColour, nuisanceOf } from "./field.js";
import { FONT, LOOKS, PAINT, UNIT, pieceOf } from "./pieces.js";

// by grade: the sign that players of chess know
export const SIGNS = { best: "✓", good: "", inaccuracy: "?!", mistake: "?", blunder: "??" };
export const GRADE_COLOURS = {
  best: "#0b6b3a", good: "#46536b", inaccuracy: "#8a5a00", mistake: "#b34700", blunder: "#b4232f",
};

export function lookNow() {
  const chosen = document.documentElement.dataset.theme;
  const dark = chosen === undefined ? matchMedia("(prefers-color-scheme: dark)").matches : chosen === "dark";
  return LOOKS[dark ? "dark" : "light"];
}

// Rows above the drawn field where a falling pair can be.
export const aboveOf = (board) => Math.max(0, -Math.min(board.axis_top, board.partner_top));

const at = (x, y) => `translate(${x * UNIT} ${y * UNIT})`;

export function ground(board, above, look) {
  const { columns, rows, hidden } = board;
  const lines = [];
  for (let x = 1; x < columns; x += 1) lines.push(`M${x * UNIT} 0V${rows * UNIT}`);
  for (let y = 1; y < rows; y += 1) lines.push(`M0 ${y * UNIT}H${columns * UNIT}`);
  const out = hidden + above;
  return [
    s("rect", { y: -above * UNIT, width: columns * UNIT, height: (rows + above) * UNIT, fill: look.well }),
    out > 0 ? s("rect", { y: -above * UNIT, width: columns * UNIT, height: out * UNIT, fill: look.above }) : null,
    s("path", { d: lines.join(""), stroke: look.line, "stroke-width": 1 }),
    out > 0 ? s("path", { d: `M0 ${hidden * UNIT}H${columns * UNIT}`, stroke: look.soft, "stroke-width": 2, "stroke-dasharray": "6 5" }) : null,
  ].filter(Boolean);
}

// Neighbours of one colour are joined, so that groups are seen.
export function joints(cells, board, cleared) {
  const found = [];
  cells.forEach((code, cell) => {
    if (!isColour(code, board) || cleared?.has(cell)) return;
    const [x, y] = [cell % board.columns, Math.floor(cell / board.columns)];
    const fill = PAINT[board.letters[code].toUpperCase()][1];
    const joins = (other) => cells[other] === code && !cleared?.has(other);
    if (x < board.columns - 1 && joins(cell + 1)) found.push(s("rect", { x: x * UNIT + 28, y: y * UNIT + 12, width: 24, height: 16, fill }));
    if (joins(cell + board.columns)) found.push(s("rect", { x: x * UNIT + 12, y: y * UNIT + 28, width: 16, height: 24, fill }));
  });
  return found;
}

export function ghost({ cells, kind, sign }, board, look) {
  const stroke = kind === "played" ? (GRADE_COLOURS[sign] ?? look.soft) : look.best;
  const parts = cells.flatMap(([x, y, code]) => [
    s("g", { transform: at(x, y), opacity: kind === "then" ? 0.3 : 0.55 }, pieceOf(code, board)),
    s("rect", {
      x: x * UNIT + 2.5, y: y * UNIT + 2.5, width: UNIT - 5, height: UNIT - 5, rx: 9, fill: "none", stroke: look.paper, "stroke-width": 5.5,
    }),
    s("rect", {
      x: x * UNIT + 2.5, y: y * UNIT + 2.5, width: UNIT - 5, height: UNIT - 5, rx: 9, fill: "none", stroke, "stroke-width": 3.5,
      "stroke-dasharray": kind === "played" ? null : kind === "then" ? "2 5" : "7 4",
    }),
  ]);
  return parts;
}

// The sign of a grade at the top of what was played.
function badge({ cells, kind, sign }, board) {
  if (kind !== "played" || !SIGNS[sign]) return [];
  const [x, y] = cells.reduce((top, cell) => (cell[1] < top[1] ? cell : top));
  return [s(
    "g",
    { transform: `translate(${x * UNIT + (x === board.columns - 1 ? 26 : 33)} ${y * UNIT + 7})` },
    s("circle", { r: 12, fill: GRADE_COLOURS[sign], stroke: "#ffffff", "stroke-width": 1.5 }),
    s("text", { y: 5.5, fill: "#ffffff", "font-size": 15, "font-weight": 800, "text-anchor": "middle", "font-family": FONT }, SIGNS[sign]),
  )];
}

const middle = (cells) => [0, 1].map((axis) => cells.reduce((sum, cell) => sum + (cell[axis] + 0.5) * UNIT, 0) / cells.length);

function arrow(from, to, look) {
  const [[x1, y1], [x2, y2]] = [middle(from), middle(to)];
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length < UNIT) return [];
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [tx, ty] = [x2 - ux * 6, y2 - uy * 6];
  const head = `M${tx} ${ty}L${tx - ux * 20 - uy * 12} ${ty - uy * 20 + ux * 12}L${tx - ux * 20 + uy * 12} ${ty - uy * 20 - ux * 12}z`;
  const line = `M${x1 + ux * 12} ${y1 + uy * 12}L${tx - ux * 16} ${ty - uy * 16}`;
  return [
    s("path", { d: line, stroke: look.paper, "stroke-width": 11, "stroke-linecap": "round" }),
    s("path", { d: head, fill: look.best, stroke: look.paper, "stroke-width": 3, "stroke-linejoin": "round" }),
    s("path", { d: line, stroke: look.best, "stroke-width": 6, "stroke-linecap": "round" }),
  ];
}

function burst(cell, board) {
  const [x, y] = [cell % board.columns, Math.floor(cell / board.columns)];
  return s("circle", { cx: (x + 0.5) * UNIT, cy: (y + 0.5) * UNIT, r: 17, fill: "#ffffff", opacity: 0.55, stroke: "#22252e", "stroke-width": 2 });
}

// The group of all shapes. shown: {cells, pair: [[x, y, code]], ghosts: [{cells, kind, sign}], arrow: [from, to], cleared}.
// A ghost's kind is "played", "best" or "then".
export function boardGroup({ cells, pair = [], ghosts = [], arrow: ends = null, cleared = null, caption = null }, board, look) {
  const above = aboveOf(board);
  const group = s("g", { transform: `translate(0 ${above * UNIT})` }, ground(board, above, look), joints(cells, board, cleared));
  cells.forEach((code, cell) => {
    if (code === EMPTY) return;
    group.append(s("g", { transform: at(cell % board.columns, Math.floor(cell / board.columns)) }, pieceOf(code, board)));
    if (cleared?.has(cell)) group.append(burst(cell, board));
  });
  for (const [x, y, code] of pair) if (y >= -above) group.append(s("g", { transform: at(x, y) }, pieceOf(code, board)));
  for (const one of ghosts) group.append(...ghost(one, board, look));
  if (ends !== null) group.append(...arrow(...ends, look));
  for (const one of ghosts) group.append(...badge(one, board));
  if (caption !== null) {
    const [x, y] = [(board.columns * UNIT) / 2, board.rows * UNIT * 0.36];
    const given = { x, y, "font-size": 44, "font-weight": 800, "text-anchor": "middle", "font-family": FONT };
    group.append(
      s("text", { ...given, fill: "none", stroke: "#14161d", "stroke-width": 9, "stroke-linejoin": "round" }, caption),
      s("text", { ...given, fill: "#ffffff" }, caption),
    );
  }
  return group;
}

// A board on the page.
export class BoardView {
  #board;
  #shown = null;

  constructor(board, label) {
    this.#board = board;
    const above = aboveOf(board);
    this.width = board.columns * UNIT;
    this.height = (board.rows + above) * UNIT;
    this.element = s("svg", { viewBox: `0 0 ${this.width} ${this.height}`, class: "board", role: "img", "aria-label": label });
  }

  name(label) {
    this.element.setAttribute("aria-label", label);
  }

  show(shown) {
    this.#shown = shown;
    this.element.replaceChildren(boardGroup(shown, this.#board, lookNow()));
  }

  // Draws again, in the theme of now.
  redraw() {
    if (this.#shown !== null) this.show(this.#shown);
  }

  get shown() {
    return this.#shown;
  }
}

// A small picture of a field on a canvas.
export function thumbnail(canvas, cells, board, colour, size = 5) {
  Object.assign(canvas, { width: board.columns * size, height: board.rows * size });
  const paper = canvas.getContext("2d");
  const nuisance = nuisanceOf(board);
  cells.forEach((code, cell) => {
    if (code === EMPTY) return;
    paper.fillStyle = colour(code, board);
    const [x, y] = [(cell % board.columns) * size, Math.floor(cell / board.columns) * size];
    if (code === nuisance) paper.fillRect(x + 1, y + 1, size - 2, size - 2);
    else paper.fillRect(x, y, size, size);
  });
}
