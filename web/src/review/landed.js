// Nuisance that has landed: how much, from the fields of two moves that follow each other, and its marks below the graph.

import { s } from "../page/dom.js";
import { FONT } from "./pieces.js";

const NUISANCE = "o";
// numbers nearer to each other than this would overlap
const APART = 18;
const nuisanceIn = (rows) => [...rows].filter((letter) => letter === NUISANCE).length;

// The moves of a seat before which nuisance has landed: {move, count}. It isn't known after a placement that wasn't judged.
export function landings(moves) {
  return moves.flatMap((move, at) => {
    const before = moves[at - 1];
    if (before === undefined || before.round !== move.round || !before.played) return [];
    const count = nuisanceIn(move.field.join("")) - nuisanceIn(before.played.after);
    return count > 0 ? [{ move, count }] : [];
  });
}

const triangle = (x, y, size) => `M${(x - size).toFixed(1)} ${y}h${2 * size}l${-size} ${1.5 * size}z`;

// The marks at the foot of the graph. mine, theirs: landings of the seat that is shown, and of the other one; x: where a move is;
// foot: where the graph ends.
export function landedMarks(mine, theirs, x, foot, look) {
  const shapes = theirs.map(({ move }) => s("path", {
    class: "landed-other", d: triangle(x(move), foot + 2, 3), fill: "none", stroke: look.soft, "stroke-width": 1.2,
  }));
  let free = -Infinity;
  for (const { move, count } of mine) {
    const at = x(move);
    shapes.push(s("path", { class: "landed", d: triangle(at, foot + 2, 4.5), fill: look.text }));
    if (at < free) continue;
    free = at + APART;
    shapes.push(s("text", {
      x: at, y: foot + 18.5, fill: look.text, "font-size": 10, "font-weight": 700, "text-anchor": "middle", "font-family": FONT,
    }, String(count)));
  }
  return shapes;
}

export const landedSign = () => s(
  "svg", { viewBox: "0 0 12 10", width: 12, height: 10, "aria-hidden": "true" }, s("path", { d: triangle(6, 1, 5), fill: "currentColor" }),
);
