// A field: 84 codes in reading order, the hidden row first, as in bot/ochibot/puyo/rules/field.py. A code is a letter's
// place in LETTERS. The kernels take boards: six words, each with 16 bits for a column.

export const ROWS = 14;
export const COLUMNS = 6;
export const CELLS = ROWS * COLUMNS;
export const LETTERS = ".RGBYPCo";
export const COLORS = [1, 2, 3, 4, 5, 6];
export const NUISANCE = 7;
export const WORDS = 6;
const BITS = 3;

// Reads a field: rows from the top, each of six letters, with white space or "/" between them; or all 84 letters in a
// row. Fewer rows are the lower part of the field. Throws an Error.
export function parseField(text) {
  const rows = text.split(/[\s/]+/).filter((row) => row !== "");
  if (rows.length > 1 && rows.some((row) => row.length !== COLUMNS)) throw new Error("a row of a field has six letters");
  const letters = rows.join("");
  if (letters.length % COLUMNS !== 0 || letters.length > CELLS) {
    throw new Error(`a field has up to ${ROWS} rows of ${COLUMNS} letters`);
  }
  const codes = new Uint8Array(CELLS);
  for (let at = 0; at < letters.length; at += 1) {
    const code = LETTERS.indexOf(letters[at]);
    if (code < 0) throw new Error(`"${letters[at]}" is none of the letters ${LETTERS}`);
    codes[CELLS - letters.length + at] = code;
  }
  return codes;
}

// The field's 84 letters, without white space.
export function formatField(codes) {
  return Array.from(codes, (code) => LETTERS[code]).join("");
}

// Reads a pair: two letters, the axis first. Throws an Error.
export function parsePair(text) {
  const codes = Array.from(text, (letter) => LETTERS.indexOf(letter));
  if (codes.length !== 2 || codes.some((code) => !COLORS.includes(code))) {
    throw new Error(`"${text}" is no pair: give two of the letters ${LETTERS.slice(1, NUISANCE)}, the axis first`);
  }
  return codes;
}

// Writes a field's words to a view of a kernel's array, from an index on.
export function writeBoard(codes, view, at = 0) {
  const halves = new Uint32Array(2 * WORDS);
  for (let cell = 0; cell < CELLS; cell += 1) {
    const code = codes[cell];
    if (code === 0) continue;
    const column = cell % COLUMNS;
    const row = ROWS - 1 - (cell - column) / COLUMNS;
    const half = column >> 1;
    for (let bit = 0; bit < BITS; bit += 1) {
      // words 0, 2, 4 hold columns 1 to 4, words 1, 3, 5 the others; each word is two halves of two columns
      if ((code >> bit) & 1) halves[4 * bit + half] |= 1 << (16 * (column & 1) + row);
    }
  }
  for (let word = 0; word < WORDS; word += 1) {
    view[at + word] = (BigInt(halves[2 * word + 1]) << 32n) | BigInt(halves[2 * word]);
  }
}

// The field of six words in a view of a kernel's array.
export function readBoard(view, at = 0) {
  const codes = new Uint8Array(CELLS);
  for (let word = 0; word < WORDS; word += 1) {
    const bit = word >> 1;
    const both = view[at + word];
    const halves = [Number(both & 0xffffffffn), Number(both >> 32n)];
    for (let half = 0; half < 2; half += 1) {
      let rest = halves[half];
      while (rest !== 0) {
        const place = 31 - Math.clz32(rest & -rest);
        rest &= rest - 1;
        const column = 4 * (word & 1) + 2 * half + (place >> 4);
        codes[(ROWS - 1 - (place & 15)) * COLUMNS + column] |= 1 << bit;
      }
    }
  }
  return codes;
}

// The six words as 48 bytes, for a checksum.
export function boardBytes(codes) {
  const words = new BigUint64Array(WORDS);
  writeBoard(codes, words);
  return new Uint8Array(words.buffer);
}

export function countPuyos(codes) {
  return codes.reduce((sum, code) => sum + (code !== 0), 0);
}

// The row of each column's highest puyo, from 1 at the floor; 0 if the column is empty.
export function heights(codes) {
  const found = [];
  for (let x = 0; x < COLUMNS; x += 1) {
    let y = 0;
    while (y < ROWS && codes[y * COLUMNS + x] === 0) y += 1;
    found.push(ROWS - y);
  }
  return found;
}

// The field after all that floats has dropped.
export function dropped(codes) {
  const after = new Uint8Array(CELLS);
  for (let x = 0; x < COLUMNS; x += 1) {
    let floor = ROWS - 1;
    for (let y = ROWS - 1; y >= 0; y -= 1) {
      const code = codes[y * COLUMNS + x];
      if (code !== 0) {
        after[floor * COLUMNS + x] = code;
        floor -= 1;
      }
    }
  }
  return after;
}
