// The graph over time: the chance of winning in a match, else the chain (attack) in reach. It works as a slider.

import { h, s } from "../page/dom.js";
import { GRADE_COLOURS, SIGNS, lookNow } from "./draw.js";
import { text } from "./i18n.js";
import { landedMarks, landedSign, landings } from "./landed.js";
import { isWrong } from "./model.js";
import { FONT } from "./pieces.js";
import { exactPercent, headline, nameOf, number } from "./words.js";

const HEIGHT = 150;
const [LEFT, RIGHT, TOP, BOTTOM] = [40, 12, 20, 20];
const WIDEST = 1400;

export class Graph {
  #game;
  #choose;
  #moves = [];
  #seat = null;
  #landed;
  #at = 0;
  #title = h("h2", { class: "small-title" });
  #svg = s("svg", { class: "curve", "aria-hidden": "true" });
  #watch;

  constructor(game, choose) {
    this.#game = game;
    this.#choose = choose;
    this.#landed = new Map(game.seats.map((seat) => [seat, landings(game.movesOf(seat))]));
    this.slider = h(
      "div",
      {
        class: "graph", role: "slider", tabindex: 0, "aria-valuemin": 1,
        onpointerdown: (event) => this.#pointer(event), onpointermove: (event) => event.buttons === 1 && this.#pointer(event),
        onkeydown: (event) => this.#key(event),
      },
      this.#svg,
    );
    this.element = h("section", { class: "graphbox" }, this.#title, this.slider, this.#legend());
    this.#watch = new ResizeObserver(() => this.redraw());
    this.#watch.observe(this.slider);
  }

  close() {
    this.#watch.disconnect();
  }

  fill(seat, moves) {
    this.#seat = seat;
    this.#moves = moves;
    const title = this.#game.isMatch
      ? text.graphChance(nameOf(this.#game, seat))
      : this.#game.hasSteps ? text.graphChain : text.graphAttack;
    this.#title.textContent = title;
    this.slider.setAttribute("aria-label", title);
    this.slider.setAttribute("aria-valuemax", moves.length);
  }

  show(at) {
    this.#at = at;
    const move = this.#moves[at];
    this.slider.setAttribute("aria-valuenow", at + 1);
    const value = this.#value(move);
    const words = value === null
      ? text.graphNoValue(at + 1, this.#moves.length)
      : text.graphValue(at + 1, this.#moves.length, this.#say(value), headline(move));
    const landed = this.#landed.get(this.#seat).find((one) => one.move === move);
    this.slider.setAttribute("aria-valuetext", landed === undefined ? words : text.graphLanded(words, landed.count));
    this.redraw();
  }

  #legend() {
    const item = (shape, words) => h("li", {}, shape, words);
    const sign = (grade) => h("span", { class: "tag", "data-grade": grade }, SIGNS[grade]);
    const parts = ["inaccuracy", "mistake", "blunder"].map((grade) => item(sign(grade), text.grades[grade]));
    parts.push(item(h("span", { class: "tag", "data-chain": "" }, "★"), text.legendChain));
    if ([...this.#landed.values()].some((all) => all.length > 0)) parts.push(item(landedSign(), text.legendLanded));
    if (this.#game.isMatch) parts.push(h("li", {}, text.legendRival));
    else {
      parts.push(item(h("span", { class: "stroke dashed" }), text.graphBest));
      parts.push(item(h("span", { class: "stroke" }), text.graphPlayed));
    }
    return h("ul", { class: "legend" }, parts);
  }

  #value(move) {
    if (this.#game.isMatch) return move.chance ?? null;
    return move.played ? this.#reach(move.played) : null;
  }

  #reach(choice) {
    return Math.max(this.#game.reach(choice), this.#game.made(choice));
  }

  #say(value) {
    if (this.#game.isMatch) return exactPercent(value);
    return this.#game.hasSteps ? text.steps(value) : number(value);
  }

  // Draws the graph in the width that it has.
  redraw() {
    const width = Math.min(WIDEST, this.slider.clientWidth);
    if (width === 0 || this.#moves.length === 0) return;
    const look = lookNow();
    const game = this.#game;
    const [first, last] = [this.#moves[0].frame, Math.max(this.#moves.at(-1).frame, this.#moves[0].frame + 1)];
    const tops = this.#moves.flatMap((move) => (move.played ? [move.played, move.choices[0]].map((one) => this.#reach(one)) : []));
    const most = game.isMatch ? 1 : Math.max(4, ...tops);
    const x = (move) => LEFT + ((Math.min(Math.max(move.frame, first), last) - first) / (last - first)) * (width - LEFT - RIGHT);
    const y = (value) => TOP + (1 - value / most) * (HEIGHT - TOP - BOTTOM);
    const path = (points) => points.map(([px, py], at) => `${at ? "L" : "M"}${px.toFixed(1)} ${py.toFixed(1)}`).join("");
    const shapes = this.#scale(most, width, y, look);
    this.#moves.forEach((move, at) => {
      if (at === 0 || move.round === this.#moves[at - 1].round) return;
      shapes.push(s("path", { d: `M${x(move)} ${TOP - 8}V${HEIGHT - BOTTOM}`, stroke: look.soft, "stroke-dasharray": "3 4" }));
    });
    const known = this.#moves.filter((move) => this.#value(move) !== null);
    const line = known.map((move) => [x(move), y(this.#value(move))]);
    if (line.length > 0) {
      const area = `${path(line)}L${line.at(-1)[0].toFixed(1)} ${y(0)}L${line[0][0].toFixed(1)} ${y(0)}z`;
      shapes.push(s("path", { d: area, fill: look.best, opacity: 0.16 }));
      shapes.push(s("path", { d: path(line), fill: "none", stroke: look.best, "stroke-width": 2.5, "stroke-linejoin": "round" }));
    }
    if (!game.isMatch) {
      const best = known.map((move) => [x(move), y(this.#reach(move.choices[0]))]);
      shapes.push(s("path", { d: path(best), fill: "none", stroke: look.text, "stroke-width": 1.5, "stroke-dasharray": "5 4" }));
    }
    const marked = game.isMatch ? game.moves : this.#moves;
    for (const move of marked) shapes.push(...this.#mark(move, x(move), y, look));
    const others = game.seats.filter((seat) => seat !== this.#seat).flatMap((seat) => this.#landed.get(seat));
    shapes.push(...landedMarks(this.#landed.get(this.#seat), others, x, HEIGHT - BOTTOM, look));
    const now = this.#moves[this.#at];
    if (now) shapes.push(s("path", { d: `M${x(now)} ${TOP - 12}V${HEIGHT - BOTTOM + 6}`, stroke: look.text, "stroke-width": 2 }));
    this.#svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    this.#svg.setAttribute("height", HEIGHT);
    this.#svg.setAttribute("width", width);
    this.#svg.replaceChildren(...shapes);
    this.#places = this.#moves.map(x);
  }

  #places = [];

  #scale(most, width, y, look) {
    const step = this.#game.isMatch ? 0.25 : Math.max(1, Math.ceil(most / 4));
    const shapes = [];
    for (let value = 0; value <= most + 1e-9; value += step) {
      shapes.push(s("path", { d: `M${LEFT} ${y(value)}H${width - RIGHT}`, stroke: look.line, "stroke-width": value === 0.5 ? 2 : 1 }));
      shapes.push(s(
        "text",
        { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end", "font-size": 11, "font-family": FONT, fill: look.soft },
        this.#game.isMatch ? `${Math.round(100 * value)} %` : String(value),
      ));
    }
    return shapes;
  }

  #mark(move, x, y, look) {
    const mine = move.seat === this.#seat;
    const chain = move.played && (this.#game.hasSteps ? move.played.steps > 1 : move.played.made > 0);
    if (!isWrong(move) && !chain) return [];
    const value = this.#game.isMatch ? this.#game.chanceFor(this.#seat, move) : this.#reach(move.played);
    if (value === null) return [];
    const radius = mine ? 9 : 5;
    const shapes = [];
    const fill = isWrong(move) ? GRADE_COLOURS[move.grade] : "#6a3fa0";
    const sign = isWrong(move) ? SIGNS[move.grade] : "★";
    shapes.push(s("circle", { cx: x, cy: y(value), r: radius, fill, stroke: look.paper, "stroke-width": 1.5, opacity: mine ? 1 : 0.75 }));
    if (!mine) return shapes;
    shapes.push(s(
      "text",
      { x, y: y(value) + 3.8, fill: "#ffffff", "font-size": 10.5, "font-weight": 800, "text-anchor": "middle", "font-family": FONT },
      sign,
    ));
    if (chain && this.#game.hasSteps) {
      shapes.push(s(
        "text",
        { x, y: Math.max(11, y(value) - 12), fill: look.text, "font-size": 11, "font-weight": 700, "text-anchor": "middle", "font-family": FONT },
        String(move.played.steps),
      ));
    }
    return shapes;
  }

  #pointer(event) {
    const box = this.#svg.getBoundingClientRect();
    const at = event.clientX - box.left;
    let nearest = 0;
    this.#places.forEach((place, index) => {
      if (Math.abs(place - at) < Math.abs(this.#places[nearest] - at)) nearest = index;
    });
    if (nearest !== this.#at) this.#choose(nearest);
  }

  #key(event) {
    const last = this.#moves.length - 1;
    const to = {
      ArrowLeft: this.#at - 1, ArrowDown: this.#at - 1, ArrowRight: this.#at + 1, ArrowUp: this.#at + 1, Home: 0, End: last,
      PageUp: this.#at + 10, PageDown: this.#at - 10,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#choose(Math.min(last, Math.max(0, to)));
  }
}
