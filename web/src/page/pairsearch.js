// The search for the best pair of all colours: in a worker, or on the page where no worker can start, as in a page opened as
// a file.

import { bestOfPairs } from "../engine/index.js";
import { Background } from "./background.js";

export class PairSearch {
  #worker = null;
  #background = new Background();
  #job = 0;
  #wanted = null;
  // whether a worker has answered, and whether it can't
  #works = false;
  #fails = false;

  // found(ruleset, best): called for each ruleset. failed(error)
  start(cells, rulesets, mostBurns, found, failed) {
    // a search that still runs is for another board
    if (this.#wanted !== null && this.#works) this.#end();
    this.#job += 1;
    this.#wanted = { cells, rulesets, mostBurns, found, failed, left: rulesets.length };
    if (!this.#fails && this.#begin()) {
      this.#worker.postMessage({ job: this.#job, cells, rulesets, mostBurns });
      return;
    }
    this.#onPage();
  }

  stop() {
    this.#wanted = null;
    this.#background.stop();
    this.#end();
  }

  #begin() {
    if (this.#worker !== null) return true;
    try {
      this.#worker = new Worker("best.js");
    } catch {
      this.#fails = true;
      return false;
    }
    this.#worker.onmessage = ({ data: { job, ruleset, best } }) => {
      this.#works = true;
      if (job !== this.#job || this.#wanted === null) return;
      const { found } = this.#wanted;
      this.#wanted.left -= 1;
      if (this.#wanted.left === 0) this.#wanted = null;
      found(ruleset, best);
    };
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#fails = true;
      this.#end();
      if (this.#wanted !== null) this.#onPage();
    };
    return true;
  }

  #onPage() {
    const { cells, rulesets, mostBurns, found, failed } = this.#wanted;
    this.#background.start(
      rulesets.map((one) => [bestOfPairs(cells, one, { mostBurns }), (best) => found(one, best)]),
      () => { this.#wanted = null; }, failed,
    );
  }

  #end() {
    this.#worker?.terminate();
    this.#worker = null;
  }
}
