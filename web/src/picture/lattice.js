// How well a grid of cells fits a rectangle of the picture. Pieces lie inside their cells, so along the lines between cells
// the colour changes less than along the cells' middles.

export const SIDE = 12;

// rect: [left, top, right, bottom], with fractions of pixels. Returns the cells' colours: SIDE x SIDE samples a cell, as one
// picture of columns * SIDE x rows * SIDE samples with three channels.
export function sampled(sums, rect, { columns, rows }) {
  return sums.parts(...rect, columns * SIDE, rows * SIDE);
}

// How much colours change along the lines of each phase: SIDE numbers for upright lines, and SIDE for level ones.
function changes(samples, { columns, rows }) {
  const [width, height] = [columns * SIDE, rows * SIDE];
  const upright = new Float64Array(SIDE);
  const level = new Float64Array(SIDE);
  const stride = width * 3;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = y * stride + x * 3;
      const [column, row] = [x % SIDE, y % SIDE];
      // the outer half cells touch the frame, which may be anything
      if (y + 1 < height && x >= SIDE / 2 && x < width - SIDE / 2) {
        upright[column] += Math.abs(samples[at + stride] - samples[at]) + Math.abs(samples[at + stride + 1] - samples[at + 1])
          + Math.abs(samples[at + stride + 2] - samples[at + 2]);
      }
      if (x + 1 < width && y >= SIDE / 2 && y < height - SIDE / 2) {
        level[row] += Math.abs(samples[at + 3] - samples[at]) + Math.abs(samples[at + 4] - samples[at + 1])
          + Math.abs(samples[at + 5] - samples[at + 2]);
      }
    }
  }
  return { upright, level };
}

const mean = (list) => list.reduce((sum, one) => sum + one, 0) / list.length;

function contrast(phases) {
  const all = mean(phases);
  return all === 0 ? 0 : 1 - (phases[0] + phases[SIDE - 1]) / 2 / all;
}

// 1 if no colour changes along the lines between cells, 0 or less if as much as elsewhere; also how much changes in all.
export function fit(sums, rect, size) {
  const samples = sampled(sums, rect, size);
  const { upright, level } = changes(samples, size);
  const life = (mean(upright) + mean(level)) / (size.columns * size.rows * SIDE);
  return { upright: contrast(upright), level: contrast(level), life };
}

const FIRST_STEP = 0.16;
const LAST_STEP = 0.015;

// Moves the rectangle's sides by fractions of a cell to where the grid fits best.
export function* refined(sums, rect, size, most = 0.34) {
  const cell = [(rect[2] - rect[0]) / size.columns, (rect[3] - rect[1]) / size.rows];
  const worth = (one) => {
    const { upright, level } = fit(sums, one, size);
    return upright + level;
  };
  let [best, bestWorth] = [[...rect], worth(rect)];
  for (let step = FIRST_STEP; step >= LAST_STEP; step /= 2) {
    for (const [dx, dy, wx, wy] of [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]) {
      for (const sign of [-1, 1]) {
        const [x, y] = [sign * step * cell[0], sign * step * cell[1]];
        // shifted, or stretched about the middle
        const moved = [best[0] + dx * x - wx * x, best[1] + dy * y - wy * y, best[2] + dx * x + wx * x, best[3] + dy * y + wy * y];
        const isNear = moved.every((side, at) => Math.abs(side - rect[at]) <= most * cell[at % 2]);
        const found = isNear ? worth(moved) : -Infinity;
        if (found > bestWorth + 0.002) [best, bestWorth] = [moved, found];
      }
      yield;
    }
  }
  return best;
}
