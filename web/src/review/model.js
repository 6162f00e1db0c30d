// A review as the page uses it. bot/ochibot/review/report.py makes it.

import { fieldOf, pairOf } from "./field.js";
import { withCells } from "./pair.js";

export const GRADES = ["best", "good", "inaccuracy", "mistake", "blunder"];
const WRONG = ["inaccuracy", "mistake", "blunder"];

export class Game {
  // review: as report() gives it
  constructor(review) {
    this.review = review;
    this.board = review.board;
    this.seats = review.seats.map(({ seat }) => seat);
    this.isMatch = this.seats.length > 1;
    this.moves = review.moves.map((move, index) => ({ ...move, index }));
    this.bySeat = new Map(this.seats.map((seat) => [seat, this.moves.filter((move) => move.seat === seat)]));
    // chains in steps; where the family has none, attacks
    this.hasSteps = !this.board.needles;
    this.hasRounds = this.moves.some((move) => move.round > 1);
  }

  movesOf(seat) {
    return this.bySeat.get(seat) ?? [];
  }

  rivalOf(seat) {
    return this.seats.find((other) => other !== seat) ?? null;
  }

  fieldBefore(move) {
    return fieldOf(move.field, this.board);
  }

  // The field after the placement, or null where it isn't known.
  fieldAfter(move) {
    return move.played ? fieldOf(move.played.after.split("/"), this.board) : null;
  }

  // The field with the pair in a choice's place, before anything clears.
  fieldWith(move, choice) {
    return withCells(this.fieldBefore(move), choice.cells, this.board);
  }

  pairOf(move) {
    return pairOf(move.pair, this.board);
  }

  nextOf(move) {
    return move.next.map((letters) => pairOf(letters, this.board)).filter((pair) => pair.every((code) => code > 0));
  }

  // What a seat plays at a frame: the last move that has begun; null before its first one in that round.
  at(seat, frame) {
    let found = null;
    for (const move of this.movesOf(seat)) {
      if (move.frame > frame) break;
      found = move;
    }
    return found;
  }

  // The chain (attack) in reach after a choice.
  reach(choice) {
    return this.hasSteps ? choice.towards_steps : choice.towards;
  }

  made(choice) {
    return this.hasSteps ? choice.steps : choice.made;
  }

  // The chance of winning of a seat at a move of any seat; null outside matches.
  chanceFor(seat, move) {
    if (move.chance === null || move.chance === undefined) return null;
    return move.seat === seat ? move.chance : 1 - move.chance;
  }

  // A seat's moves with a better placement that is clear: its mistakes and blunders.
  puzzlesOf(seat) {
    return this.movesOf(seat).filter((move) => ["mistake", "blunder"].includes(move.grade) && move.played_rank !== 0);
  }
}

export const isWrong = (move) => WRONG.includes(move.grade);

// A field as the board of analysis takes it.
export const analysed = (game, move) => ({ cells: game.fieldBefore(move), pairs: [game.pairOf(move), ...game.nextOf(move)] });
