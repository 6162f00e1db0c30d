// A quick measure of how well a grid fits a rectangle: as lattice.js, but on single pixels, and at the price of a few look-ups.

const ROWS_A_STEP = 48;

// How much the colour changes from above to below each pixel (or, turned, from left to right), summed over rectangles.
class Changes {
  constructor({ width, height }) {
    Object.assign(this, { width, height, stride: width + 1 });
    this.sums = new Uint32Array(this.stride * (height + 1));
  }

  // The mean over a rectangle, whose sides are rounded.
  mean(left, top, right, bottom) {
    const { sums, stride } = this;
    const [x0, y0] = [Math.max(0, Math.round(left)), Math.max(0, Math.round(top))];
    const [x1, y1] = [Math.min(this.width, Math.round(right)), Math.min(this.height, Math.round(bottom))];
    if (x1 <= x0 || y1 <= y0) return 0;
    return (sums[y1 * stride + x1] - sums[y0 * stride + x1] - sums[y1 * stride + x0] + sums[y0 * stride + x0]) / ((x1 - x0) * (y1 - y0));
  }
}

function* changes({ width, height, data }, turned) {
  const made = new Changes({ width, height });
  const step = turned ? 4 : width * 4;
  const [lastX, lastY] = turned ? [width - 2, height - 1] : [width - 1, height - 2];
  for (let y = 0; y < height; y += 1) {
    let row = 0;
    const to = (y + 1) * made.stride + 1;
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 4;
      const [before, after] = [x === 0 || y === 0 ? at : at - step, x > lastX || y > lastY ? at : at + step];
      row += Math.abs(data[after] - data[before]) + Math.abs(data[after + 1] - data[before + 1]) + Math.abs(data[after + 2] - data[before + 2]);
      made.sums[to + x] = made.sums[to + x - made.stride] + row;
    }
    if (y % ROWS_A_STEP === 0) yield;
  }
  return made;
}

// pixels: {width, height, data (RGBA)}. Yields between steps.
export function* changesOf(pixels) {
  return { width: pixels.width, height: pixels.height, down: yield* changes(pixels, false), across: yield* changes(pixels, true) };
}

// Between 1 (no change along the lines between cells) and less than 0, for the upright and the level lines.
export function quickFit({ down, across }, [left, top, right, bottom], { columns, rows }) {
  const [width, height] = [(right - left) / columns, (bottom - top) / rows];
  const [thick, thin] = [Math.max(1, width / 16), Math.max(1, height / 16)];
  let [upright, level] = [0, 0];
  for (let column = 1; column < columns; column += 1) {
    const x = left + column * width;
    upright += down.mean(x - thick, top, x + thick, bottom);
  }
  for (let row = 1; row < rows; row += 1) {
    const y = top + row * height;
    level += across.mean(left, y - thin, right, y + thin);
  }
  // the frame's own lines don't count
  const inside = [left + width / 2, top + height / 2, right - width / 2, bottom - height / 2];
  const contrast = (cut, all) => (all === 0 ? 0 : 1 - cut / all);
  return {
    upright: contrast(upright / (columns - 1), down.mean(inside[0], top, inside[2], bottom)),
    level: contrast(level / (rows - 1), across.mean(left, inside[1], right, inside[3])),
  };
}
