// A board: a Uint8Array of 84 cells, row by row from the top. A cell's number is its place in LETTERS.

export const ROWS = 12;
export const COLUMNS = 7;
export const CELLS = ROWS * COLUMNS;
export const LETTERS = ".rgbyoRGBY";
export const NAMES = [
  "empty", "red block", "green block", "blue block", "yellow block", "nuisance",
  "red needle", "green needle", "blue needle", "yellow needle",
];
export const EMPTY = 0;
export const NUISANCE = 5;

export const isNeedle = (cell) => cell > NUISANCE;
export const isBlock = (cell) => cell > EMPTY && cell < NUISANCE;
export const colourOf = (cell) => (isNeedle(cell) ? cell - NUISANCE : cell);

// x from the left and y from the bottom, both from 1, as people count
export const columnOf = (index) => (index % COLUMNS) + 1;
export const rowOf = (index) => ROWS - Math.floor(index / COLUMNS);
export const indexOf = (x, y) => (ROWS - y) * COLUMNS + x - 1;

export function emptyBoard() {
  return new Uint8Array(CELLS);
}

export function toText(cells) {
  const rows = [];
  for (let start = 0; start < CELLS; start += COLUMNS) {
    rows.push(Array.from(cells.subarray(start, start + COLUMNS), (cell) => LETTERS[cell]).join(""));
  }
  return rows.join("\n");
}

// A text of exactly 12 lines, such as the server's; people's texts are read by the server.
export function fromText(text) {
  return Uint8Array.from(text.replaceAll("\n", ""), (letter) => LETTERS.indexOf(letter));
}

export function flipped(cells) {
  return Uint8Array.from(cells, (_, index) => cells[index - (index % COLUMNS) + COLUMNS - 1 - (index % COLUMNS)]);
}

export function same(one, other) {
  return one.every((cell, index) => cell === other[index]);
}

// The cells on the line between two cells, the first one left out: a fast stroke must have no gaps.
export function line(from, to) {
  const [fromX, fromY] = [from % COLUMNS, Math.floor(from / COLUMNS)];
  const [dx, dy] = [(to % COLUMNS) - fromX, Math.floor(to / COLUMNS) - fromY];
  const count = Math.max(Math.abs(dx), Math.abs(dy));
  return Array.from({ length: count }, (_, i) => {
    const part = (i + 1) / count;
    return (fromY + Math.round(dy * part)) * COLUMNS + fromX + Math.round(dx * part);
  });
}
