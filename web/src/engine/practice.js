// Random boards to practise on, the same as `ochibot nyaa practice --seed N` deals. See calculator/practice.py.

import { CELLS, COLOURS, COLUMNS, EMPTY, NUISANCE, ROWS, needleOf, withCode } from "./grid.js";
import { attackRange } from "./ignite.js";
import { restingCells } from "./heat.js";

const KIN = 0.62;
const NUISANCE_SHARE = 0.06;

// The Mersenne Twister: the numbers of Python's random.Random(seed).random(). seed: below 2 ** 53.
export function dice(seed) {
  const state = new Uint32Array(624);
  const fill = (start) => {
    state[0] = start;
    for (let i = 1; i < 624; i += 1) {
      state[i] = Math.imul(1812433253, state[i - 1] ^ (state[i - 1] >>> 30)) + i;
    }
  };
  const key = seed > 0xffffffff ? [seed >>> 0, Math.floor(seed / 2 ** 32)] : [seed];
  fill(19650218);
  let [i, j] = [1, 0];
  for (let k = Math.max(624, key.length); k > 0; k -= 1) {
    state[i] = (state[i] ^ Math.imul(state[i - 1] ^ (state[i - 1] >>> 30), 1664525)) + key[j] + j;
    i += 1;
    j = (j + 1) % key.length;
    if (i === 624) [state[0], i] = [state[623], 1];
  }
  for (let k = 623; k > 0; k -= 1) {
    state[i] = (state[i] ^ Math.imul(state[i - 1] ^ (state[i - 1] >>> 30), 1566083941)) - i;
    i += 1;
    if (i === 624) [state[0], i] = [state[623], 1];
  }
  state[0] = 0x80000000;
  let at = 624;
  const next = () => {
    if (at === 624) {
      for (let k = 0; k < 624; k += 1) {
        const mixed = (state[k] & 0x80000000) | (state[(k + 1) % 624] & 0x7fffffff);
        state[k] = state[(k + 397) % 624] ^ (mixed >>> 1) ^ (mixed & 1 ? 0x9908b0df : 0);
      }
      at = 0;
    }
    let y = state[at];
    at += 1;
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  };
  return () => {
    const high = next() >>> 5;
    return (high * 67108864 + (next() >>> 6)) / 9007199254740992;
  };
}

const below = (roll, limit) => Math.floor(roll() * limit);

function randomBoard(roll, colours) {
  const cells = new Uint8Array(CELLS);
  const heights = Array.from({ length: COLUMNS }, () => 3 + below(roll, ROWS - 4));
  for (let row = ROWS - 1; row >= 0; row -= 1) {
    for (let column = 0; column < COLUMNS; column += 1) {
      if (ROWS - row > heights[column]) continue;
      const cell = row * COLUMNS + column;
      const kin = [];
      if (column > 0) kin.push(cells[cell - 1]);
      if (row < ROWS - 1) kin.push(cells[cell + COLUMNS]);
      const coloured = kin.filter((code) => code !== EMPTY && code !== NUISANCE);
      if (roll() < NUISANCE_SHARE) cells[cell] = NUISANCE;
      else if (coloured.length > 0 && roll() < KIN) cells[cell] = coloured[below(roll, coloured.length)];
      else cells[cell] = 1 + below(roll, colours);
    }
  }
  return cells;
}

const isSure = ({ low, high, complete }) => low === high && complete;

// The board of a seed, with 1 to 4 colours, and an MVS attack of at least `least` that no open tie makes uncertain.
export function practiceBoard(seed, colours = 4, least = 4) {
  const roll = dice(seed);
  for (;;) {
    const cells = randomBoard(roll, colours);
    const needles = [];
    for (const cell of restingCells(cells)) {
      for (const colour of COLOURS.slice(0, colours)) {
        const loaded = withCode(cells, cell, needleOf(colour));
        const found = attackRange(loaded, "mvs");
        if (found.high >= least && isSure(found) && isSure(attackRange(loaded, "ps2"))) {
          needles.push([found.low, loaded]);
        }
      }
    }
    if (needles.length > 0) {
      needles.sort(([a], [b]) => a - b);
      const upper = needles.slice(Math.floor(needles.length / 2));
      return upper[below(roll, upper.length)][1];
    }
  }
}
