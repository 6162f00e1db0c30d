// A picture's pixels, and the mean colour of any part of it at the price of four look-ups (sums over rectangles).

const ROWS_A_STEP = 48;

// The sums of red, green and blue over the pixels above and left of each pixel's corner.
export class Sums {
  constructor(width, height) {
    Object.assign(this, { width, height, stride: (width + 1) * 3 });
    this.sums = new Uint32Array(this.stride * (height + 1));
  }

  // The sums up to a point between pixels, into three entries of a list. Points outside count as the nearest edge.
  #upTo(x, y, into) {
    const { sums, stride, width, height } = this;
    const [left, top] = [Math.min(Math.max(x, 0), width), Math.min(Math.max(y, 0), height)];
    const [column, row] = [Math.min(Math.floor(left), width - 1), Math.min(Math.floor(top), height - 1)];
    const [right, below] = [left - column, top - row];
    const at = row * stride + column * 3;
    for (let channel = 0; channel < 3; channel += 1) {
      const [a, b] = [sums[at + channel], sums[at + 3 + channel]];
      const [c, d] = [sums[at + stride + channel], sums[at + stride + 3 + channel]];
      into[channel] = (a * (1 - right) + b * right) * (1 - below) + (c * (1 - right) + d * right) * below;
    }
  }

  // Cuts a rectangle into columns x rows equal parts: the mean colours of all, row by row, in a Float32Array of three each.
  // Parts outside the picture have the colour of its nearest edge.
  parts(left, top, right, bottom, columns, rows) {
    const means = new Float32Array(columns * rows * 3);
    const [width, height] = [(right - left) / columns, (bottom - top) / rows];
    const corner = [new Float64Array((columns + 1) * 3), new Float64Array((columns + 1) * 3)];
    const point = [0, 0, 0];
    const fill = (line, y) => {
      for (let column = 0; column <= columns; column += 1) {
        this.#upTo(this.#inside(left + column * width, this.width), y, point);
        line.set(point, column * 3);
      }
    };
    fill(corner[0], this.#inside(top, this.height));
    for (let row = 0; row < rows; row += 1) {
      const [above, below] = [corner[row % 2], corner[(row + 1) % 2]];
      const [y0, y1] = [this.#inside(top + row * height, this.height), this.#inside(top + (row + 1) * height, this.height)];
      fill(below, y1);
      for (let column = 0; column < columns; column += 1) {
        const x0 = this.#inside(left + column * width, this.width);
        const x1 = this.#inside(left + (column + 1) * width, this.width);
        const area = (x1 - x0) * (y1 - y0);
        for (let channel = 0; channel < 3; channel += 1) {
          const at = column * 3 + channel;
          const sum = below[at + 3] - below[at] - above[at + 3] + above[at];
          means[(row * columns + column) * 3 + channel] = area > 1e-6 ? sum / area : 0;
        }
      }
    }
    return means;
  }

  #inside(value, most) {
    return Math.min(Math.max(value, 0), most);
  }
}

// pixels: {width, height, data (RGBA)}. Yields between steps.
export function* sumsOf({ width, height, data }) {
  const made = new Sums(width, height);
  const { sums, stride } = made;
  for (let y = 0; y < height; y += 1) {
    let [red, green, blue] = [0, 0, 0];
    const above = y * stride + 3;
    const here = above + stride;
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 4;
      red += data[at];
      green += data[at + 1];
      blue += data[at + 2];
      sums[here + x * 3] = sums[above + x * 3] + red;
      sums[here + x * 3 + 1] = sums[above + x * 3 + 1] + green;
      sums[here + x * 3 + 2] = sums[above + x * 3 + 2] + blue;
    }
    if (y % ROWS_A_STEP === 0) yield;
  }
  return made;
}
