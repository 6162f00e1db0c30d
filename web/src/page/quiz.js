// The practice panel: reading a board against the clock, the board of the day, and streaks of right answers and of days.

import { ignite, practiceBoard, same } from "../engine/index.js";
import { h } from "./dom.js";
import { keepFocus } from "./focus.js";
import { text } from "./i18n.js";

const KEY = "practice";

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

function remember(record) {
  try {
    localStorage.setItem(KEY, JSON.stringify(record));
  } catch {
    // storage can be forbidden; then the streaks last as long as the page
  }
}

const pad = (number) => String(number).padStart(2, "0");
// the day in the user's time zone
export const dayOf = (date) => `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
export const seedOf = (day) => Number(day.replaceAll("-", ""));
const dayBefore = (day) => {
  const [year, month, date] = day.split("-").map(Number);
  return dayOf(new Date(year, month - 1, date - 1));
};

// page: {cells, put(cells), quiz(on), ruleset() (the one to ask for), address(), showText(words, heading)}
export class QuizPanel {
  #page;
  #record = { run: 0, bestRun: 0, days: 0, bestDays: 0, last: null, ...remembered() };
  #asked = null;
  #clock = null;
  #question = h("p", { class: "question" });
  #time = h("span", { class: "time", role: "timer" });
  #input = h("input", { type: "number", min: 0, max: 9999, inputmode: "numeric", "aria-label": text.quiz.answer, required: true });
  #form = h(
    "form",
    {
      class: "row", hidden: true,
      onsubmit: (event) => {
        event.preventDefault();
        this.#answer();
      },
    },
    this.#input, h("button", { class: "main" }, text.quiz.ok),
    h("button", { type: "button", onclick: () => this.#end(null) }, text.quiz.give), this.#time,
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
  #result = null;

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
    this.#daily.textContent = words.daily(dayOf(new Date()));
    const { run, bestRun, bestDays } = this.#record;
    const days = this.#daysNow();
    this.#rows.replaceChildren(h("li", {}, words.run(run, bestRun)), h("li", {}, words.days(days, bestDays)));
  }

  // The streak of days until today. A missed day ends it.
  #daysNow() {
    const today = dayOf(new Date());
    return [today, dayBefore(today)].includes(this.#record.last) ? this.#record.days : 0;
  }

  #ask(daily) {
    const day = dayOf(new Date());
    const seed = daily ? seedOf(day) : Math.floor(Math.random() * 1_000_000);
    const cells = practiceBoard(seed, daily ? 4 : Number(this.#colours.value));
    const ruleset = this.#page.ruleset();
    this.#asked = null;
    this.#page.quiz(true);
    this.#page.put(cells);
    this.#asked = { day: daily ? day : null, cells, attack: ignite(cells, ruleset).attack[0], began: performance.now() };
    this.#question.textContent = text.quiz.ask(text.rulesets[ruleset]);
    this.#verdict.textContent = daily && this.#record.last === day ? `${text.quiz.doneToday} ${text.quiz.todayAgain}` : "";
    this.#share.hidden = true;
    this.#form.hidden = false;
    this.#input.value = "";
    this.#input.focus({ preventScroll: true });
    this.#stopClock();
    this.#clock = setInterval(() => this.#tick(), 100);
    this.#tick();
  }

  #seconds() {
    return ((performance.now() - this.#asked.began) / 1000).toFixed(1);
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
    const record = this.#record;
    record.run = right ? record.run + 1 : 0;
    record.bestRun = Math.max(record.bestRun, record.run);
    if (day !== null && record.last !== day) {
      record.days = right ? (record.last === dayBefore(day) ? record.days + 1 : 1) : 0;
      record.bestDays = Math.max(record.bestDays, record.days);
      record.last = day;
    }
    remember(record);
    this.#result = day === null ? null : text.quiz.result(day, right, seconds, record.days);
    const { quiz: words } = text;
    this.#verdict.textContent = right ? words.right(seconds) : guess === null ? words.given(attack) : words.wrong(guess, attack);
    this.#verdict.dataset.right = right;
    this.#share.hidden = this.#result === null;
    this.#close();
    this.#show();
  }

  #close() {
    const asker = this.#asked.day === null ? this.#fresh : this.#daily;
    keepFocus(this.#form, () => { this.#form.hidden = true; }, () => asker);
    this.#question.textContent = "";
    this.#stopClock();
    this.#asked = null;
    this.#page.quiz(false);
  }

  async #shareResult() {
    const message = `${this.#result}\n${this.#page.address()}`;
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
