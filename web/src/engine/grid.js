// A board: a Uint8Array of 84 cells in reading order, top row first. A cell's code is its place in LETTERS.
// The engine works as bot/ochibot/nyaa does, in the same order, so that both give the same answer for every board.

export const ROWS = 12;
export const COLUMNS = 7;
export const CELLS = ROWS * COLUMNS;
export const LETTERS = ".rgbyoRGBY";
export const EMPTY = 0;
export const NUISANCE = 5;
export const COLOURS = [1, 2, 3, 4];
export const RULESETS = ["mvs", "ps2"];

// The rules of configs/rules/nyaa_mvs.yaml and nyaa_ps2.yaml that the calculator needs; a test compares them.
export const RULES = {
  spawn_column: 4, over_cell: [4, 12], idle_needle: "block", nuisance_pops: true, nuisance_each: 1, offset: true,
  most_pending: 255, most_per_fall: 21,
};

export const isNeedle = (code) => code > NUISANCE;
export const isBlock = (code) => code > EMPTY && code < NUISANCE;
export const colourOf = (code) => (isNeedle(code) ? code - NUISANCE : code);
export const needleOf = (colour) => colour + NUISANCE;

// x from the left and y from the floor, both from 1, as people count
export const columnOf = (cell) => (cell % COLUMNS) + 1;
export const rowOf = (cell) => ROWS - Math.floor(cell / COLUMNS);
export const cellAt = (x, y) => (ROWS - y) * COLUMNS + x - 1;
export const placeOf = (cell) => [columnOf(cell), rowOf(cell)];

// Each cell's neighbours, in reading order: above, left, right, below.
export const NEAR = Array.from({ length: CELLS }, (_, cell) => {
  const column = cell % COLUMNS;
  return [
    cell - COLUMNS,
    column > 0 ? cell - 1 : -1,
    column < COLUMNS - 1 ? cell + 1 : -1,
    cell + COLUMNS < CELLS ? cell + COLUMNS : -1,
  ].filter((near) => near >= 0);
});

export const emptyBoard = () => new Uint8Array(CELLS);
export const same = (one, other) => one.every((code, cell) => code === other[cell]);
export const hasNeedle = (cells) => cells.some(isNeedle);

export function withCode(cells, cell, code) {
  const copy = cells.slice();
  copy[cell] = code;
  return copy;
}

export function toText(cells) {
  const rows = [];
  for (let start = 0; start < CELLS; start += COLUMNS) {
    rows.push(Array.from(cells.subarray(start, start + COLUMNS), (code) => LETTERS[code]).join(""));
  }
  return rows.join("\n");
}

export class BoardError extends Error {
  // what: "letter", "width", "rows" or "empty"; line and column count from 1
  constructor(what, details) {
    super(`${what} ${JSON.stringify(details)}`);
    Object.assign(this, { what, details });
  }
}

// Reads a drawn board, as Grid.parse does: rows from the top; if they are fewer than 12, they are the lowest ones. Spaces,
// and the row and column numbers that the command draws, are ignored. Throws BoardError.
export function parse(text) {
  const codes = [];
  text.split(/\r\n|\r|\n/).forEach((line, number) => {
    const bare = line.replace(/^\s*\d{1,2}\s+(?!\s*[2-7]\b)/, (number) => " ".repeat(number.length));
    const drawn = [...bare].map((letter, at) => ({ letter, column: at + 1 })).filter(({ letter }) => !/\s/.test(letter));
    if (drawn.length === 0 || drawn.map(({ letter }) => letter).join("") === "1234567") return;
    const where = { line: number + 1 };
    if (codes.length === CELLS) throw new BoardError("rows", where);
    for (const { letter, column } of drawn.slice(0, COLUMNS)) {
      const code = LETTERS.indexOf(letter);
      if (code < 0) throw new BoardError("letter", { ...where, column, letter });
      codes.push(code);
    }
    if (drawn.length !== COLUMNS) throw new BoardError("width", { ...where, width: drawn.length });
  });
  if (codes.length === 0) throw new BoardError("empty", {});
  const cells = emptyBoard();
  cells.set(codes, CELLS - codes.length);
  return cells;
}

export function flipped(cells) {
  return Uint8Array.from(cells, (_, cell) => cells[cell - (cell % COLUMNS) + COLUMNS - 1 - (cell % COLUMNS)]);
}
