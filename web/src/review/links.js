// Addresses of the chain simulators that players use, as far as public programs show their formats.
//
// puyop.com: http://www.puyop.com/s/FIELD_PAIRS. Read in src/solver/puyop.cc of puyoai/puyoai (MIT), whose comments name the
// number of purple; another public program that writes such addresses agrees with it. FIELD is 13 rows of 6, the top row
// first; a character stands for two cells, 8 * left + right. Empty cells at the beginning are left out. PAIRS are two
// characters for each pair, the low six bits first: 5 * axis + partner + 128 * turn + 512 * column, with 0 for the column of a
// pair that isn't placed. A second character of 56 or more is falling nuisance. Other kinds of puyos need a longer form, which begins with "="; the first program doesn't write it,
// and here only its plain colours are read.
//
// Puyo Nexus: https://puyonexus.com/chainsim/?w=6&h=12&hr=1&chain=CELLS. Read in src/Service/LegacyChainParser.php and
// src/Controller/HomeController.php of puyonexus/puyosim (MIT). CELLS are in reading order, those at the beginning may be
// left out. Its newer addresses, /chain/ and a name, only name a field that the site has stored; they can't be read here.

import { EMPTY, FieldFault, emptyField } from "./field.js";

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ[]";
const PUYOP = "http://www.puyop.com/s/";
const NEXUS = "https://puyonexus.com/chainsim/";
const [ROWS, COLUMNS] = [13, 6];
// by our letters; cyan has no number in either
const PUYOP_LETTERS = ".RGBYPo";
const NEXUS_SIGNS = { "0": ".", "4": "R", "7": "G", "5": "B", "6": "Y", "8": "P", "1": "o" };
const SIGN_OF = Object.fromEntries(Object.entries(NEXUS_SIGNS).map(([sign, letter]) => [letter, sign]));
const [LEAST, MOST_ROWS] = [3, 26];
const [COLOURS, NUISANCE] = [5, 56];
const EXTRA = [[".", "["], ["-", "]"]];

function letterOf(code, board) {
  const letter = board.letters[code];
  if (!PUYOP_LETTERS.includes(letter)) throw new FieldFault("cyan");
  return letter;
}

const hasLinks = (board) => board.columns === COLUMNS && !board.needles;

// The address of a field and its pairs at puyop.com. Throws FieldFault where it can't say that.
export function puyopLink(cells, pairs, board) {
  if (!hasLinks(board)) throw new FieldFault("family");
  const extra = (board.rows - ROWS) * COLUMNS;
  if (cells.subarray(0, Math.max(0, extra)).some((code) => code !== EMPTY)) throw new FieldFault("tooHigh", ROWS);
  const numbers = Array.from(cells.subarray(extra), (code) => PUYOP_LETTERS.indexOf(letterOf(code, board)));
  let field = "";
  for (let at = 0; at < numbers.length; at += 2) {
    const number = 8 * numbers[at] + numbers[at + 1];
    if (number > 0 || field !== "") field += DIGITS[number];
  }
  const control = pairs.map((pair) => {
    const [axis, partner] = pair.map((code) => PUYOP_LETTERS.indexOf(letterOf(code, board)) - 1);
    const number = 5 * axis + partner;
    return DIGITS[number & 63] + DIGITS[number >> 6];
  }).join("");
  return `${PUYOP}${field}${control === "" ? "" : `_${control}`}`;
}

// The address of a field in the chain simulator of Puyo Nexus. Throws FieldFault.
export function nexusLink(cells, board) {
  if (!hasLinks(board)) throw new FieldFault("family");
  const signs = Array.from(cells, (code) => SIGN_OF[letterOf(code, board)]).join("");
  const [first, hidden] = [board.chain.kept, board.chain.grouping - board.chain.kept];
  const chain = signs.slice(first * COLUMNS).replace(/^0+/, "");
  const query = new URLSearchParams({ w: COLUMNS, h: board.rows - first - hidden, hr: hidden, chain: chain || "0" });
  return `${NEXUS}?${query}`;
}

const putBottom = (letters, board) => {
  const cells = emptyField(board);
  const least = cells.length - letters.length;
  [...letters].forEach((letter, at) => {
    const code = board.letters.indexOf(letter);
    if (code === EMPTY) return;
    if (least + at < 0) throw new FieldFault("rows", board.rows);
    cells[least + at] = code;
  });
  return cells;
};

function fromPuyop(rest, board) {
  const [field, control = ""] = decodeURIComponent(rest).split(/[?#]/)[0].split("_");
  const digits = (text) => [...EXTRA.reduce((all, [other, ours]) => all.replaceAll(other, ours), text)].map((sign) => {
    const digit = DIGITS.indexOf(sign);
    if (digit < 0) throw new FieldFault("damaged");
    return digit;
  });
  const long = field.startsWith("=");
  const numbers = digits(long ? field.slice(1) : field).flatMap((digit) => (long ? [digit] : [digit >> 3, digit & 7]));
  if (numbers.length > ROWS * COLUMNS) throw new FieldFault("damaged");
  if (numbers.some((number) => number >= PUYOP_LETTERS.length)) throw new FieldFault("kinds");
  const pairs = [];
  const signs = digits(control);
  for (let at = 0; at + 1 < signs.length; at += 2) {
    const colours = (signs[at] | (signs[at + 1] << 6)) & 127;
    // anything else is nuisance that falls
    if (colours >= COLOURS * COLOURS || signs[at + 1] >= NUISANCE) break;
    pairs.push([1 + Math.floor(colours / 5), 1 + (colours % 5)].map((number) => board.letters.indexOf(PUYOP_LETTERS[number])));
  }
  return { cells: putBottom(numbers.map((number) => PUYOP_LETTERS[number]), board), pairs };
}

function fromNexus(address, board) {
  if (/\/(chain|image)\/\w/.test(address.pathname)) throw new FieldFault("stored");
  const old = /^\?\?(?:\((\d+),(\d+)(?:,\d+)?\))?(\w+)/.exec(address.search);
  const asked = address.searchParams;
  const [width, height, chain] = old ? [old[1] ?? 6, old[2] ?? 12, old[3]] : [asked.get("w") ?? 6, asked.get("h") ?? 12, asked.get("chain")];
  if (chain === null || !/^[0-8ABC]+$/.test(chain)) throw new FieldFault("damaged");
  if (Number(width) !== COLUMNS || !(Number(height) >= LEAST && Number(height) <= MOST_ROWS)) throw new FieldFault("size", COLUMNS);
  const letters = [...chain].map((sign) => {
    if (!(sign in NEXUS_SIGNS)) throw new FieldFault("kinds");
    return NEXUS_SIGNS[sign];
  });
  return { cells: putBottom(letters, board), pairs: [] };
}

// Reads an address: {cells, pairs: codes}. Returns null for what is no address. Throws FieldFault.
export function fromLink(text, board) {
  const words = text.trim();
  const puyop = /^(?:https?:\/\/)?(?:www\.)?puyop\.com\/s\/(\S*)$/i.exec(words);
  const nexus = /^(?:https?:\/\/)?(?:www\.)?puyonexus\.(?:com|net)\/chainsim\/?\S*$/i.test(words);
  if (puyop === null && !nexus) {
    if (/^https?:/i.test(words)) throw new FieldFault("unknown");
    return null;
  }
  if (!hasLinks(board)) throw new FieldFault("family");
  if (puyop !== null) {
    try {
      return fromPuyop(puyop[1], board);
    } catch (error) {
      throw error instanceof URIError ? new FieldFault("damaged") : error;
    }
  }
  return fromNexus(new URL(words.startsWith("http") ? words : `https://${words}`), board);
}
