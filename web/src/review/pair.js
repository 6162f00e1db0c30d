// How a falling pair moves and where it comes to rest, as bot/ochibot/puyo/rules/motion.py says (and that of
// Pochi & Nyaa, which differ only in the board). A state is {x, y, turn, needle}: the axis' place, and the partner's side.

import { EMPTY, nuisanceOf } from "./field.js";

// (dx, dy) from the axis to the partner. One more is a quarter turn clockwise.
const STEP = [[0, 1], [-1, 0], [0, -1], [1, 0]];
export const TURNS = ["down", "left", "up", "right"];
const UP = 2;
// (dx, dy) from the lower left cell of a pair's box to the axis, where pairs turn within a box (the board's "turns")
const IN_BOX = [[0, -1], [1, 0], [0, 0], [0, 0]];

export const spawnOf = (board) => ({ x: board.spawn[0], y: board.spawn[1], turn: UP, needle: false });

function isFree(cells, x, y, top, board) {
  if (x < 0 || x >= board.columns || y < top || y >= board.rows) return false;
  return y < 0 || cells[y * board.columns + x] === EMPTY;
}

export function fits(cells, { x, y, turn }, board) {
  const [dx, dy] = STEP[turn];
  return isFree(cells, x, y, board.axis_top, board) && isFree(cells, x + dx, y + dy, board.partner_top, board);
}

function turned(cells, state, turn, board, kicks) {
  const boxed = board.turns === "box";
  const [from, to] = boxed ? [IN_BOX[state.turn], IN_BOX[turn]] : [[0, 0], [0, 0]];
  const after = { ...state, x: state.x - from[0] + to[0], y: state.y - from[1] + to[1], turn };
  if (fits(cells, after, board)) return after;
  const [dx, dy] = boxed ? [1, 0] : STEP[turn];
  const kicked = { ...after, x: after.x - dx, y: after.y - dy };
  return kicks && fits(cells, kicked, board) ? kicked : state;
}

// press: "left", "right", "down", "clockwise", "counterclockwise" or "needle". Returns the same state if it does nothing.
export function pressed(cells, state, press, board) {
  if (press === "needle") return board.needles ? { ...state, needle: !state.needle } : state;
  const shift = { left: [-1, 0], right: [1, 0], down: [0, 1] }[press];
  if (shift !== undefined) {
    const after = { ...state, x: state.x + shift[0], y: state.y + shift[1] };
    return fits(cells, after, board) ? after : state;
  }
  const turn = (state.turn + (press === "clockwise" ? 1 : 3)) % 4;
  const after = turned(cells, state, turn, board, board.kicks);
  // a pair that stands where it can't turn turns over
  if (after === state && board.quick_turn && state.turn % 2 === 0) {
    return turned(cells, state, (state.turn + 2) % 4, board, true);
  }
  return after;
}

export function dropped(cells, state, board) {
  let now = state;
  for (let below = pressed(cells, now, "down", board); below !== now; below = pressed(cells, now, "down", board)) now = below;
  return now;
}

// The cells of both halves where the pair is: [[x, y, code]], the axis first.
export function halves({ x, y, turn, needle }, pair, board) {
  const [dx, dy] = STEP[turn];
  const codes = needle ? pair.map((code) => code + nuisanceOf(board)) : pair;
  return [[x, y, codes[0]], [x + dx, y + dy, codes[1]]];
}

const inOrder = (cells) => cells.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);

// The cells of both halves after each has dropped to the bottom of its column, in order of columns and rows.
export function resting(cells, state, pair, board) {
  const found = halves(state, pair, board);
  if (state.turn === 0) found.reverse();
  const stacked = new Map();
  return inOrder(found.map(([x, , code]) => {
    let y = board.rows - 1 - (stacked.get(x) ?? 0);
    for (let row = board.rows - 1; row >= 0; row -= 1) if (cells[row * board.columns + x] !== EMPTY) y -= 1;
    stacked.set(x, (stacked.get(x) ?? 0) + 1);
    return [x, y, code];
  }));
}

export const sameCells = (one, other) => JSON.stringify(inOrder([...one])) === JSON.stringify(inOrder([...other]));

// The field with these cells on it; cells above it are lost.
export function withCells(cells, put, board) {
  const after = cells.slice();
  for (const [x, y, code] of put) if (y >= 0) after[y * board.columns + x] = code;
  return after;
}

// Every different place where the pair can come to rest: [{x, turn, cells}], each reached by the fewest presses.
export function placesOf(cells, pair, board) {
  const start = spawnOf(board);
  if (!fits(cells, start, board)) return [];
  const key = ({ x, y, turn }) => `${x},${y},${turn}`;
  const seen = new Set([key(start)]);
  const queue = [start];
  const found = new Map();
  for (const state of queue) {
    if (pressed(cells, state, "down", board) === state) {
      const rest = resting(cells, state, pair, board);
      const name = JSON.stringify(rest);
      if (!found.has(name)) found.set(name, { x: state.x, turn: state.turn, cells: rest });
    }
    for (const press of ["left", "right", "clockwise", "counterclockwise", "down"]) {
      const after = pressed(cells, state, press, board);
      if (seen.has(key(after))) continue;
      seen.add(key(after));
      queue.push(after);
    }
  }
  return [...found.values()];
}
