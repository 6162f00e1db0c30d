// A field that changes with every frame. It is drawn in layers, and only those that differ are drawn again.

import { s } from "../page/dom.js";
import { aboveOf, ghost, ground, joints, lookNow } from "../review/draw.js";
import { EMPTY } from "../review/field.js";
import { FONT, UNIT, pieceOf } from "../review/pieces.js";

const at = (x, y) => `translate(${x * UNIT} ${y * UNIT})`;
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

// What has no letter on the board: an item, or a code that the map doesn't know.
const odd = (words) => [
  s("circle", { cx: 20, cy: 20, r: 16, fill: "#ffffff", stroke: "#22252e", "stroke-width": 2, "stroke-dasharray": "4 3" }),
  s("text", { x: 20, y: 27, "font-size": 20, "font-weight": 700, "text-anchor": "middle", fill: "#22252e", "font-family": FONT }, words),
];

const shapesOf = (code, board) => (code > EMPTY && code < board.letters.length ? pieceOf(code, board) : odd(code > EMPTY ? "★" : "?"));

function line(way, look) {
  if (way.length < 2) return [];
  const points = way.map(([x, y]) => `${(x + 0.5) * UNIT} ${(y + 0.5) * UNIT}`).join("L");
  const given = { d: `M${points}`, fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round" };
  return [
    s("path", { ...given, stroke: look.paper, "stroke-width": 7, opacity: 0.8 }),
    s("path", { ...given, stroke: look.best, "stroke-width": 3.5, "stroke-dasharray": "1 8" }),
  ];
}

export class LiveBoard {
  #board;
  #layers = {};
  #shown = {};
  #halves = [];

  constructor(board, label) {
    this.#board = board;
    const above = aboveOf(board);
    const [width, height] = [board.columns * UNIT, (board.rows + above) * UNIT];
    for (const name of ["ground", "field", "plan", "piece"]) this.#layers[name] = s("g", { class: name });
    this.element = s(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, class: "board", role: "img", "aria-label": label },
      s("g", { transform: at(0, above) }, Object.values(this.#layers)),
    );
  }

  // shown: {field: letters, piece: [[x, y, code]], plan: {cells, way} or null}
  show({ field, piece, plan }) {
    if (field !== this.#shown.field) this.#drawField(field);
    this.#drawPiece(piece);
    if (!same(plan, this.#shown.plan ?? null)) this.#drawPlan(plan);
    Object.assign(this.#shown, { field, piece, plan });
  }

  // Draws all again, in the colours of now.
  redraw() {
    const shown = this.#shown;
    this.#shown = {};
    this.#layers.ground.replaceChildren();
    if (shown.field !== undefined) this.show(shown);
  }

  #drawField(field) {
    const board = this.#board;
    const look = lookNow();
    if (this.#layers.ground.childElementCount === 0) this.#layers.ground.replaceChildren(...ground(board, aboveOf(board), look));
    const codes = Array.from(field, (letter) => (letter === "?" ? -1 : board.letters.indexOf(letter)));
    const pieces = codes.flatMap((code, cell) => (code === EMPTY
      ? []
      : [s("g", { transform: at(cell % board.columns, Math.floor(cell / board.columns)) }, shapesOf(code, board))]));
    this.#layers.field.replaceChildren(...joints(Uint8Array.from(codes, (code) => Math.max(0, code)), board, null), ...pieces);
  }

  #drawPiece(piece) {
    const codes = piece.map(([, , code]) => code).join();
    if (codes !== this.#shown.codes) {
      this.#halves = piece.map(([, , code]) => s("g", {}, shapesOf(code, this.#board)));
      this.#layers.piece.replaceChildren(...this.#halves);
      this.#shown.codes = codes;
    }
    const lowest = -aboveOf(this.#board);
    piece.forEach(([x, y], half) => {
      this.#halves[half].setAttribute("transform", at(x, y));
      this.#halves[half].style.display = y < lowest ? "none" : "";
    });
  }

  #drawPlan(plan) {
    const look = lookNow();
    const cells = plan?.cells.filter(([, , code]) => code < this.#board.letters.length) ?? [];
    this.#layers.plan.replaceChildren(...(plan === null ? [] : [...line(plan.way, look), ...ghost({ cells, kind: "best" }, this.#board, look)]));
  }
}
