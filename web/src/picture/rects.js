// Rectangles [left, top, right, bottom].

export const area = ([left, top, right, bottom]) => Math.max(0, right - left) * Math.max(0, bottom - top);

// The share of the smaller one that both have.
export function overlap(one, other) {
  const both = area([Math.max(one[0], other[0]), Math.max(one[1], other[1]), Math.min(one[2], other[2]), Math.min(one[3], other[3])]);
  return both / Math.min(area(one), area(other));
}

// The share of two rectangles' area that both have.
export function likeness(one, other) {
  const both = overlap(one, other) * Math.min(area(one), area(other));
  return both / (area(one) + area(other) - both);
}

// Moved by so many cells of a grid.
export function shifted([left, top, right, bottom], x, y, { columns, rows }) {
  const [width, height] = [(right - left) / columns, (bottom - top) / rows];
  return [left + x * width, top + y * height, right + x * width, bottom + y * height];
}

// Whether a grid lies in a picture, but for half a cell.
export function isInside([left, top, right, bottom], { columns, rows }, { width, height }) {
  const [wide, high] = [(right - left) / columns / 2, (bottom - top) / rows / 2];
  return left > -wide && top > -high && right < width + wide && bottom < height + high;
}
