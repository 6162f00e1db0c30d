// The practice panel: reading a board against the clock, the board of the day, and streaks of right answers and of days.

import { ignite, practiceBoard, same } from "../engine/index.js";
import { h } from "./dom.js";
import { keepFocus } from "./focus.js";
import { text } from "./i18n.js";
import { isTouched, keypad } from "./keypad.js";
import { Streaks, dayOf, seedOf } from "./streaks.js";

// page: {cells, lend(cells), quiz(on), ruleset() (the one to ask for), place(), showText(words, heading)}
export class QuizPanel {
  #page;
  #streaks = new Streaks();
  #asked = null;
  #clock = null;
  #question = h("p", { class: "question" });
  #time = h("span", { class: "time", role: "timer" });
  #input = h("input", {
    type: "text", maxlength: 4, pattern: "[0-9]*", inputmode: isTouched() ? "none" : "numeric", autocomplete: "off",
    "aria-label": text.quiz.answer, required: true,
  });
  #form = h(
    "form",
    {
      class: "row answer", hidden: true,
      onsubmit: (event) => {
        event.preventDefault();
        this.#answer();
      },
    },
    this.#input, isTouched() ? null : h("button", { class: "main" }, text.quiz.ok),
    h("button", { type: "button", class: "give", onclick: () => this.#end(null) }, text.quiz.give), this.#time,
    isTouched() ? keypad(this.#input, { erase: text.quiz.erase, ok: text.quiz.ok }) : null,
  );
  #verdict = h("p", { class: "verdict", role: "status" });
  #rows = h("ul", { class: "sums" });
  #share = h("button", { type: "button", hidden: true, onclick: () => this.#shareResult() }, text.quiz.share);
  #colours = h(
    "select", { "aria-label": text.quiz.colours },
    [2, 3, 4].map((count) => h("option", { value: count, selected: count === 4 }, text.quiz.coloursOf(count))),
  );
  #daily = h("button", { type: "button", class: "main", onclick: () => this.#ask(true) });
  #fresh = h("button", { type: "button", onclick: () => this.#ask(false) }, text.quiz.fresh);

  constructor(page) {
    this.#page = page;
    this.element = h(
      "div",
      { class: "quiz" },
      h("p", { class: "soft" }, text.quiz.intro),
      h("div", { class: "row" }, this.#daily, this.#fresh, this.#colours),
      this.#question, this.#form, this.#verdict, this.#share, this.#rows,
    );
    this.#show();
  }

  close() {
    this.#stopClock();
    this.#asked = null;
    this.#page.quiz(false);
  }

  // Another board, such as one loaded as text, ends the question without an answer.
  refresh() {
    if (this.#asked === null || same(this.#asked.cells, this.#page.cells)) return;
    this.#close();
  }

  #show() {
    const { quiz: words } = text;
    const today = dayOf(new Date());
    this.#daily.textContent = words.daily(today);
    const { run, bestRun, bestDays } = this.#streaks;
    this.#rows.replaceChildren(
      h("li", {}, words.run(run, bestRun)), h("li", {}, words.days(this.#streaks.daysAt(today), bestDays)),
    );
    this.#share.hidden = this.#streaks.resultOf(today) === null;
  }

  #ask(daily) {
    const day = dayOf(new Date());
    const seed = daily ? seedOf(day) : Math.floor(Math.random() * 1_000_000);
    const cells = practiceBoard(seed, daily ? 4 : Number(this.#colours.value));
    const ruleset = this.#page.ruleset();
    this.#asked = null;
    this.#page.quiz(true);
    this.#page.lend(cells);
    const counts = daily && !this.#streaks.isAnswered(day);
    this.#asked = {
      day: daily ? day : null, cells, attack: ignite(cells, ruleset).attack[0],
      began: counts ? this.#streaks.open(day) : Date.now(),
    };
    this.#question.textContent = text.quiz.ask(text.rulesets[ruleset]);
    this.#verdict.textContent = daily && !counts ? `${text.quiz.doneToday} ${text.quiz.todayAgain}` : "";
    delete this.#verdict.dataset.right;
    this.#share.hidden = true;
    this.element.dataset.asked = "on";
    this.#form.hidden = false;
    this.#input.value = "";
    // the keyboard of a phone would cover the board
    if (!isTouched()) this.#input.focus({ preventScroll: true });
    this.#stopClock();
    this.#clock = setInterval(() => this.#tick(), 100);
    this.#tick();
  }

  #seconds() {
    return ((Date.now() - this.#asked.began) / 1000).toFixed(1);
  }

  #tick() {
    this.#time.textContent = text.quiz.seconds(this.#seconds());
  }

  #stopClock() {
    clearInterval(this.#clock);
    this.#time.textContent = "";
  }

  #answer() {
    const guess = this.#input.value.trim();
    if (!/^\d+$/.test(guess)) {
      this.#verdict.textContent = text.quiz.notNumber;
      return;
    }
    this.#end(Number(guess));
  }

  // guess: null if the user gives up
  #end(guess) {
    const { day, attack } = this.#asked;
    const seconds = this.#seconds();
    const right = guess === attack;
    this.#streaks.count(day, right, seconds);
    const { quiz: words } = text;
    this.#verdict.textContent = right ? words.right(seconds) : guess === null ? words.given(attack) : words.wrong(guess, attack);
    this.#verdict.dataset.right = right;
    this.#close();
    this.#show();
  }

  #close() {
    const asker = this.#asked.day === null ? this.#fresh : this.#daily;
    keepFocus(this.#form, () => { this.#form.hidden = true; }, () => asker);
    delete this.element.dataset.asked;
    this.#question.textContent = "";
    this.#stopClock();
    this.#asked = null;
    this.#page.quiz(false);
  }

  // Without the board's address, which would tell the answer.
  async #shareResult() {
    const day = dayOf(new Date());
    const { right, seconds, days } = this.#streaks.resultOf(day);
    const message = `${text.quiz.result(day, right, seconds, days)}\n${this.#page.place()}`;
    try {
      if (navigator.share) await navigator.share({ text: message });
      else {
        await navigator.clipboard.writeText(message);
        this.#verdict.textContent = text.quiz.shared;
      }
    } catch (error) {
      if (error.name !== "AbortError") this.#page.showText(message, text.quiz.share);
    }
  }
}
