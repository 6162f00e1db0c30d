// What the practice panel keeps in this browser: right answers and days in a row, and today's board.

const KEY = "practice";

const pad = (number) => String(number).padStart(2, "0");
// the day in the user's time zone
export const dayOf = (date) => `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
export const seedOf = (day) => Number(day.replaceAll("-", ""));
const dayBefore = (day) => {
  const [year, month, date] = day.split("-").map(Number);
  return dayOf(new Date(year, month - 1, date - 1));
};

// storage can be forbidden; then the streaks last as long as the page
let onPage = {};

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? onPage;
  } catch {
    return onPage;
  }
}

// run: right answers in a row. days: days in a row whose board was read right. last: the last day whose board was answered;
// result: that answer. opened: {day, at}, when a day's board was first seen; its clock runs from then on, whatever is pressed.
export class Streaks {
  // read each time, because another tab of the browser may have counted
  get #kept() {
    return { run: 0, bestRun: 0, days: 0, bestDays: 0, last: null, result: null, opened: null, ...remembered() };
  }

  get run() { return this.#kept.run; }

  get bestRun() { return this.#kept.bestRun; }

  get bestDays() { return this.#kept.bestDays; }

  // The streak of days until a day. A missed day ends it.
  daysAt(day) {
    return [day, dayBefore(day)].includes(this.#kept.last) ? this.#kept.days : 0;
  }

  // The answer that counts for a day: {right, seconds, days}, or null.
  resultOf(day) {
    return this.#kept.last === day ? this.#kept.result : null;
  }

  isAnswered(day) {
    return this.#kept.last === day;
  }

  // When a day's board was first seen, in milliseconds.
  open(day) {
    if (this.#kept.opened?.day !== day) this.#keep({ opened: { day, at: Date.now() } });
    return this.#kept.opened.at;
  }

  // Counts an answer. day: null for any other board. A day's board counts once.
  count(day, right, seconds) {
    if (day !== null && this.isAnswered(day)) return;
    const run = right ? this.#kept.run + 1 : 0;
    const changes = { run, bestRun: Math.max(this.#kept.bestRun, run) };
    if (day !== null) {
      const days = right ? this.daysAt(day) + 1 : 0;
      Object.assign(changes, {
        days, bestDays: Math.max(this.#kept.bestDays, days), last: day, result: { right, seconds, days },
      });
    }
    this.#keep(changes);
  }

  #keep(changes) {
    onPage = { ...this.#kept, ...changes };
    try {
      localStorage.setItem(KEY, JSON.stringify(onPage));
    } catch {
      // onPage has them
    }
  }
}
