// Long straight edges in a picture, upright and level: the sides of a board's frame are among them.

const ROWS_A_STEP = 48;
// the least step in colour (red, green and blue added up) that counts as an edge
const LEAST_STEP = 36;
const MOST_LINES = 72;
// a gap in a line costs as much as this many pixels of it are worth
const GAP = 2;

// Where the colour changes from left to right, or (turned) from top to bottom.
export class Edges {
  // length: of a line across the picture; places: how many such lines there are
  constructor(places, length) {
    Object.assign(this, { places, length });
    // for each line, how many of its first pixels are on an edge
    this.counts = new Uint16Array(places * (length + 1));
    // and the sum of their steps in colour
    this.steps = new Uint32Array(places * (length + 1));
  }

  // Which share of a line between two points is on an edge.
  share(place, from, to) {
    const [first, last] = [Math.max(0, Math.round(from)), Math.min(this.length, Math.round(to))];
    if (last <= first) return 0;
    const at = place * (this.length + 1);
    return (this.counts[at + last] - this.counts[at + first]) / (last - first);
  }

  // The lines with the longest stretch of edge, by place. Beside a longer line, a clearer one counts, too: a frame has several.
  lines(least) {
    const [lengths, steps] = [new Int32Array(this.places), new Float64Array(this.places)];
    for (let place = 0; place < this.places; place += 1) {
      const at = place * (this.length + 1);
      let [sum, most, start] = [0, 0, 0];
      for (let y = 0; y < this.length; y += 1) {
        const isEdge = this.counts[at + y + 1] > this.counts[at + y];
        if (sum === 0) start = y;
        sum = Math.max(0, sum + (isEdge ? 1 : -GAP));
        if (sum > most) {
          most = sum;
          steps[place] = (this.steps[at + y + 1] - this.steps[at + start]) / (y + 1 - start);
        }
      }
      lengths[place] = most;
    }
    const peaks = [];
    const isPeak = (list, place) => list[place] >= (list[place - 1] ?? 0) && list[place] > (list[place + 1] ?? 0);
    for (let place = 0; place < this.places; place += 1) {
      if (lengths[place] >= least && (isPeak(lengths, place) || isPeak(steps, place))) peaks.push(place);
    }
    return peaks.sort((one, other) => lengths[other] - lengths[one]).slice(0, MOST_LINES).sort((one, other) => one - other);
  }
}

// Yields between steps; returns {upright, level}.
export function* edgesOf({ width, height, data }) {
  const found = {};
  for (const turned of [false, true]) {
    const [places, length] = turned ? [height, width] : [width, height];
    const [ahead, along] = turned ? [width * 4, 4] : [4, width * 4];
    const steps = new Uint8Array(places * length);
    for (let place = 0; place < places; place += 1) {
      const [far, near] = [Math.max(0, place - 2), Math.max(0, place - 1)];
      const next = Math.min(places - 1, place + 1);
      for (let at = 0; at < length; at += 1) {
        let sum = 0;
        const line = at * along;
        for (let channel = 0; channel < 3; channel += 1) {
          const before = data[line + far * ahead + channel] + data[line + near * ahead + channel];
          const after = data[line + place * ahead + channel] + data[line + next * ahead + channel];
          sum += Math.abs(after - before);
        }
        steps[place * length + at] = Math.min(255, sum >> 1);
      }
      if (place % ROWS_A_STEP === 0) yield;
    }
    const edges = new Edges(places, length);
    for (let place = 0; place < places; place += 1) {
      const to = place * (length + 1);
      for (let at = 0; at < length; at += 1) {
        const step = steps[place * length + at];
        edges.counts[to + at + 1] = edges.counts[to + at] + (step >= LEAST_STEP ? 1 : 0);
        edges.steps[to + at + 1] = edges.steps[to + at] + step;
      }
      if (place % ROWS_A_STEP === 0) yield;
    }
    found[turned ? "level" : "upright"] = edges;
  }
  return found;
}
