// A board as a few characters of an address. bot/ochibot/ui/web/share.py describes the format.

import { CELLS, COLUMNS, ROWS } from "../engine/grid.js";

const VERSION = "1";
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const BASE = BigInt(ALPHABET.length);
const LONGEST = 47;

// what: the name of the message, in the texts' errors
export class LinkError extends Error {
  constructor(what) {
    super(what);
    this.what = what;
  }
}

// the cells from the bottom left, row by row
const order = Array.from({ length: CELLS }, (_, i) => (ROWS - 1 - Math.floor(i / COLUMNS)) * COLUMNS + (i % COLUMNS));

export function encode(cells) {
  let number = BigInt(order.map((cell) => cells[cell]).reverse().join(""));
  let code = "";
  for (; number > 0n; number /= BASE) code = ALPHABET[Number(number % BASE)] + code;
  return VERSION + code;
}

export function decode(code) {
  if (!code.startsWith(VERSION)) throw new LinkError("linkFormat");
  const damaged = new LinkError("linkDamaged");
  const payload = code.slice(VERSION.length);
  if (payload.length > LONGEST || payload.startsWith(ALPHABET[0])) throw damaged;
  let number = 0n;
  for (const sign of payload) {
    const digit = ALPHABET.indexOf(sign);
    if (digit < 0) throw damaged;
    number = number * BASE + BigInt(digit);
  }
  const digits = number.toString();
  if (digits.length > CELLS) throw damaged;
  const cells = new Uint8Array(CELLS);
  [...digits].reverse().forEach((digit, i) => {
    cells[order[i]] = Number(digit);
  });
  return cells;
}
