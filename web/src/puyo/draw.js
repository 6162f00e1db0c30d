// Random futures, the same as those of bot/ochibot/puyo/search/chain/draw.py.

import { COLORS, boardBytes } from "./field.js";

const MASK = 0xffffffffffffffffn;
const GAMMA = 0x9e3779b97f4a7c15n;
const BAG = 4;
const CRC = Uint32Array.from({ length: 256 }, (_, number) => {
  let rest = number;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? 0xedb88320 ^ (rest >>> 1) : rest >>> 1;
  return rest;
});

// The checksum CRC-32 of bytes. before: the checksum of the bytes before them.
export function crc32(bytes, before = 0) {
  let rest = ~before;
  for (const byte of bytes) rest = CRC[(rest ^ byte) & 255] ^ (rest >>> 8);
  return ~rest >>> 0;
}

// A random generator (SplitMix64), begun with any number of whole numbers.
class Draw {
  constructor(...numbers) {
    this.state = 0n;
    for (const number of numbers) this.state = this.next() ^ (BigInt(number) & MASK);
  }

  below(limit) {
    return Number(((this.next() >> 32n) * BigInt(limit)) >> 32n);
  }

  next() {
    this.state = (this.state + GAMMA) & MASK;
    let mixed = ((this.state ^ (this.state >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
    mixed = ((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn) & MASK;
    return mixed ^ (mixed >> 31n);
  }
}

// The colours that the game may deal, sorted: all that are seen, and if these are fewer than count, the unseen ones with
// the lowest codes.
export function palette(codes, pairs, count) {
  const seen = new Set([...codes, ...pairs.flat()]);
  const known = COLORS.filter((color) => seen.has(color));
  const others = COLORS.filter((color) => !seen.has(color));
  return [...known, ...others].slice(0, Math.max(count, known.length)).sort();
}

function future(colors, length, draw) {
  const puyos = [];
  while (puyos.length < 2 * length) {
    const bag = Array.from({ length: BAG }, () => colors).flat();
    for (let last = bag.length - 1; last > 0; last -= 1) {
      const other = draw.below(last + 1);
      [bag[last], bag[other]] = [bag[other], bag[last]];
    }
    puyos.push(...bag);
  }
  return Array.from({ length }, (_, number) => [puyos[2 * number], puyos[2 * number + 1]]);
}

// Random futures that follow the visible pairs. colors: how many the game deals.
export function futuresOf(codes, pairs, colors, length, count, seed) {
  const draw = new Draw(seed, crc32(boardBytes(codes)), ...pairs.flat());
  const dealt = palette(codes, pairs, colors);
  return Array.from({ length: count }, () => future(dealt, length, draw));
}
