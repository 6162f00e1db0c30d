// The best places for a pair on the analysis board. This is the only module that knows the engine (docs/browser-engine.md).
//
// Where the engine can't run, or doesn't know the rules, the places are ranked by the chain that the pair sets off at once.

import { EngineClient } from "../puyo/client.js";
import { resolve } from "./chain.js";
import { pairOf, rowsOf } from "./field.js";
import { TURNS, placesOf, resting, withCells } from "./pair.js";
import { PROFILES } from "./profiles.js";

const MOST = 5;
const ROOT = 2;

// A place as a choice of a review, so that the same words fit it.
function choiceOf({ x, turn, cells }, field, board) {
  const outcome = resolve(withCells(field, cells, board), board);
  return {
    place: { x: x + 1, orientation: TURNS[turn], needle: false },
    cells,
    then: [],
    steps: outcome.steps.length,
    made: outcome.points,
    towards: 0,
    towards_steps: 0,
    over: outcome.over,
    chance: null,
  };
}

function atOnce({ cells, pairs, board }) {
  const choices = placesOf(cells, pairs[0], board).map((place) => choiceOf(place, cells, board));
  choices.sort((one, other) => Number(one.over) - Number(other.over) || other.made - one.made);
  return { choices: choices.slice(0, MOST), reach: null, boards: choices.length, seconds: 0, engine: false };
}

// The profile that a board is of, or null. The engine knows the profiles only.
const profileOf = (board) => Object.keys(PROFILES).find((name) => JSON.stringify(PROFILES[name].chain) === JSON.stringify(board.chain)
  && PROFILES[name].turns === board.turns && PROFILES[name].quick_turn === board.quick_turn && PROFILES[name].kicks === board.kicks) ?? null;

// A place of the engine as a choice. Where the next pair goes is told by the line.
function told(place, field, pairs, board) {
  const where = ({ x, y, orientation }) => ({ x: x - 1, y, turn: orientation, needle: false });
  const then = place.line?.steps[1];
  const after = then === undefined ? [] : resting(fieldText(place.field, board), where(then), pairOf(then.pair, board), board);
  return {
    ...choiceOf({ x: place.x - 1, turn: place.orientation, cells: resting(field, where(place), pairs[0], board) }, field, board),
    then: after,
    towards: Math.round(place.expected ?? 0),
    towards_steps: place.expectedChain ?? 0,
  };
}

const fieldText = (letters, board) => Uint8Array.from(letters, (letter) => board.letters.indexOf(letter));

export class Thinker {
  #client = null;
  #broken = false;

  // given: {cells, pairs, board, ms}. Returns {choices, reach: {steps, points} or null, boards, seconds, engine: whether it
  // was asked}.
  async best(given) {
    const { board, ms } = given;
    const rules = profileOf(board);
    if (rules === null || this.#broken) return atOnce(given);
    // what the engine looks at has no floating pieces and no chain in it
    const cells = resolve(given.cells, board).cells;
    const asked = { rules, field: rowsOf(cells, board).join("/"), pairs: given.pairs.map((pair) => pair.map((code) => board.letters[code]).join("")), ms };
    let found;
    try {
      if (this.#client === null) {
        this.#client = new EngineClient();
        // compiles the kernels and measures their speed, by which the time is shared out
        await this.#client.warm(rules);
      }
      found = await this.#client.analyse(asked);
    } catch (error) {
      if (["cancelled", "closed"].includes(error.message)) throw error;
      // an old browser, or one that allows no workers here
      this.#broken = true;
      return atOnce(given);
    }
    const places = found.places.filter((place) => place.value !== null || place.gameOver || place.rank <= ROOT);
    return {
      choices: places.slice(0, MOST).map((place) => told(place, cells, given.pairs, board)),
      reach: found.reach === null ? null : { steps: found.reach.chain, points: found.reach.score },
      boards: found.nodes,
      seconds: found.ms / 1000,
      engine: true,
    };
  }

  close() {
    this.#client?.close();
    this.#client = null;
  }
}
