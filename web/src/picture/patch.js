// What a cell looks like: its colours, sampled in a small square, as brightness and two differences of colours.

import { SIDE, sampled } from "./lattice.js";

export const PATCH = SIDE * SIDE * 3;
// a cell is thought to be empty if it is less lively than this share of the liveliest
export const EMPTY_LIFE = 0.4;
const REACH = 1;

// Pieces that touch may be joined, so the middle of a cell says more than its rim.
const WEIGHTS = Float32Array.from({ length: SIDE * SIDE }, (_, at) => {
  const [x, y] = [(at % SIDE) - (SIDE - 1) / 2, Math.floor(at / SIDE) - (SIDE - 1) / 2];
  return Math.max(0.15, 1.1 - (Math.max(Math.abs(x), Math.abs(y)) / SIDE) * 1.9);
});

const byte = (value) => Math.min(255, Math.max(0, Math.round(value)));

// The patches of all cells of a board in a picture, in reading order.
export function patchesOf(sums, rect, size) {
  const samples = sampled(sums, rect, size);
  const patches = [];
  const stride = size.columns * SIDE * 3;
  for (let row = 0; row < size.rows; row += 1) {
    for (let column = 0; column < size.columns; column += 1) {
      const patch = new Uint8Array(PATCH);
      for (let at = 0; at < SIDE * SIDE; at += 1) {
        const from = (row * SIDE + Math.floor(at / SIDE)) * stride + (column * SIDE + (at % SIDE)) * 3;
        const [red, green, blue] = [samples[from], samples[from + 1], samples[from + 2]];
        patch[at * 3] = byte((red + 2 * green + blue) / 4);
        patch[at * 3 + 1] = byte((red - green) / 2 + 128);
        patch[at * 3 + 2] = byte(((red + green) / 2 - blue) / 2 + 128);
      }
      patches.push(patch);
    }
  }
  return patches;
}

// How different two patches are, 0 to some 255, where they fit best when one is moved by a sample. Stops counting beyond most.
export function distance(one, other, most = Infinity) {
  let best = most;
  for (let dy = -REACH; dy <= REACH; dy += 1) {
    for (let dx = -REACH; dx <= REACH; dx += 1) {
      let [sum, weights] = [0, 0];
      for (let y = REACH; y < SIDE - REACH; y += 1) {
        for (let x = REACH; x < SIDE - REACH; x += 1) {
          const at = y * SIDE + x;
          const [a, b] = [at * 3, ((y + dy) * SIDE + x + dx) * 3];
          const step = 0.5 * Math.abs(one[a] - other[b]) + Math.abs(one[a + 1] - other[b + 1]) + Math.abs(one[a + 2] - other[b + 2]);
          sum += step * WEIGHTS[at];
          weights += WEIGHTS[at];
        }
        // all weights add up to about a third of the samples
        if (sum > best * SIDE * SIDE) break;
      }
      best = Math.min(best, sum / weights);
    }
  }
  return best;
}

// How lively a patch is, and its mean colour where it has most of it.
export function looks(patch) {
  let [sum, weights, red, blue, light] = [0, 0, 0, 0, 0];
  for (let at = 0; at < SIDE * SIDE; at += 1) {
    sum += patch[at * 3] * WEIGHTS[at];
    weights += WEIGHTS[at];
  }
  const mean = sum / weights;
  let life = 0;
  for (let at = 0; at < SIDE * SIDE; at += 1) {
    const [a, b] = [patch[at * 3 + 1] - 128, patch[at * 3 + 2] - 128];
    const weight = WEIGHTS[at];
    life += weight * (Math.abs(patch[at * 3] - mean) + Math.hypot(a, b));
    red += weight * a;
    blue += weight * b;
    light += weight * patch[at * 3];
  }
  return { life: life / weights, a: red / weights, b: blue / weights, light: light / weights };
}
