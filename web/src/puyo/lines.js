// The line that follows a place: the best places for the other visible pairs, and the chain that is then in reach.

import { maskOf } from "./referee.js";

// Tries all places of the other visible pairs. The line ends with the best chain that they set off or with the best last
// field, by the values of the player: square roots of points, and the field's shape.
//
// first: the place that the line begins with, with its outcome. pairs: the visible ones. dealt: the colours of the game.
// Returns {steps: [{pair, x, y, orientation, lock, field, score, chain, gameOver}], reach: the chain in reach of the last
// field, or null}. steps[0] is the place itself.
export function lineOf(referee, given, first, pairs, dealt) {
  const { deciding, weights } = given;
  let layer = [[first]];
  const ends = [];
  pairs.slice(1).forEach((pair, number) => {
    const next = new Map();
    for (const line of layer) {
      const { field } = line.at(-1);
      const locks = referee.locksOf(field, pair);
      const outcomes = referee.resolveAll(locks.map((place) => referee.withPair(field, pair, place)));
      locks.forEach(({ state, ...place }, at) => {
        const step = { ...place, ...outcomes[at] };
        if (step.gameOver) return;
        const longer = [...line, step];
        if (step.chain > 0) ends.push({ line: longer, points: step.score * deciding.later ** (number + 1) });
        const key = String.fromCharCode(...step.field);
        if (!next.has(key)) next.set(key, longer);
      });
    }
    if (next.size > 0) layer = [...next.values()];
  });
  if (first.chain > 0) ends.push({ line: [first], points: first.score });
  const potentials = referee.potentials(layer.map((line) => line.at(-1).field), maskOf(dealt));
  let best = null;
  const offer = (line, value) => {
    if (best === null || value > best.value) best = { line, value };
  };
  potentials.forEach(({ score, puyos, shape }, at) => {
    const reach = Math.sqrt(score);
    const stands = (shape + weights[1] * Math.max(0, puyos - 1)) / weights[0];
    const waste = layer[at].reduce((sum, step) => sum + weights[9] * step.chain, 0) / weights[0];
    offer(layer[at], deciding.promise * reach + deciding.standing * (stands + waste));
  });
  for (const { line, points } of ends) {
    const [{ shape }] = referee.potentials([line.at(-1).field], maskOf(dealt));
    offer(line, Math.sqrt(points) + (deciding.standing * shape) / weights[0]);
  }
  const { line } = best;
  const last = line.at(-1);
  return { steps: line, reach: last.chain > 0 && line.length < pairs.length ? null : referee.reach(last.field, dealt) };
}
