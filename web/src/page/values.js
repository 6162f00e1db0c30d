// The values of the shown boards: at once, and again with as many ways to settle ties as the command tries, when painting
// has stopped.

import { MOST_BURNS, QUICK_BURNS, ignite, igniteInSlices } from "../engine/index.js";
import { Background } from "./background.js";

const REST_MS = 600;

export class Values {
  #show;
  #search = new Background();
  #rest = null;

  // show(values by ruleset, error, isSameBoard): values is null if the engine failed
  constructor(show) {
    this.#show = show;
  }

  // Values a board under some rulesets.
  of(cells, rulesets) {
    this.stop();
    let values = null;
    let fault = null;
    try {
      values = Object.fromEntries(rulesets.map((one) => [one, ignite(cells, one, { mostBurns: QUICK_BURNS })]));
    } catch (error) {
      fault = error;
    }
    this.#show(values, fault, false);
    if (values === null || Object.values(values).every((value) => value.complete)) return;
    this.#rest = setTimeout(() => this.#tryAll(cells, rulesets), REST_MS);
  }

  stop() {
    clearTimeout(this.#rest);
    this.#search.stop();
  }

  // In slices of a few milliseconds, so that a touch never waits.
  #tryAll(cells, rulesets) {
    const values = {};
    const jobs = rulesets.map((one) => [
      igniteInSlices(cells, one, { mostBurns: MOST_BURNS }), (value) => { values[one] = value; },
    ]);
    this.#search.start(jobs, () => this.#show(values, null, true), (error) => this.#show(null, error, true));
  }
}
