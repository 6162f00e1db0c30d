// The panel to play on: steer and drop pairs, pop the blocks that burn, and let nuisance fall. All counts belong to the
// board's game (game.js), so that undo takes them back.

import {
  COLUMNS, EMPTY, RULES, burntOut, cellAt, dropped, hasNeedle, heights, ignite, needleOf, nuisanceDropped, parse, settled,
} from "../engine/index.js";
import { pairSelects } from "./best.js";
import { h } from "./dom.js";
import { answered, countedAnew, fallen, ignited, pairDropped, withWaiting } from "./game.js";
import { text } from "./i18n.js";
import { OtherSide } from "./otherside.js";
import { SHORT } from "./result.js";
import { Threat } from "./threat.js";
import { pieceIcon } from "./tools.js";

const randomOrder = () => {
  const order = Array.from({ length: COLUMNS }, (_, i) => i + 1);
  for (let i = COLUMNS - 1; i > 0; i -= 1) {
    const other = Math.floor(Math.random() * (i + 1));
    [order[i], order[other]] = [order[other], order[i]];
  }
  return order;
};

// where the second half lies from the first, as [x, y]: above, right, below, left
const TURNS = [[0, 1], [1, 0], [0, -1], [-1, 0]];
const rangeOf = ([low, high, complete = true]) => `${low === high ? low : `${low}–${high}`}${complete ? "" : "+"}`;

// page: {cells, game, shown(), setHints(ruleset, hints), put(cells, game), playThen(action), steer(steering or null),
// look()}
export class PlayPanel {
  #page;
  #column = RULES.spawn_column - 1;
  #turn = 0;
  #shown = null;
  #saidOf = null;
  #needle = h("input", { type: "checkbox", onchange: () => this.refresh() });
  #threat;
  #other;
  #message = h("p", { class: "message", role: "status" });
  #sums = h("ul", { class: "sums" });
  #queue = h("div", { class: "queue", "aria-hidden": "true" });
  #pairs = h("div", { class: "pairs" });
  #over = h("p", { class: "open", hidden: true }, text.playon.over);

  constructor(page) {
    this.#page = page;
    this.#threat = new Threat(page, (count) => page.put(page.cells, withWaiting(page.game, count)));
    this.#other = new OtherSide(page);
    const { playon: words } = text;
    const button = (name, onclick, kind = null, long = name) =>
      h("button", { type: "button", onclick, class: kind, title: long, "aria-label": long }, name);
    this.element = h(
      "div",
      { class: "playon" },
      h(
        "div",
        { class: "steer" },
        h("div", { class: "row" }, button(words.fall, () => this.#fall(), "main pop"), this.#queue, this.#other.swap),
        this.#message,
        h("p", { class: "soft touch" }, words.touch),
        h(
          "div",
          { class: "row keys" },
          button("←", () => this.#move(-1), null, words.left), button("→", () => this.#move(1), null, words.right),
          button("↻", () => this.#rotate(), null, words.turn),
          h("label", { class: "check" }, this.#needle, pieceIcon(needleOf(1)), h("span", {}, words.needle)),
          button(words.drop, () => this.#drop(), "main"),
        ),
      ),
      this.#over,
      h("h3", {}, words.sent), this.#sums,
      button(words.reset, () => this.#reset(), "small"),
      h("h3", {}, words.pair), this.#pairs,
      h("h3", {}, words.nuisance),
      h("div", { class: "row" }, this.#threat.input, button(words.nuisanceDrop, () => this.#nuisance())),
      this.#threat.element,
      h("h3", {}, text.sides.title), this.#other.element,
      h("p", { class: "soft" }, words.note),
    );
    page.steer({ move: (by) => this.#move(by), turn: () => this.#rotate(), drop: () => this.#drop() });
  }

  close() {
    this.#page.steer(null);
    for (const ruleset of ["mvs", "ps2"]) this.#page.setHints(ruleset, []);
  }

  refresh() {
    // after undo, what was said is no longer so
    if (this.#saidOf !== this.#page.game) this.#message.textContent = "";
    this.#showGame();
    this.#threat.refresh();
    this.#other.refresh();
    this.#over.hidden = this.#page.cells[cellAt(...RULES.over_cell)] === EMPTY;
    const landing = this.#landing();
    const hints = landing === null ? [] : landing.map(([cell, code]) => ({ cell, code, ghost: true }));
    for (const ruleset of this.#page.shown()) this.#page.setHints(ruleset, hints);
  }

  #showGame() {
    const { game } = this.#page;
    this.#sums.replaceChildren(...this.#page.shown().map((ruleset) =>
      h("li", {}, text.playon.sentBy(SHORT[ruleset], rangeOf(game.sent[ruleset])))));
    const code = (colour) => (this.#needle.checked ? needleOf(colour) : colour);
    const turned = `turn${this.#turn}`;
    this.#queue.replaceChildren(
      h("span", { class: `pieces ${turned}` }, game.pair.map((colour) => pieceIcon(code(colour)))),
      h("span", { class: "soft" }, text.playon.next),
      h("span", { class: "pieces small" }, game.next.map((colour) => pieceIcon(colour))),
    );
    // the selects keep the focus while the pairs stay the same
    const pairs = `${game.pair} ${game.next}`;
    if (pairs === this.#shown) return;
    this.#shown = pairs;
    const [pair, next] = [[...game.pair], [...game.next]];
    const changed = () => {
      this.#shown = `${pair} ${next}`;
      this.#page.put(this.#page.cells, { ...this.#page.game, pair: [...pair], next: [...next] });
    };
    this.#pairs.replaceChildren(
      pairSelects(text.best.pair, pair, changed, false), pairSelects(text.best.nextPair, next, changed, false),
    );
  }

  #say(words) {
    this.#saidOf = this.#page.game;
    this.#message.textContent = words;
  }

  #reset() {
    this.#page.put(this.#page.cells, countedAnew(this.#page.game));
  }

  // The cells on which both halves come to rest, the lower half first: [[cell, code], ...]. Null if there is no room.
  #landing() {
    const [dx, dy] = TURNS[this.#turn];
    const [first, second] = this.#page.game.pair;
    const code = (colour) => (this.#needle.checked ? needleOf(colour) : colour);
    const halves = [[this.#column, 0, code(first)], [this.#column + dx, dy, code(second)]];
    const tops = heights(this.#page.cells);
    const found = [];
    for (const [column, , one] of halves.sort((a, b) => a[1] - b[1])) {
      if (tops[column] >= 12) return null;
      tops[column] += 1;
      found.push([cellAt(column + 1, tops[column]), one]);
    }
    return found;
  }

  #move(by) {
    const [dx] = TURNS[this.#turn];
    const least = Math.max(0, -dx);
    const most = COLUMNS - 1 - Math.max(0, dx);
    this.#column = Math.min(Math.max(this.#column + by, least), most);
    this.refresh();
  }

  #rotate() {
    this.#turn = (this.#turn + 1) % TURNS.length;
    this.#move(0);
  }

  #drop() {
    // blocks of a painted board may float
    const ground = hasNeedle(this.#page.cells) ? this.#page.cells : settled(this.#page.cells);
    const landing = this.#landing();
    if (landing === null) {
      this.#say(text.playon.blocked);
      return;
    }
    const halves = landing.map(([cell, code]) => [cell % COLUMNS, code]);
    const [after] = dropped(ground, halves);
    [this.#column, this.#turn] = [RULES.spawn_column - 1, 0];
    this.#needle.checked = false;
    this.#page.put(after, pairDropped(this.#page.game));
  }

  #nuisance() {
    const count = this.#threat.fall;
    this.#page.put(nuisanceDropped(settled(this.#page.cells), count, randomOrder()), fallen(this.#page.game, count));
  }

  #fall() {
    const cells = this.#page.cells;
    const values = Object.fromEntries(["mvs", "ps2"].map((ruleset) => [ruleset, ignite(cells, ruleset)]));
    if (values.mvs.starts.length === 0) {
      // needles that light nothing become blocks, and floating blocks fall
      if (hasNeedle(cells)) this.#page.put(burntOut(cells, new Uint8Array(cells.length)), this.#page.game);
      this.#say(text.playon.fallNothing);
      return;
    }
    this.#page.playThen(() => {
      const { game } = this.#page;
      const told = this.#page.shown().map((ruleset) => {
        const { attack, complete } = values[ruleset];
        return text.playon.sentBy(SHORT[ruleset], `+${rangeOf([...answered(attack, game.waiting[ruleset]).sent, complete])}`);
      });
      this.#page.put(parse(values.mvs.after), ignited(game, values));
      this.#say(text.playon.moved(told.join(", ")));
    });
  }
}
