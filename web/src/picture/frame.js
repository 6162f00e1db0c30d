// The frame around a board: along each side, what lies outside differs from what lies inside, everywhere in the same way.
// Between two rows of pieces the differences go either way, and cancel out.

const SAMPLES = 40;
// strips along a side, in cells: outside from and to, inside from and to
const OUTSIDE = [-0.18, -0.04];
const INSIDE = [0.04, 0.18];
// a difference in colour (of red, green and blue together) that is a whole frame; and the share that a side counts for which
// is the picture's own border
const WHOLE = 100;
const AT_BORDER = 0.75;

// at: the side's place. sign: 1 if the board lies at greater places. cut(from, to): the samples of a strip between two places.
function difference(cut, at, sign, cell) {
  const strip = ([from, to]) => {
    const ends = [at + sign * from * cell, at + sign * to * cell];
    return cut(Math.min(...ends), Math.max(...ends));
  };
  const [outside, inside] = [strip(OUTSIDE), strip(INSIDE)];
  let sum = 0;
  for (let channel = 0; channel < 3; channel += 1) {
    let step = 0;
    for (let sample = 0; sample < SAMPLES; sample += 1) step += outside[sample * 3 + channel] - inside[sample * 3 + channel];
    sum += Math.abs(step) / SAMPLES;
  }
  return Math.min(1, sum / WHOLE);
}

// Between 0 and 4, by how many sides the rectangle has.
export function frameOf(sums, [left, top, right, bottom], { columns, rows }) {
  const [width, height] = [(right - left) / columns, (bottom - top) / rows];
  const upright = (from, to) => sums.parts(from, top, to, bottom, 1, SAMPLES);
  const level = (from, to) => sums.parts(left, from, right, to, SAMPLES, 1);
  const side = (cut, at, sign, cell, most) =>
    (at < cell * 0.3 || at > most - cell * 0.3 ? AT_BORDER : difference(cut, at, sign, cell));
  return side(upright, left, 1, width, sums.width) + side(upright, right, -1, width, sums.width)
    + side(level, top, 1, height, sums.height) + side(level, bottom, -1, height, sums.height);
}
