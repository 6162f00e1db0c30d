// The analysis board: any field and pairs, painted, read from text or a link, or taken from the game; its chain step by step,
// its links, and the best places.

import { h, s } from "../page/dom.js";
import { keepFocus, setOff } from "../page/focus.js";
import { Best } from "./best.js";
import { EMPTY, FieldFault, coloursOf, emptyField, parseField, textOf } from "./field.js";
import { text } from "./i18n.js";
import { icon } from "./icons.js";
import { fromLink } from "./links.js";
import { Pictures, chainPictures } from "./motion.js";
import { Painter } from "./painter.js";
import { linkRow, sharePicture } from "./picture.js";
import { pieceOf } from "./pieces.js";
import { PROFILES } from "./profiles.js";
import { number } from "./words.js";

const PAIRS = 3;
const [AXIS, PARTNER] = [0, 1];
const OWN = "own";

const newState = (position, rules) => ({
  rules, cells: position?.cells ?? null, pairs: Array.from({ length: PAIRS }, (_, at) => position?.pairs[at] ?? [EMPTY, EMPTY]), undone: [], done: [],
});

export class Analysis {
  #page;
  #state;
  #painter;
  #pictures = new Pictures();
  #chain = null;
  #pairs = h("div", { class: "pairrow" });
  #links = h("div", {});
  #told = h("p", { class: "chainresult", role: "status" });
  #fault = h("p", { class: "fault", role: "alert" });
  #area = h("textarea", { id: "exchange", rows: 5, spellcheck: false, autocapitalize: "off" });
  #buttons = {};
  #left = h("div", { class: "easel" });

  // page: {game, state: {position, analysis}, say(words), showText(heading, words)}
  constructor(page) {
    this.#page = page;
    const rules = page.game === null ? "tsu" : OWN;
    if (page.state.position !== null) page.state.analysis = newState(page.state.position, page.state.position.rules ?? rules);
    page.state.position = null;
    page.state.analysis ??= newState(null, rules);
    this.#state = page.state.analysis;
    this.#state.cells ??= emptyField(this.board);
    this.best = new Best({
      position: () => ({ cells: this.#state.cells, pairs: this.pairs, board: this.board, rules: this.#state.rules === OWN ? page.game.review.rules : this.#state.rules }),
      show: (choice) => this.#ghost(choice),
      drop: (choice) => this.#drop(choice),
      look: () => this.#painter.element.scrollIntoView({ block: "nearest" }),
    });
    this.element = h(
      "div",
      { class: "analysis" },
      this.#left,
      h(
        "div",
        { class: "desk" },
        h("section", { class: "box" }, h("h2", {}, text.pairs), this.#pairs, h("p", { class: "soft" }, text.pairsHint), this.#rules()),
        this.best.element,
        this.#exchange(),
        h("section", { class: "box" }, h("h2", {}, text.links), this.#links, h("p", { class: "soft" }, text.leaves)),
      ),
    );
    this.#build();
  }

  get board() {
    return this.#state.rules === OWN ? this.#page.game.board : PROFILES[this.#state.rules];
  }

  // The pairs before the first that isn't whole.
  get pairs() {
    const end = this.#state.pairs.findIndex((pair) => pair.includes(EMPTY));
    return this.#state.pairs.slice(0, end < 0 ? PAIRS : end);
  }

  close() {
    this.#pictures.stop();
    this.best.close();
  }

  redraw() {
    this.#painter.redraw();
  }

  #build() {
    this.#painter = new Painter(this.board, (cells, before) => this.#change({ cells }, before));
    const button = (name, does, words = false) => {
      this.#buttons[name] = words
        ? h("button", { type: "button", onclick: does }, text[name])
        : h("button", { type: "button", "aria-label": text[name], title: text[name], onclick: does }, icon(name));
      return this.#buttons[name];
    };
    this.#left.replaceChildren(
      this.#painter.element,
      this.#painter.tools,
      h(
        "div",
        { class: "row" },
        button("undo", () => this.#undo(this.#state.done, this.#state.undone)), button("redo", () => this.#undo(this.#state.undone, this.#state.done)),
        button("mirror", () => this.#mirror()), button("clear", () => this.#change({ cells: emptyField(this.board) })),
        h("button", { type: "button", "aria-label": text.picture, title: text.picture, onclick: () => this.#picture() }, icon("picture")),
      ),
      h("div", { class: "row" }, button("runChain", () => this.#run(), true), button("nextStep", () => this.#step(), true), button("stopChain", () => this.#stop(), true)),
      this.#told,
    );
    this.#show();
  }

  #rules() {
    const names = [...(this.#page.game === null ? [] : [OWN]), ...Object.keys(PROFILES)];
    const nameOf = (name) => (name === OWN ? `${this.#page.game.review.rules} (${text.rulesOfGame})` : text.rulesNames[name]);
    return h(
      "label",
      { class: "row" },
      h("span", {}, text.rules),
      h(
        "select",
        { onchange: (event) => { this.#state.rules = event.target.value; this.#stop(); this.#build(); } },
        names.map((name) => h("option", { value: name, selected: name === this.#state.rules }, nameOf(name))),
      ),
    );
  }

  #exchange() {
    return h(
      "section",
      { class: "box" },
      h("h2", {}, text.textTitle),
      h("label", { class: "field", for: "exchange" }, text.textLabel),
      this.#area,
      this.#fault,
      h(
        "div",
        { class: "row" },
        h("button", { type: "button", class: "main", onclick: () => this.#load() }, text.load),
        h("button", { type: "button", onclick: () => { this.#area.value = textOf(this.#state.cells, this.board); } }, text.asText),
      ),
    );
  }

  #load() {
    this.#fault.textContent = "";
    try {
      const found = fromLink(this.#area.value, this.board) ?? { cells: parseField(this.#area.value, this.board), pairs: null };
      const pairs = found.pairs === null || found.pairs.length === 0 ? this.#state.pairs : newState(found).pairs;
      this.#change({ cells: found.cells, pairs });
      this.#page.say(text.loaded);
    } catch (error) {
      if (!(error instanceof FieldFault)) throw error;
      this.#fault.textContent = text.faults[error.what](...error.details);
    }
  }

  // Changes the position; what was before can be had back.
  #change(change, before = this.#state.cells) {
    this.#state.done.push({ cells: before, pairs: this.#state.pairs });
    this.#state.undone.length = 0;
    Object.assign(this.#state, change);
    this.#show();
  }

  #undo(from, to) {
    const kept = from.pop();
    if (kept === undefined) return;
    to.push({ cells: this.#state.cells, pairs: this.#state.pairs });
    Object.assign(this.#state, kept);
    this.#show();
  }

  #mirror() {
    const { columns } = this.board;
    this.#change({ cells: this.#state.cells.map((_, cell, all) => all[cell - (cell % columns) + columns - 1 - (cell % columns)]) });
  }

  #show() {
    this.#pictures.stop();
    this.#chain = null;
    this.#told.textContent = "";
    this.#painter.show(this.#state.cells);
    keepFocus(this.#pairs, () => this.#showPairs(), () => this.#buttons.clear);
    this.#links.replaceChildren(linkRow(this.#page, { cells: this.#state.cells, pairs: this.pairs }, this.board));
    setOff(this.#buttons.undo, this.#state.done.length === 0);
    setOff(this.#buttons.redo, this.#state.undone.length === 0);
    setOff(this.#buttons.stopChain, true);
    this.best.changed();
  }

  #showPairs() {
    const half = (pair, at, name) => {
      const code = pair[at];
      const colour = text.colours[this.board.letters[code]];
      const number = this.#state.pairs.indexOf(pair) + 1;
      const picture = s("svg", { viewBox: "0 0 40 40", "aria-hidden": "true" }, code === EMPTY
        ? s("circle", { cx: 20, cy: 20, r: 15, fill: "none", stroke: "currentColor", "stroke-width": 2, "stroke-dasharray": "4 4" })
        : pieceOf(code, this.board));
      return h("button", { type: "button", "aria-label": text.pairHalf(number, name, colour), onclick: () => this.#next(pair, at) }, picture);
    };
    this.#pairs.replaceChildren(...this.#state.pairs.map((pair) => h("div", { class: "pairedit" }, half(pair, PARTNER, text.partner), half(pair, AXIS, text.axis))));
  }

  // The next colour for a half of a pair.
  #next(pair, at) {
    const codes = [EMPTY, ...coloursOf(this.board)];
    const colour = codes[(codes.indexOf(pair[at]) + 1) % codes.length];
    this.#change({ pairs: this.#state.pairs.map((one) => (one === pair ? one.map((code, half) => (half === at ? colour : code)) : [...one])) });
  }

  #ghost(choice) {
    if (this.#chain !== null) return;
    const ghosts = choice === null ? [] : [{ cells: choice.cells, kind: "best" }];
    if (choice?.then.length > 0 && choice.steps === 0) ghosts.unshift({ cells: choice.then, kind: "then" });
    this.#painter.show(this.#state.cells, { ghosts });
  }

  // Puts the first pair there, plays what follows, and goes on with the next pair.
  #drop(choice) {
    const placed = this.#state.cells.slice();
    for (const [x, y, code] of choice.cells) if (y >= 0) placed[y * this.board.columns + x] = code;
    const { pictures } = chainPictures(placed, this.board);
    const pairs = [...this.#state.pairs.slice(1), [EMPTY, EMPTY]];
    this.#change({ cells: pictures.at(-1).cells, pairs });
    this.#play(pictures, () => this.#show());
  }

  #play(pictures, ended) {
    this.#chain = { pictures, at: -1 };
    setOff(this.#buttons.stopChain, false);
    this.#pictures.run(pictures, (picture) => this.#picturesOf(picture), ended);
  }

  #picturesOf(picture) {
    this.#painter.show(picture.cells, { cleared: picture.cleared, caption: picture.caption ?? null });
  }

  #begin() {
    const { pictures, steps, points } = chainPictures(this.#state.cells, this.board);
    this.#told.textContent = steps === 0 ? text.chainNone : text.chainResult(steps, number(points));
    return pictures;
  }

  #run() {
    const pictures = this.#begin();
    this.#play(pictures, () => {});
  }

  #step() {
    if (this.#chain === null) this.#chain = { pictures: this.#begin(), at: -1 };
    this.#pictures.stop();
    const { pictures } = this.#chain;
    this.#chain.at = Math.min(this.#chain.at + 1, pictures.length - 1);
    const picture = pictures[this.#chain.at];
    this.#picturesOf(picture);
    setOff(this.#buttons.stopChain, false);
    if (picture.step) {
      const steps = Math.max(...pictures.map((one) => one.step ?? 0));
      this.#told.textContent = text.chainStep(picture.step, steps, number(picture.points));
    }
  }

  #stop() {
    this.#show();
  }

  #picture() {
    const said = this.#told.textContent;
    return sharePicture(this.#page, this.#painter.view, this.board, text.boardTitle, said, "ochibot-board.png");
  }
}
