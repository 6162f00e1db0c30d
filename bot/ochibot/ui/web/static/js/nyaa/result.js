// What a ruleset says about the board, in words and numbers: the headline above a board, and the account beside it.

import { h } from "../dom.js";

export const RULESETS = {
  mvs: { name: "MVS", long: "Neo Geo MVS" },
  ps2: { name: "PS2", long: "PlayStation 2" },
};

const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

export function headline(value) {
  if (value === null) return { number: "…", note: "" };
  const [low, high] = value.attack;
  if (value.tails.length === 0) return { number: "0", note: "nothing is lit" };
  if (value.exact) return { number: String(low), note: "exact" };
  const number = low === high ? String(low) : `${low}–${high}`;
  if (!value.complete) return { number, note: `${low} to ${high}, perhaps more` };
  if (low === high) return { number, note: "the same in every case" };
  return { number, note: `between ${low} and ${high}` };
}

// A sentence for a screen reader.
export function spoken(ruleset, value) {
  const { number, note } = headline(value);
  return `${RULESETS[ruleset].long}: ${value.exact ? number : note}`;
}

function sum(outcome) {
  const counts = new Map();
  for (const { value } of outcome.tails) counts.set(value, (counts.get(value) ?? 0) + 1);
  if (outcome.tails.length <= 9) return outcome.tails.map((tail) => tail.value).join(" + ");
  return [...counts].map(([value, count]) => (count > 1 ? `${count} × ${value}` : value)).join(" + ");
}

function reckoning(ruleset, outcome) {
  const { s0, s1, t, attack, tails } = outcome;
  const lines = [`${sum(outcome)}${tails.length > 1 ? ` = ${s1}` : ""}`];
  const lone = tails.filter((tail) => tail.value === 1).length;
  if (ruleset === "ps2") {
    if (s1 === 1) lines.push("a block alone is worth nothing");
  } else {
    if (lone > 0) lines.push(`without ${plural(lone, "tail")} of 1: ${s0}`);
    const hundredths = 100 * s0 + 4 * t * s1;
    lines.push(`+ 4 % × ${plural(t, "tail")} of ${s1} → ${(hundredths / 100).toFixed(2)}`, `rounded down: ${attack}`);
  }
  return lines;
}

// actions: light(tail number or null), outcome(number)
export class Account {
  #ruleset;
  #actions;
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
    const { name, long } = RULESETS[ruleset];
    this.element = h(
      "section",
      { class: `account ${ruleset}`, "aria-label": `${long}: how the value comes about` },
      h("h2", {}, name, " ", h("small", {}, long)),
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
    const outcome = value.outcomes[number];
    if (outcome.tails.length === 0) {
      this.#body.replaceChildren(h("p", { class: "soft" }, "No needle touches a block of its colour: paint blocks, and put a needle beside one."));
      return;
    }
    const popped = outcome.steps.flat().filter((step) => step > 0).length;
    const steps = Math.max(...outcome.steps.flat());
    this.#body.replaceChildren(
      ...this.#openness(value, number),
      h("div", { class: "reckoning" }, reckoning(this.#ruleset, outcome).map((text) => h("p", {}, text))),
      ...this.#tails(outcome),
      h("p", { class: "soft" }, `${plural(popped, "block")} in ${plural(steps, "step")}`),
    );
  }

  #openness(value, number) {
    if (value.open_ties.length === 0) return [];
    if (value.exact) {
      return [h("p", { class: "soft" }, "How the game settles the tie marked ? isn't known, but the value is the same.")];
    }
    const [low, high] = value.attack;
    const total = value.outcomes_total;
    const picked = total > value.outcomes.length ? ` ${value.outcomes.length} of them can be looked at.` : "";
    const text = value.complete
      ? `How the game settles ${plural(value.open_ties.length, "tie")} (marked ?) isn't known. The value is one of `
        + `${plural(total, "outcome")}, from ${low} to ${high}.${picked}`
      : `There are too many open ties to try them all; the ${plural(total, "outcome")} found go from ${low} to ${high}.${picked}`;
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
      h("p", { class: "open" }, text),
      h(
        "div",
        { class: "pager" },
        go(number - 1, "‹", "The outcome before"),
        h("span", {}, `outcome ${number + 1} of ${value.outcomes.length}: ${value.outcomes[number].attack}`),
        go(number + 1, "›", "The next outcome"),
      ),
    ];
  }

  #light(element) {
    const number = element.dataset.tail;
    this.#actions.light(number === undefined ? null : Number(number));
  }

  #tails(outcome) {
    const owners = [...new Set(outcome.tails.map((tail) => tail.owner))].sort((a, b) => a - b);
    return owners.map((owner) => {
      const mine = outcome.tails.map((tail, number) => [tail, number]).filter(([tail]) => tail.owner === owner);
      const title = owners.length > 1 ? `start ${owner}` : plural(mine.length, "tail");
      return h(
        "div",
        { class: "tails" },
        h("h3", {}, title),
        h("div", { class: "chips" }, mine.map(([tail, number]) => this.#chip(tail, number))),
      );
    });
  }

  #chip(tail, number) {
    const name = `Tail of ${tail.value}, ends in column ${tail.x}, row ${tail.y}; show its path`;
    return h(
      "button",
      { type: "button", class: "chip", "aria-label": name, title: name, "data-tail": number },
      String(tail.value),
    );
  }
}
