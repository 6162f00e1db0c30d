// Plays the waves: a button, one step back or on, a slider of steps, and the running total.

import { h } from "./dom.js";
import { setOff } from "./focus.js";
import { icon } from "./icons.js";
import { text } from "./i18n.js";

const STEP_MS = 170;
const REST_MS = 1300;

// show(step): shows the waves at a step; null: the board before them. total(step): the sum of the tails so far.
export class Player {
  #show;
  #total;
  #last = 0;
  #timer = null;
  #button = h("button", { type: "button", class: "main", onclick: () => this.toggle() });
  #back = this.#stepper("‹", text.stepBack, -1);
  #on = this.#stepper("›", text.stepOn, 1);
  #slider = h("input", {
    type: "range", min: 0, max: 0, value: 0, "aria-label": text.stepSlider, oninput: () => this.#seek(),
  });
  #text = h("span", { class: "step" });
  #sum = h("span", { class: "sum" });

  constructor(show, total) {
    this.#show = show;
    this.#total = total;
    this.element = h(
      "div", { class: "player" }, this.#button, this.#back, this.#slider, this.#on,
      h("p", { class: "progress" }, this.#text, this.#sum),
    );
    this.reset(0);
  }

  focus() {
    this.#button.focus();
  }

  get playing() {
    return this.#timer !== null;
  }

  // Begins with a new board, whose waves take so many steps.
  reset(last) {
    this.#stop();
    this.#last = last;
    this.#slider.max = last;
    for (const control of [this.#slider, this.#button]) setOff(control, last === 0);
    this.#go(null);
  }

  // Shows the same step again, after the value has changed.
  refresh() {
    const step = Number(this.#slider.value);
    this.#go(step === 0 ? null : step);
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

  #stepper(sign, name, by) {
    return h("button", {
      type: "button", class: "stepper", "aria-label": name, title: name,
      onclick: () => {
        this.#stop();
        const step = Number(this.#slider.value) + by;
        this.#go(step <= 0 ? null : Math.min(step, this.#last));
      },
    }, sign);
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
    setOff(this.#back, step === null);
    setOff(this.#on, this.#last === 0 || step === this.#last);
    const where = this.#last === 0 ? text.noWaves : text.stepOf(step ?? 0, this.#last);
    this.#text.textContent = where;
    this.#slider.setAttribute("aria-valuetext", where);
    const total = this.#last === 0 ? null : this.#total(step ?? this.#last);
    this.#sum.textContent = total === null ? "" : step === null ? text.inAll(total) : text.running(total);
    this.#show(step);
  }

  #label() {
    const [sign, name] = this.playing ? ["pause", text.pause] : ["play", text.play];
    if (this.#button.lastChild?.data !== name) this.#button.replaceChildren(icon(sign), name);
  }
}
