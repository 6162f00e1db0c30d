// What waits above a board: how much falls next, what an attack would cancel, and whether the game survives it.

import { QUICK_BURNS, RULES, ignite, parse } from "../engine/index.js";
import { h } from "./dom.js";
import { MOST_WAITING, answered, lostIn, nextFall } from "./game.js";
import { text } from "./i18n.js";
import { SHORT } from "./result.js";

const rangeOf = ([low, high]) => (low === high ? `${low}` : `${low}–${high}`);
const verdict = (cells, [low, high], complete = true) => {
  if (!complete) return text.threat.tie;
  const [least, most] = [low, high].map((count) => lostIn(cells, nextFall(count)));
  const { threat: words } = text;
  if (least !== most) return words.tie;
  return least === 0 ? words.safe : least === 7 ? words.lost : words.perhaps(least);
};

// page: {cells, game, shown()}. changed(count): the user has set how much waits.
export class Threat {
  #page;
  #input;
  #rows = h("ul", { class: "facts" });

  constructor(page, changed) {
    this.#page = page;
    const count = () => Math.min(Math.max(Math.floor(Number(this.#input.value)) || 0, 0), MOST_WAITING);
    this.#input = h("input", {
      type: "number", min: 0, max: MOST_WAITING, inputmode: "numeric", "aria-label": text.playon.nuisanceCount,
      onchange: () => changed(count()),
    });
    this.input = this.#input;
    this.element = h("div", { class: "threat" }, this.#rows, h("p", { class: "soft" }, text.threat.assumed(RULES.most_per_fall)));
  }

  // How much falls next: the most that may wait.
  get fall() {
    return nextFall(Math.max(...this.#page.shown().map((ruleset) => this.#page.game.waiting[ruleset][1])));
  }

  refresh() {
    const { cells, game } = this.#page;
    const { threat: words } = text;
    const most = Math.max(...this.#page.shown().map((ruleset) => game.waiting[ruleset][1]));
    if (document.activeElement !== this.#input || Number(this.#input.value) !== most) this.#input.value = most;
    this.element.hidden = most === 0;
    if (most === 0) return;
    this.#rows.replaceChildren(...this.#page.shown().map((ruleset) => {
      const waiting = game.waiting[ruleset];
      const value = ignite(cells, ruleset, { mostBurns: QUICK_BURNS });
      const lines = [words.now(rangeOf(waiting), rangeOf(waiting.map(nextFall)), verdict(cells, waiting))];
      if (value.starts.length > 0) {
        const { gone, left, sent } = answered(value.attack, waiting);
        lines.push(words.answered(rangeOf(gone), rangeOf(sent), left[1] === 0 && value.complete ? null : verdict(parse(value.after), left, value.complete)));
      }
      return h("li", {}, h("b", {}, SHORT[ruleset]), text.best.titled(lines.join(" ")));
    }));
  }
}
