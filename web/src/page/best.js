// The panel of the best moves: best needle, best pair, blocks to add, and their map on the boards; kept up to date while
// one paints. The searches run in small slices, so that painting stays as quick as without them.

import {
  COLOURS, MOST_BURNS, NUISANCE, QUICK_BURNS, bestAdditions, bestIgnition, bestPair, cellAt, emptyBoard, heatMap,
  needleOf, withCode,
} from "../engine/index.js";
import { bestBuild } from "../engine/build.js";
import { h } from "./dom.js";
import { text } from "./i18n.js";
import { SHORT, rangeOf } from "./result.js";

const SLICE_MS = 5;
const REST_MS = 400;
const ADDITIONS = 5;

const attackOf = ({ low, high, complete }) =>
  `${text.best.attack(rangeOf({ attack: [low, high], complete }))}${complete ? "" : ` (${text.best.more})`}`;

// Whether some range that was found may be wider: not all ties were tried.
const isPartial = ({ best, pair, next, build, heat, additions }) =>
  [best, pair, next, build?.needles, ...additions.map((one) => one.best)].some((one) => one?.complete === false)
  || (heat?.complete.some((colour) => colour.includes(false)) ?? false);

// Runs generators one after another, a few milliseconds at a time. A new call ends the one before.
export class Background {
  #timer = null;
  #channel = new MessageChannel();
  #turn = null;

  constructor() {
    this.#channel.port1.onmessage = () => this.#turn?.();
  }

  // jobs: [generator, done(result)]; failed(error): when one of them throws, which ends them all
  start(jobs, finished, failed) {
    const queue = [...jobs];
    this.#turn = () => {
      try {
        work();
      } catch (error) {
        this.#turn = null;
        failed(error);
      }
    };
    const work = () => {
      const until = performance.now() + SLICE_MS;
      while (queue.length > 0) {
        const [search, done] = queue[0];
        const { done: over, value } = search.next();
        if (over) {
          queue.shift();
          done(value);
        }
        if (performance.now() > until) break;
      }
      if (queue.length > 0) this.#channel.port2.postMessage(0);
      else {
        this.#turn = null;
        finished();
      }
    };
    clearTimeout(this.#timer);
    // after the frame that shows the number
    this.#timer = setTimeout(() => this.#channel.port2.postMessage(0), 0);
  }

  stop() {
    clearTimeout(this.#timer);
    this.#turn = null;
  }
}

// The board that moves are looked for on: without its needles.
export const bare = (cells) => {
  const left = emptyBoard();
  cells.forEach((code, cell) => { left[cell] = code > NUISANCE ? 0 : code; });
  return left;
};

const colourSelect = (name, value, choose, any) =>
  h(
    "select",
    { "aria-label": name, onchange: (event) => choose(Number(event.target.value)) },
    any ? h("option", { value: 0, selected: value === 0 }, text.best.any) : null,
    COLOURS.map((colour) => h("option", { value: colour, selected: value === colour }, text.colours[colour])),
  );

export function pairSelects(name, pair, changed, any = true) {
  const choose = (half) => (colour) => {
    pair[half] = colour;
    changed();
  };
  return h(
    "div",
    { class: "pair", role: "group", "aria-label": name },
    h("span", { class: "name" }, name),
    colourSelect(`${name}, ${text.best.first}`, pair[0], choose(0), any),
    colourSelect(`${name}, ${text.best.second}`, pair[1], choose(1), any),
  );
}

// page: {cells, shown() (rulesets), setHints(ruleset, hints), put(cells)}
export class BestPanel {
  #page;
  #background = new Background();
  #pair = [0, 0];
  #nextPair = [0, 0];
  #map = h("input", { type: "checkbox", checked: true, onchange: () => this.refresh() });
  #needles = h("p", { class: "soft", hidden: true }, text.best.needles);
  #results = h("div", { class: "results" });
  #rest = null;

  constructor(page) {
    this.#page = page;
    const changed = () => this.refresh();
    this.element = h(
      "div",
      { class: "best" },
      pairSelects(text.best.pair, this.#pair, changed),
      pairSelects(text.best.nextPair, this.#nextPair, changed),
      h("label", { class: "check" }, this.#map, h("span", {}, text.best.show)),
      this.#needles, this.#results,
      h("p", { class: "soft" }, text.best.legend),
    );
  }

  close() {
    clearTimeout(this.#rest);
    this.#background.stop();
    for (const ruleset of ["mvs", "ps2"]) this.#page.setHints(ruleset, []);
  }

  // Looks again, for the board as it is now.
  refresh(mostBurns = QUICK_BURNS) {
    clearTimeout(this.#rest);
    const cells = bare(this.#page.cells);
    this.#needles.hidden = this.#page.cells.every((code) => code <= NUISANCE);
    const options = { mostBurns };
    const whole = (pair) => pair[0] > 0 && pair[1] > 0;
    const wanted = [...new Set(this.#pair)].filter((colour) => colour > 0);
    const colours = wanted.length > 0 ? wanted.sort((a, b) => a - b) : COLOURS;
    const jobs = [];
    const found = {};
    for (const ruleset of this.#page.shown()) {
      const mine = (found[ruleset] = {});
      jobs.push([bestIgnition(cells, ruleset, colours, options), (best) => { mine.best = best; }]);
      if (this.#map.checked) {
        jobs.push([heatMap(cells, ruleset, options), (heat) => {
          mine.heat = heat;
          this.#showHeat(ruleset, cells, heat, colours);
        }]);
      }
      if (whole(this.#pair)) jobs.push([bestPair(cells, this.#pair, ruleset, options), (best) => { mine.pair = best; }]);
      if (whole(this.#nextPair)) {
        jobs.push([bestPair(cells, this.#nextPair, ruleset, options), (best) => { mine.next = best; }]);
      }
      if (whole(this.#pair) && whole(this.#nextPair)) {
        jobs.push([
          bestBuild(cells, this.#pair, this.#nextPair, ruleset, options), (best) => { mine.build = best; },
        ]);
      }
      jobs.push([
        bestAdditions(cells, ruleset, colours, { ...options, count: ADDITIONS }), (added) => { mine.additions = added; },
      ]);
      if (!this.#map.checked) this.#page.setHints(ruleset, []);
    }
    // what is shown is of another board until the answer comes
    this.#results.classList.add("stale");
    this.#background.start(jobs, () => {
      this.#results.classList.remove("stale");
      this.#results.replaceChildren(...Object.entries(found).map(([ruleset, one]) => this.#told(ruleset, one, cells)));
      // once painting rests, as many ways to settle ties as the command tries
      if (mostBurns < MOST_BURNS && Object.values(found).some(isPartial)) {
        this.#rest = setTimeout(() => this.refresh(MOST_BURNS), REST_MS);
      }
    }, (error) => {
      // nothing of another board stays
      this.#results.classList.remove("stale");
      this.#results.replaceChildren(h("p", { class: "fault" }, text.errors.bug(error.message)));
      for (const ruleset of this.#page.shown()) this.#page.setHints(ruleset, []);
    });
  }

  #showHeat(ruleset, cells, heat, colours) {
    const hints = [];
    const resting = new Set(heat.resting);
    for (let cell = 0; cell < cells.length; cell += 1) {
      let most = null;
      for (const colour of colours) {
        const high = heat.high[colour - 1][cell];
        if (high > 0 && (most === null || high > most.high)) {
          most = { high, colour, complete: heat.complete[colour - 1][cell] };
        }
      }
      if (most === null || this.#page.cells[cell] !== 0) continue;
      hints.push({
        cell, code: needleOf(most.colour), label: `${most.high}${most.complete ? "" : "+"}`, bright: resting.has(cell),
      });
    }
    this.#page.setHints(ruleset, hints);
  }

  #told(ruleset, { best, pair, next, build, additions }, cells) {
    const { best: words } = text;
    const put = (changes) =>
      h("button", {
        type: "button", class: "small",
        onclick: () => this.#page.put(changes.reduce((board, [x, y, code]) => withCode(board, cellAt(x, y), code), cells)),
      }, words.put);
    const half = ([x, y, colour]) => words.half(text.colours[colour], x, y);
    const row = (title, told, changes) =>
      h("li", {}, h("span", {}, title === null ? told : [h("b", {}, title), `: ${told}`]), changes ? put(changes) : null);
    const needles = (title, one) =>
      one === undefined ? null
        : one === null ? row(title, words.nothing)
          : row(title, `${words.at(one.halves.map(half))}, ${attackOf(one)}`,
            one.halves.map(([x, y, colour]) => [x, y, needleOf(colour)]));
    return h(
      "section",
      { class: `told-best ${ruleset}`, "aria-label": `${text.tabs.best}, ${text.rulesets[ruleset]}` },
      h("h3", {}, SHORT[ruleset]),
      h(
        "ul", {},
        best === null ? row(words.now, words.nothing)
          : row(words.now, `${words.needle(text.colours[best.color], best.x, best.y)}, ${attackOf(best)}`,
            [[best.x, best.y, needleOf(best.color)]]),
        needles(words.pairNow, pair),
        needles(words.nextNow, next),
        build ? row(words.build, `${words.at(build.blocks.map(half))}; ${words.at(build.needles.halves.map(half))}, ${attackOf(build.needles)}`, build.blocks) : null,
        additions.length === 0 ? row(words.add, words.noAdd) : null,
        additions.map((one) =>
          row(null, words.addition(text.colours[one.color], one.x, one.y, one.gain), [[one.x, one.y, one.color]])),
      ),
    );
  }
}
