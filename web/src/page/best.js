// The panel of the best moves: best needle, best pair, blocks to add, and their map on the boards. It follows the painting.
// The searches run in small slices, so that painting stays as quick as without them.

import {
  COLOURS, MOST_BURNS, NUISANCE, QUICK_BURNS, attackRange, bestAdditions, bestIgnition, bestPair, cellAt, heatMap, needleOf,
  withCode,
} from "../engine/index.js";
import { bestBuild } from "../engine/build.js";
import { Background } from "./background.js";
import { h } from "./dom.js";
import { keepFocus } from "./focus.js";
import { text } from "./i18n.js";
import { PairSearch } from "./pairsearch.js";
import { SHORT, rangeOf } from "./result.js";

const REST_MS = 400;
const ADDITIONS = 5;

const attackOf = ({ low, high, complete }) =>
  `${text.best.attack(rangeOf({ attack: [low, high], complete }))}${complete ? "" : ` (${text.best.more})`}`;

// Whether a range may be wider than found, because not all ways to settle its ties were tried.
const isPartial = ({ best, all, pair, next, build, heat, additions }) =>
  [best, all, pair, next, build?.needles, ...additions.map((one) => one.best)].some((one) => one?.complete === false)
  || (heat?.complete.some((colour) => colour.includes(false)) ?? false);

const half = ([x, y, colour]) => text.best.half(text.colours[colour], x, y);

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
  #pairs = new PairSearch();
  #pair = [0, 0];
  #nextPair = [0, 0];
  #map = h("input", { type: "checkbox", checked: true, onchange: () => this.refresh() });
  #needles = h("p", { class: "soft", hidden: true }, text.best.needles);
  #now = h("div", { class: "best-now", role: "group", "aria-label": text.best.atOnce });
  #results = h("div", { class: "results" });
  #rest = null;

  constructor(page) {
    this.#page = page;
    const changed = () => this.refresh();
    this.element = h(
      "div",
      { class: "best" },
      this.#now,
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
    this.#pairs.stop();
    for (const ruleset of ["mvs", "ps2"]) this.#page.setHints(ruleset, []);
  }

  // Searches again, on the board as it is now.
  refresh(mostBurns = QUICK_BURNS) {
    clearTimeout(this.#rest);
    const { cells } = this.#page;
    const rulesets = this.#page.shown();
    this.#needles.hidden = cells.every((code) => code <= NUISANCE);
    const options = { mostBurns };
    const whole = (pair) => pair[0] > 0 && pair[1] > 0;
    const wanted = [...new Set(this.#pair)].filter((colour) => colour > 0);
    const colours = wanted.length > 0 ? wanted.sort((a, b) => a - b) : COLOURS;
    const jobs = [];
    const found = {};
    for (const ruleset of rulesets) {
      const mine = (found[ruleset] = { lying: this.#needles.hidden ? null : attackRange(cells, ruleset, mostBurns) });
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
    // until the search ends, the results shown are another board's, but for a search of the same board in more ways
    if (mostBurns < MOST_BURNS) for (const one of [this.#results, this.#now]) one.classList.add("stale");
    // two searches run at the same time
    let left = rulesets.length + 1;
    const finished = () => {
      left -= 1;
      if (left > 0) return;
      this.#results.classList.remove("stale");
      this.#fill(rulesets.map((ruleset) => this.#section(ruleset, found[ruleset], cells)));
      this.#fillNow(found[rulesets[0]], cells);
      // when painting has stopped, search again with as many ways to settle ties as the command tries
      if (mostBurns < MOST_BURNS && Object.values(found).some(isPartial)) {
        this.#rest = setTimeout(() => this.refresh(MOST_BURNS), REST_MS);
      }
    };
    const failed = (error) => {
      this.#background.stop();
      this.#pairs.stop();
      // results of another board must not stay
      this.#results.classList.remove("stale");
      this.#fill([h("p", { class: "fault" }, text.errors.bug(error.message))]);
      this.#now.replaceChildren();
      this.#now.classList.remove("stale");
      for (const ruleset of this.#page.shown()) this.#page.setHints(ruleset, []);
    };
    this.#pairs.start(cells, rulesets, mostBurns, (ruleset, best) => {
      found[ruleset].all = best;
      if (best !== null && ruleset === rulesets[0]) this.#fillNow(found[ruleset], cells);
      finished();
    }, failed);
    this.#background.start(jobs, finished, failed);
  }

  #fill(results) {
    keepFocus(this.#results, () => this.#results.replaceChildren(...results), () => this.#map);
  }

  // The best pair, or needle, in one line: on a phone it stays in sight.
  #fillNow({ lying, best, all }, cells) {
    this.#now.classList.remove("stale");
    if (lying !== null && lying.low > 0 && lying.low >= (all ?? best)?.low) {
      this.#now.replaceChildren(h("p", {}, text.best.lies(attackOf(lying))));
      return;
    }
    const needles = all?.halves ?? (best === null ? [] : [[best.x, best.y, best.color]]);
    const which = all ?? best;
    const words = which === null ? text.best.nothing : text.best.valued(text.best.at(needles.map(half)), attackOf(which));
    const changes = needles.map(([x, y, colour]) => [x, y, needleOf(colour)]);
    const shown = [h("p", {}, words), which === null ? null : this.#putter(changes, cells)].filter(Boolean);
    keepFocus(this.#now, () => this.#now.replaceChildren(...shown), () => this.#map);
  }

  #putter(changes, cells) {
    return h("button", {
      type: "button", class: "small",
      onclick: () => this.#page.put(changes.reduce((board, [x, y, code]) => withCode(board, cellAt(x, y), code), cells)),
    }, text.best.put);
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

  #section(ruleset, { lying, best, all, pair, next, build, additions }, cells) {
    const { best: words } = text;
    const row = (title, sentence, changes) =>
      h("li", {}, h("span", {}, title === null ? sentence : [h("b", {}, title), words.titled(sentence)]), changes ? this.#putter(changes, cells) : null);
    const needles = (title, one) =>
      one === undefined ? null
        : one === null ? row(title, words.nothing)
          : row(title, words.valued(words.at(one.halves.map(half)), attackOf(one)),
            one.halves.map(([x, y, colour]) => [x, y, needleOf(colour)]));
    return h(
      "section",
      { class: `best-moves ${ruleset}`, "aria-label": `${text.tabs.best}, ${text.rulesets[ruleset]}` },
      h("h3", {}, SHORT[ruleset]),
      h(
        "ul", {},
        best === null ? row(words.now, words.nothing)
          : row(words.now, words.valued(words.needle(text.colours[best.color], best.x, best.y), attackOf(best)),
            [[best.x, best.y, needleOf(best.color)]]),
        lying === null ? null : row(words.lying, attackOf(lying)),
        needles(words.allNow, all),
        needles(words.pairNow, pair),
        needles(words.nextNow, next),
        build ? row(words.build, words.both(
          words.at(build.blocks.map(half)), words.valued(words.at(build.needles.halves.map(half)), attackOf(build.needles)),
        ), build.blocks) : null,
        additions.length === 0 ? row(words.add, words.noAdd) : null,
        additions.map((one) =>
          row(null, words.addition(text.colours[one.color], one.x, one.y, one.gain), [[one.x, one.y, one.color]])),
      ),
    );
  }
}
