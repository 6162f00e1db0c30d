// Looks for boards in a picture, and again in the part of it that holds them: in a picture of a whole desktop the cells may have
// become small.

import { findBoards } from "./boards.js";

// the part is only worth another search if it is smaller than this share of the picture's longer side
const SMALL = 0.7;
// the longest side of a picture that is searched again because nothing was found
const LARGE = 2048;

// The part of the picture with the boards, and as much beside them as a further board needs.
function around(boards, { left, top, scale }, { width, height }) {
  const sides = [0, 1, 2, 3].map((side) => (side < 2 ? Math.min : Math.max)(...boards.map(({ rect }) => rect[side])));
  const [wide, high] = [boards[0].rect[2] - boards[0].rect[0], boards[0].rect[3] - boards[0].rect[1]];
  const beside = boards.length > 1 ? 0.5 : 2;
  const out = [sides[0] - wide * beside, sides[1] - high * 0.3, sides[2] + wide * beside, sides[3] + high * 0.3];
  const inPicture = out.map((side, at) => side / scale + (at % 2 ? top : left));
  return inPicture.map((side, at) => Math.round(Math.min(Math.max(side, 0), at % 2 ? height : width)));
}

// given: what decoded() gives. Yields between steps. Returns it with {sums, boards, isOther}, and with the pixels, the canvas and the place
// of the part that was searched.
export function* search(given, size) {
  let first = { ...given, ...(yield* findBoards(given.pixels, size)) };
  if (given.place.scale >= 1) return first;
  if (first.boards.length === 0) {
    const large = given.zoom([0, 0, given.width, given.height], LARGE);
    yield;
    first = { ...given, ...large, ...(yield* findBoards(large.pixels, size)) };
  }
  if (first.boards.length === 0) return first;
  const rect = around(first.boards, first.place, given);
  if (Math.max(rect[2] - rect[0], rect[3] - rect[1]) > SMALL * Math.max(given.width, given.height)) return first;
  const near = given.zoom(rect);
  yield;
  const again = yield* findBoards(near.pixels, size);
  // larger, it may turn out to be another game's board
  return again.boards.length < first.boards.length && !again.isOther ? first : { ...given, ...near, ...again };
}
