// Long searches in small slices, so that the page stays responsive.

const SLICE_MS = 5;

// Runs generators one after another, a few milliseconds at a time. A new start ends the searches before it.
export class Background {
  #timer = null;
  #channel = new MessageChannel();
  #turn = null;

  constructor() {
    this.#channel.port1.onmessage = () => this.#turn?.();
  }

  // jobs: [[generator, done(result)], ...]. finished(): after the last. failed(error): a generator threw; the others don't
  // run.
  start(jobs, finished, failed) {
    const queue = [...jobs];
    this.#turn = () => {
      try {
        work();
      } catch (error) {
        this.#turn = null;
        failed(error);
      }
    };
    const work = () => {
      const until = performance.now() + SLICE_MS;
      while (queue.length > 0) {
        const [search, done] = queue[0];
        const { done: over, value } = search.next();
        if (over) {
          queue.shift();
          done(value);
        }
        if (performance.now() > until) break;
      }
      if (queue.length > 0) this.#channel.port2.postMessage(0);
      else {
        this.#turn = null;
        finished();
      }
    };
    clearTimeout(this.#timer);
    // only after the page has shown the value
    this.#timer = setTimeout(() => this.#channel.port2.postMessage(0), 0);
  }

  stop() {
    clearTimeout(this.#timer);
    this.#turn = null;
  }
}
