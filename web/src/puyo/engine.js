// The engine for Puyo Puyo, for the browser and Node: the kernels of bot/ochibot/puyo, compiled to WebAssembly, and around
// them the player that builds chains. docs/browser-engine.md explains it. Everything here takes and gives plain values:
// fields and pairs are text.

import { MADE, PLAYER, RULES, SIZE, WASM } from "./built.js";
import { formatField, parseField, parsePair } from "./field.js";
import { palette } from "./draw.js";
import { lineOf } from "./lines.js";
import { Machine } from "./memory.js";
import { Player } from "./player.js";
import { Referee } from "./referee.js";
import { SEEN } from "./search.js";
import { chainSteps } from "./steps.js";

export { MADE, PLAYER, RULES };

const LINES = 3;
const COLORS = 4;
const WARM_NODES = 4000;
const WARM_TIMES = 4;
const WARM = "R...../GGB..Y/YRRB.Y/YGBYRG/YBRGYR";

// Five digits of base 85 are four bytes; tools/web_engine.py has the same digits.
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#[%.()*+-;,=>?@^_:{|}~";

function bytesOf(packed, size) {
  const values = new Uint8Array(128);
  [...DIGITS].forEach((digit, value) => { values[digit.charCodeAt(0)] = value; });
  const bytes = new DataView(new ArrayBuffer(4 * Math.ceil(size / 4)));
  const text = packed.replaceAll("\n", "");
  for (let at = 0; at < bytes.byteLength; at += 4) {
    let word = 0;
    for (let digit = 0; digit < 5; digit++) {
      word = 85 * word + values[text.charCodeAt(5 * at / 4 + digit)];
    }
    bytes.setUint32(at, word);
  }
  return new Uint8Array(bytes.buffer, 0, size);
}

// The steps of a chain that has at least so many points.
function stepsFor(points, rules) {
  return rules.points.filter((least) => least <= points).length;
}

const plain = (outcome) => ({ ...outcome, field: formatField(outcome.field) });

function stepOf({ lock, x, y, orientation, field, score, chain, cleared, gameOver }, pair) {
  return { pair, lock, x, y, orientation, field: formatField(field), score, chain, cleared, gameOver };
}

export class Engine {
  // clock: milliseconds, for time budgets.
  constructor({ clock = () => performance.now() } = {}) {
    this.clock = clock;
    this.machine = new Machine(new WebAssembly.Module(bytesOf(WASM, SIZE)));
    this.referee = new Referee(this.machine, PLAYER.weights);
    this.player = new Player(this.referee, PLAYER, clock);
  }

  // Takes rules: a profile's name, or an object as those in RULES.
  rules(wanted = "tsu") {
    const rules = typeof wanted === "string" ? RULES[wanted] : wanted;
    if (rules === undefined) throw new Error(`the rules ${wanted} aren't known: ${Object.keys(RULES).join(", ")} are`);
    this.referee.use(rules);
    return rules;
  }

  // The field after its whole chain: {field, score, chain, cleared, gameOver}.
  resolve({ rules, field }) {
    this.rules(rules);
    return plain(this.referee.resolve(parseField(field)));
  }

  // Many fields at once.
  resolveAll({ rules, fields }) {
    this.rules(rules);
    return this.referee.resolveAll(fields.map(parseField)).map(plain);
  }

  // The chain step by step: [{before, cells, groups, score, after}].
  steps({ rules, field }) {
    return chainSteps(parseField(field), this.rules(rules)).map((step) => ({
      ...step, before: formatField(step.before), after: formatField(step.after),
    }));
  }

  // Every place that a pair can reach, in the order of locks, with what follows.
  places({ rules, field, pair }) {
    this.rules(rules);
    return this.referee.places(parseField(field), parsePair(pair)).map(plain);
  }

  // The best chain that one or two more puyos of one colour in one column set off: {column, color, puyos, chain, score}, or
  // null. colors: how many the game deals.
  reach({ rules, field, colors = COLORS }) {
    this.needsBuilder(this.rules(rules));
    const { field: resolved } = this.referee.resolve(parseField(field));
    return this.referee.reach(resolved, palette(resolved, [], colors));
  }

  // The points, steps and puyos of the best chain in reach, and the shape's value, of many resolved fields.
  potentials({ rules, fields, mask }) {
    this.needsBuilder(this.rules(rules));
    return this.referee.potentials(fields.map(parseField), BigInt(mask));
  }

  // The best places; docs/browser-engine.md describes the result.
  analyse({ rules, field, pairs, ms, nodes, colors = COLORS, seed = 0, waited = 0, lines = LINES }) {
    const began = this.clock();
    this.needsBuilder(this.rules(rules));
    const before = this.referee.resolve(parseField(field));
    const here = before.field;
    const visible = pairs.map(parsePair).slice(0, SEEN);
    if (visible.length === 0) throw new Error("give at least the falling pair");
    for (const [name, budget] of Object.entries({ ms, nodes })) {
      if (budget !== undefined && !(budget > 0 && budget < Infinity)) throw new Error(`${name} must be more than 0`);
    }
    if (!(colors >= 3 && colors <= 6)) throw new Error("a game deals 3 to 6 colours");
    const found = this.player.decide(here, visible, { ms, nodes, colors, seed, waited });
    const dealt = palette(here, visible, colors);
    const inSteps = (points) => stepsFor(points, this.referee.rules);
    const places = this.referee.places(here, visible[0]).map((place) => {
      const { value = null, expected = null } = found.places[place.lock] ?? {};
      return { ...place, value, expected, expectedChain: expected === null ? null : inSteps(expected) };
    });
    const order = places.slice().sort((a, b) => (b.value ?? -Infinity) - (a.value ?? -Infinity) || a.lock - b.lock);
    // the decision comes first: the player may have a reason that isn't in the value
    const best = order.findIndex((place) => place.lock === found.lock);
    if (best > 0) order.unshift(...order.splice(best, 1));
    order.forEach((place, at) => {
      place.rank = at + 1;
      const shown = at < lines && !place.gameOver;
      place.line = shown ? lineOf(this.referee, PLAYER, place, visible, dealt) : null;
      place.safe = shown ? this.player.isSafe(here, place, visible, dealt) : null;
    });
    const written = order.map((place) => ({
      ...plain(place),
      line: place.line && {
        reach: place.line.reach,
        steps: place.line.steps.map((step, at) => stepOf(step, pairs[at])),
      },
    }));
    return {
      rules: this.referee.rules.name,
      field: formatField(here),
      resolved: { score: before.score, chain: before.chain },
      gameOver: before.gameOver,
      decision: best >= 0 ? written[0] : null,
      why: best >= 0 ? found.why : "over",
      certain: found.certain,
      later: found.later,
      laterChain: inSteps(found.later),
      reach: this.referee.reach(here, dealt),
      places: written,
      nodes: found.nodes,
      plan: found.plan,
      futures: found.futures,
      ms: this.clock() - began,
    };
  }

  needsBuilder(rules) {
    if (!rules.builds) throw new Error("the player that builds chains knows groups of four only");
  }

  // Lets the browser compile the kernels, and measures how fast they are, for time budgets.
  warm({ rules } = {}) {
    for (let time = 0; time < WARM_TIMES; time += 1) {
      this.analyse({ rules, field: WARM, pairs: ["RG", "BY", "GG"], nodes: WARM_NODES, lines: 1 });
    }
    return this.player.rate;
  }
}
