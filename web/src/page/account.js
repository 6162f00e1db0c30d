// The account beside a board: open ties, the sum, every tail, and the sum in words. Its elements stay from one board to
// the next, and only those that differ are changed: a full board has some eighty tails, and a touch must take at most 16 ms.

import { h } from "./dom.js";
import { setOff } from "./focus.js";
import { text } from "./i18n.js";
import { SHORT, ownersOf, reckoning, sentences, valuesOf } from "./result.js";

function write(element, words) {
  if (element.textContent !== words) element.textContent = words;
}

// Makes a parent have so many children: removes further ones, and makes missing ones.
function fit(parent, count, make) {
  while (parent.childElementCount > count) parent.lastElementChild.remove();
  while (parent.childElementCount < count) parent.append(make());
  return parent.children;
}

// The rows of tails: [{mine: [[tail, its number], ...], title}]. Starts with equal tails share a row.
function rowsOf(outcome) {
  const owners = ownersOf(outcome);
  const alike = new Map();
  for (const owner of owners) {
    const name = valuesOf(outcome, owner).join();
    alike.set(name, [...(alike.get(name) ?? []), owner]);
  }
  return [...alike.values()].map((group) => {
    const mine = outcome.tails.map((tail, at) => [tail, at]).filter(([tail]) => tail.owner === group[0]);
    let title = text.tails(mine.length);
    if (owners.length > 1) title = group.length > 1 ? text.starts(group) : text.start(group[0]);
    return { mine, title };
  });
}

function writeChip(chip, tail, at) {
  const name = text.chip(tail.value, tail.x, tail.y);
  if (chip.title !== name) {
    chip.title = name;
    chip.setAttribute("aria-label", name);
    chip.textContent = tail.value;
  }
  if (chip.dataset.tail !== `${at}`) chip.dataset.tail = at;
}

// actions: light(tail number or null), outcome(number)
export class Account {
  #ruleset;
  #actions;
  #outcome = null;
  #before = null;
  #number = 0;
  #hint = h("p", { class: "soft" }, text.paintHint);
  #same = h("p", { class: "soft" }, text.tieSame);
  #open = h("p", { class: "open" });
  #back = this.#turner("‹", text.before, -1);
  #on = this.#turner("›", text.next, 1);
  #which = h("span");
  #pager = h("div", { class: "pager" }, this.#back, this.#which, this.#on);
  #sum = h("div", { class: "reckoning" });
  #rows = h("div", { class: "starts" });
  #count = h("p", { class: "soft" });
  #sentences = h("p", { class: "sentences" });
  #words = h(
    "details", { ontoggle: () => this.#explain() }, h("summary", {}, text.inWords), this.#sentences,
  );
  #body = h(
    "div",
    {
      class: "account-body",
      onpointerover: (event) => this.#light(event.target),
      onpointerleave: () => this.#actions.light(null),
      onfocusin: (event) => this.#light(event.target),
      onfocusout: () => this.#actions.light(null),
      onclick: (event) => this.#light(event.target),
    },
    this.#hint, this.#same, this.#open, this.#pager, this.#sum, this.#rows, this.#count, this.#words,
  );

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
    this.show(null, 0);
  }

  // Opens the words, or sets them back to how the user left them.
  explain(on) {
    if (on === (this.#before !== null)) return;
    if (on) this.#before = this.#words.open;
    this.#words.open = on || this.#before;
    if (!on) this.#before = null;
    this.#explain();
  }

  // value: null while it isn't known. Then the account is empty, so that it never shows another board's value.
  show(value, number) {
    const outcome = value?.outcomes[number] ?? null;
    const lit = outcome !== null && outcome.tails.length > 0;
    this.#outcome = lit ? outcome : null;
    this.#number = number;
    this.#hint.hidden = outcome === null || lit;
    for (const part of [this.#sum, this.#rows, this.#count, this.#words]) part.hidden = !lit;
    this.#showOpenness(lit ? value : null, number);
    if (!lit) {
      for (const part of [this.#sum, this.#rows]) part.replaceChildren();
      return;
    }
    const lines = reckoning(this.#ruleset, outcome);
    const sums = fit(this.#sum, lines.length, () => h("p"));
    lines.forEach((line, at) => write(sums[at], line));
    const wanted = rowsOf(outcome);
    const rows = fit(this.#rows, wanted.length, () =>
      h("div", { class: "tails" }, h("h3"), h("div", { class: "chips" })));
    wanted.forEach(({ mine, title }, row) => {
      const [head, box] = rows[row].children;
      write(head, title);
      const chips = fit(box, mine.length, () => h("button", { type: "button", class: "chip" }));
      mine.forEach(([tail, at], place) => writeChip(chips[place], tail, at));
    });
    const steps = outcome.steps.flat();
    write(this.#count, text.blocksInSteps(steps.filter((step) => step > 0).length, Math.max(...steps)));
    this.#explain();
  }

  #showOpenness(value, number) {
    const ties = value?.open_ties.length ?? 0;
    const open = ties > 0 && !value.attack_exact;
    const several = ties > 0 && !value.exact;
    this.#same.hidden = ties === 0 || open;
    this.#open.hidden = !open;
    this.#pager.hidden = !several;
    if (!several) {
      if (ties > 0) write(this.#same, text.tieSame);
      return;
    }
    const [low, high] = value.attack;
    const [total, shown] = [value.outcomes_total, value.outcomes.length];
    write(this.#same, `${text.tieSame} ${text.tieOthers(total)}`);
    const words = value.complete ? text.ties(ties, total, low, high) : text.tooMany(total, low, high);
    write(this.#open, `${words}${total > shown ? text.picked(shown) : ""}`);
    write(this.#which, text.outcome(number + 1, shown, value.outcomes[number].attack));
    setOff(this.#back, number === 0);
    setOff(this.#on, number === shown - 1);
  }

  #turner(sign, name, by) {
    return h(
      "button",
      { type: "button", "aria-label": name, onclick: () => this.#actions.outcome(this.#number + by) },
      sign,
    );
  }

  #explain() {
    if (this.#words.open && this.#outcome !== null) write(this.#sentences, text.paragraph(sentences(this.#ruleset, this.#outcome)));
  }

  #light(element) {
    const number = element.dataset?.tail;
    this.#actions.light(number === undefined ? null : Number(number));
  }
}
