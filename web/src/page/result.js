// What a ruleset says about the board, in words and numbers: the headline above a board, and the account beside it.

import { h } from "./dom.js";
import { text } from "./i18n.js";

export const SHORT = { mvs: "MVS", ps2: "PS2" };

export const rangeOf = ({ attack: [low, high], complete }) =>
  `${low === high ? low : `${low}–${high}`}${complete ? "" : "+"}`;

export function headline(value) {
  if (value === null) return { number: "…", note: "" };
  const [low, high] = value.attack;
  const number = rangeOf(value);
  if (value.tails.length === 0) return { number, note: text.nothingLit };
  if (value.exact) return { number, note: text.exact };
  if (!value.complete) return { number, note: text.perhapsMore(low, high) };
  return { number, note: low === high ? text.sameAlways : text.between(low, high) };
}

// A sentence for a screen reader.
export function spoken(ruleset, value) {
  const { number, note } = headline(value);
  return text.spoken(text.rulesets[ruleset], value.exact ? number : note);
}

function sum(outcome) {
  const counts = new Map();
  for (const { value } of outcome.tails) counts.set(value, (counts.get(value) ?? 0) + 1);
  if (outcome.tails.length <= 9) return outcome.tails.map((tail) => tail.value).join(" + ");
  return [...counts].map(([value, count]) => (count > 1 ? `${count} × ${value}` : value)).join(" + ");
}

const ownersOf = (outcome) => [...new Set(outcome.tails.map((tail) => tail.owner))].sort((a, b) => a - b);
const valuesOf = (outcome, owner) => outcome.tails.filter((tail) => tail.owner === owner).map((tail) => tail.value);

function reckoning(ruleset, outcome) {
  const { s0, s1, t, attack, tails } = outcome;
  const lines = [`${sum(outcome)}${tails.length > 1 ? ` = ${s1}` : ""}`];
  const lone = tails.filter((tail) => tail.value === 1).length;
  if (ruleset === "ps2") {
    if (s1 === 1) lines.push(text.loneNothing);
  } else {
    if (lone > 0) lines.push(text.withoutOnes(lone, s0));
    const owners = ownersOf(outcome);
    const most = owners.find((owner) => valuesOf(outcome, owner).length === t);
    const of = owners.length > 1 ? text.ofStart(most) : "";
    lines.push(text.bonusLine(t, of, s1, ((100 * s0 + 4 * t * s1) / 100).toFixed(2)), text.rounded(attack));
  }
  return lines;
}

// The same as a few sentences.
function told(ruleset, outcome) {
  const { s1, t, attack, tails } = outcome;
  const { words } = text;
  const lines = [
    words.lit(ownersOf(outcome).length, Math.max(...outcome.steps.flat())), words.tails(tails.map((tail) => tail.value)),
  ];
  if (s1 === 1) return [...lines, words.alone];
  if (tails.length > 1) lines.push(words.sum(s1));
  if (ruleset === "ps2") return [...lines, words.ps2(attack)];
  const lone = tails.filter((tail) => tail.value === 1).length;
  if (lone > 0) lines.push(words.ones(lone));
  return [...lines, words.bonus(t, 4 * t, s1, ((4 * t * s1) / 100).toFixed(2)), words.floor(attack)];
}

// actions: light(tail number or null), outcome(number), start(examples wanted)
export class Account {
  #ruleset;
  #actions;
  #open = false;
  #body = h("div", {
    class: "account-body",
    onpointerover: (event) => this.#light(event.target),
    onpointerleave: () => this.#actions.light(null),
    onfocusin: (event) => this.#light(event.target),
    onfocusout: () => this.#actions.light(null),
    onclick: (event) => this.#light(event.target),
  });

  constructor(ruleset, actions) {
    this.#ruleset = ruleset;
    this.#actions = actions;
    const long = text.rulesets[ruleset];
    this.element = h(
      "section",
      { class: `account ${ruleset}`, "aria-label": text.accountOf(long) },
      h("h2", {}, SHORT[ruleset], " ", h("small", {}, long)),
      this.#body,
    );
  }

  show(value, number) {
    // what is replaced may have the focus: it goes to what takes its place
    const focused = this.#body.contains(document.activeElement) ? document.activeElement.ariaLabel : null;
    this.#render(value, number);
    if (focused === null) return;
    const heir = [...this.#body.querySelectorAll("button")].find((button) => button.ariaLabel === focused);
    (heir?.disabled ? this.#body.querySelector(".pager button:enabled") : heir)?.focus();
  }

  #render(value, number) {
    if (value === null) {
      this.#body.replaceChildren();
      return;
    }
    const outcome = value.outcomes[number];
    if (outcome.tails.length === 0) {
      this.#body.replaceChildren(h("p", { class: "soft" }, text.paintHint));
      return;
    }
    const popped = outcome.steps.flat().filter((step) => step > 0).length;
    const steps = Math.max(...outcome.steps.flat());
    this.#body.replaceChildren(
      ...this.#openness(value, number),
      h("div", { class: "reckoning" }, reckoning(this.#ruleset, outcome).map((line) => h("p", {}, line))),
      ...this.#tails(outcome),
      h("p", { class: "soft" }, text.blocksInSteps(popped, steps)),
      h(
        "details",
        { open: this.#open, ontoggle: (event) => { this.#open = event.target.open; } },
        h("summary", {}, text.inWords),
        h("p", { class: "told" }, told(this.#ruleset, outcome).join(" ")),
      ),
    );
  }

  #openness(value, number) {
    if (value.open_ties.length === 0) return [];
    if (value.exact) return [h("p", { class: "soft" }, text.tieSame)];
    const [low, high] = value.attack;
    const total = value.outcomes_total;
    const picked = total > value.outcomes.length ? text.picked(value.outcomes.length) : "";
    const words = value.complete
      ? text.ties(value.open_ties.length, total, low, high) : text.tooMany(total, low, high);
    const go = (to, sign, name) =>
      h(
        "button",
        {
          type: "button", "aria-label": name, disabled: to < 0 || to >= value.outcomes.length,
          onclick: () => this.#actions.outcome(to),
        },
        sign,
      );
    return [
      h("p", { class: "open" }, `${words}${picked}`),
      h(
        "div",
        { class: "pager" },
        go(number - 1, "‹", text.before),
        h("span", {}, text.outcome(number + 1, value.outcomes.length, value.outcomes[number].attack)),
        go(number + 1, "›", text.next),
      ),
    ];
  }

  #light(element) {
    const number = element.dataset?.tail;
    this.#actions.light(number === undefined ? null : Number(number));
  }

  // The tails of each start; starts whose tails have the same values share a row.
  #tails(outcome) {
    const owners = ownersOf(outcome);
    const alike = Map.groupBy
      ? Map.groupBy(owners, (owner) => valuesOf(outcome, owner).join())
      : owners.reduce((all, owner) => {
        const name = valuesOf(outcome, owner).join();
        return all.set(name, [...(all.get(name) ?? []), owner]);
      }, new Map());
    return [...alike.values()].map((group) => {
      const mine = outcome.tails.map((tail, at) => [tail, at]).filter(([tail]) => tail.owner === group[0]);
      let title = text.tails(mine.length);
      if (owners.length > 1) title = group.length > 1 ? text.starts(group) : text.start(group[0]);
      return h(
        "div",
        { class: "tails" },
        h("h3", {}, title),
        h("div", { class: "chips" }, mine.map(([tail, at]) => this.#chip(tail, at))),
      );
    });
  }

  #chip(tail, at) {
    const name = text.chip(tail.value, tail.x, tail.y);
    return h(
      "button",
      { type: "button", class: "chip", "aria-label": name, title: name, "data-tail": at },
      String(tail.value),
    );
  }
}
