// What is to be seen after a placement, picture by picture, and the clock that shows one after the other.

import { resolve } from "./chain.js";
import { text } from "./i18n.js";
import { fieldOf } from "./field.js";

const [LOCKED, CLEARS, FALLS, RESTS] = [350, 480, 320, 250];

// The pictures of a chain: [{cells, cleared, caption, ms}]; {steps, points} in all.
export function chainPictures(cells, board) {
  const { steps, cells: after, points } = resolve(cells, board);
  const pictures = [{ cells, ms: LOCKED }];
  steps.forEach((step, at) => {
    pictures.push({ cells: step.before, cleared: step.cleared, caption: text.chainCaption(at + 1), ms: CLEARS, step: at + 1, points: step.points });
    pictures.push({ cells: step.after, ms: FALLS, step: at + 1, points: step.points });
  });
  pictures.push({ cells: after, ms: RESTS });
  return { pictures, steps: steps.length, points };
}

// The pictures after a choice of a move.
export function picturesOf(game, move, choice) {
  const placed = game.fieldWith(move, choice);
  if (game.board.chain) return chainPictures(placed, game.board).pictures;
  const after = fieldOf(choice.after.split("/"), game.board);
  const caption = choice.made > 0 ? String(choice.made) : null;
  return [{ cells: placed, ms: LOCKED }, { cells: after, caption, ms: caption === null ? RESTS : 2 * CLEARS }];
}

// Shows pictures one after the other. show(picture) is called for each, ended() after the last one.
export class Pictures {
  #timer = null;

  run(pictures, show, ended) {
    this.stop();
    const next = (at) => {
      if (at >= pictures.length) {
        this.#timer = null;
        ended();
        return;
      }
      show(pictures[at]);
      this.#timer = setTimeout(() => next(at + 1), pictures[at].ms);
    };
    next(0);
  }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = null;
  }

  get isRunning() {
    return this.#timer !== null;
  }
}
