// Fields: a Uint8Array of codes in reading order, the top row first. A code is a letter's place in the board's letters.
//
// board: what a review says about its field, see docs/review-page.md: {columns, rows, hidden, letters, spawn, axis_top,
// partner_top, kicks, quick_turn, turns, needles, chain}. Rows count from the top from 0; those above the drawn field are negative.

export const EMPTY = 0;

export const emptyField = (board) => new Uint8Array(board.columns * board.rows);

// rows: strings of letters, the top one first
export function fieldOf(rows, board) {
  const cells = emptyField(board);
  rows.join("").split("").forEach((letter, at) => {
    cells[at] = Math.max(0, board.letters.indexOf(letter));
  });
  return cells;
}

export function rowsOf(cells, board) {
  const text = Array.from(cells, (code) => board.letters[code]).join("");
  return Array.from({ length: board.rows }, (_, row) => text.slice(row * board.columns, (row + 1) * board.columns));
}

// The letters of a field without the empty rows at its top.
export function textOf(cells, board) {
  const rows = rowsOf(cells, board);
  const first = rows.findIndex((row) => row !== ".".repeat(board.columns));
  return first < 0 ? "" : rows.slice(first).join("\n");
}

// what: the name of a message in the texts' faults
export class FieldFault extends Error {
  constructor(what, ...details) {
    super(what);
    Object.assign(this, { what, details });
  }
}

// Reads rows of letters, divided by line ends or "/"; they are the lowest rows of the field. Case doesn't matter where the
// board's letters don't need it. Throws FieldFault.
export function parseField(text, board) {
  const rows = text.trim().split(/[\s/]+/).filter((row) => row !== "");
  if (rows.length > board.rows) throw new FieldFault("rows", board.rows);
  const cells = emptyField(board);
  const start = board.rows - rows.length;
  rows.forEach((row, y) => {
    if (row.length !== board.columns) throw new FieldFault("width", y + 1, board.columns);
    [...row].forEach((letter, x) => {
      const code = codeOf(letter, board);
      if (code < 0) throw new FieldFault("letter", letter, board.letters);
      cells[(start + y) * board.columns + x] = code;
    });
  });
  return cells;
}

function codeOf(letter, board) {
  if (letter === "-" || letter === "_" || letter === "0") return EMPTY;
  const exact = board.letters.indexOf(letter);
  if (exact >= 0 || board.needles) return exact;
  return board.letters.toLowerCase().indexOf(letter.toLowerCase());
}

// A pair's two letters as codes, the axis first.
export const pairOf = (letters, board) => [...letters].map((letter) => board.letters.indexOf(letter));

export const nuisanceOf = (board) => board.letters.indexOf("o");
const isNeedle = (code, board) => board.needles && code > nuisanceOf(board);
export const isColour = (code, board) => code > EMPTY && code !== nuisanceOf(board) && !isNeedle(code, board);

// The colours that pairs may have.
export const coloursOf = (board) => Array.from(board.letters, (_, code) => code).filter((code) => isColour(code, board));
