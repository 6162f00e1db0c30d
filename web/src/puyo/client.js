// The page's side of the engine, which runs in a worker. docs/browser-engine.md describes the methods.

import WORKER from "text-of:./worker.js";

export class EngineClient {
  // Starts the worker from a Blob, so that it also works on a page that was opened as a file.
  constructor() {
    this.address = URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" }));
    this.waiting = new Map();
    this.last = 0;
    this.start();
  }

  start() {
    this.worker = new Worker(this.address);
    this.worker.onmessage = ({ data: { id, result, error } }) => {
      const asked = this.waiting.get(id);
      this.waiting.delete(id);
      if (error === undefined) asked?.done(result);
      else asked?.failed(new Error(error));
    };
    this.worker.onerror = (event) => this.fail(new Error(event.message || "the engine's worker stopped"));
  }

  fail(error) {
    for (const { failed } of this.waiting.values()) failed(error);
    this.waiting.clear();
  }

  ask(method, given) {
    return new Promise((done, failed) => {
      this.last += 1;
      this.waiting.set(this.last, { done, failed });
      this.worker.postMessage({ id: this.last, method, given });
    });
  }

  analyse(given) {
    return this.ask("analyse", given);
  }

  places(field, pair, rules) {
    return this.ask("places", { field, pair, rules });
  }

  resolve(field, rules) {
    return this.ask("resolve", { field, rules });
  }

  steps(field, rules) {
    return this.ask("steps", { field, rules });
  }

  reach(field, rules, colors) {
    return this.ask("reach", { field, rules, colors });
  }

  // Lets the browser compile the kernels before the first question.
  warm(rules) {
    return this.ask("warm", { rules });
  }

  // Ends all questions that have no answer yet; they fail.
  cancel() {
    this.worker.terminate();
    this.fail(new Error("cancelled"));
    this.start();
  }

  // Ends the worker for good.
  close() {
    this.worker.terminate();
    this.fail(new Error("closed"));
    URL.revokeObjectURL(this.address);
  }
}
