// Plays the waves: a button, a slider of steps, and a clock.

import { h } from "../dom.js";
import { icon } from "../icons.js";

const STEP_MS = 170;
const REST_MS = 1300;

// show(step): how far the waves have run; null: not at all, the board as it is
export class Player {
  #show;
  #last = 0;
  #timer = null;
  #button = h("button", { type: "button", class: "main", onclick: () => this.toggle() });
  #slider = h("input", {
    type: "range", min: 0, max: 0, value: 0, "aria-label": "Step of the waves", oninput: () => this.#seek(),
  });
  #text = h("span", { class: "step" });

  constructor(show) {
    this.#show = show;
    this.element = h("div", { class: "player" }, this.#button, this.#slider, this.#text);
    this.reset(0);
  }

  get playing() {
    return this.#timer !== null;
  }

  // A new board, whose waves take so many steps.
  reset(last) {
    this.#stop();
    this.#last = last;
    this.#slider.max = last;
    this.#slider.disabled = this.#button.disabled = last === 0;
    this.#go(null);
  }

  toggle() {
    if (this.playing) {
      this.#stop();
      return;
    }
    const from = Number(this.#slider.value);
    this.#run(from >= this.#last ? 1 : from + 1);
  }

  close() {
    this.#stop();
  }

  #run(step) {
    this.#go(step);
    const next = step < this.#last ? () => this.#run(step + 1) : () => this.reset(this.#last);
    this.#timer = setTimeout(next, step < this.#last ? STEP_MS : REST_MS);
    this.#label();
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#label();
  }

  #seek() {
    this.#stop();
    const step = Number(this.#slider.value);
    this.#go(step === 0 ? null : step);
  }

  #go(step) {
    this.#slider.value = step ?? 0;
    this.#text.textContent = this.#last === 0 ? "no waves" : `step ${step ?? 0} of ${this.#last}`;
    this.#show(step);
  }

  #label() {
    const [sign, name] = this.playing ? ["pause", "Pause"] : ["play", "Play"];
    this.#button.replaceChildren(icon(sign), name);
  }
}
