// The Pochi & Nyaa page: paint a board, and see what its ignition is worth under both rulesets.

import { ApiError, Latest, ask } from "../api.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { emptyBoard, flipped, fromText, same, toText } from "../nyaa/board.js";
import { LOOKS } from "../nyaa/draw.js";
import { EXAMPLES, textOf } from "../nyaa/examples.js";
import { download, toPng } from "../nyaa/export.js";
import { History } from "../nyaa/history.js";
import { Lane } from "../nyaa/lane.js";
import { Player } from "../nyaa/player.js";
import { RULESETS, spoken } from "../nyaa/result.js";
import { LinkError, decode, encode } from "../nyaa/share.js";
import { textDialog } from "../nyaa/textdialog.js";
import { toolbox } from "../nyaa/tools.js";

const VIEWS = { both: "Both", mvs: "MVS", ps2: "PS2" };
const SAY_MS = 600;
const ADDRESS_MS = 250;
const RETRY_MS = 2000;
const HELP =
  "Arrow keys move, the letters r g b y o and R G B Y (needles) paint, Enter paints with the chosen tool, Shift and an "
  + "arrow key draw a line, Delete erases. Shift or the right button erases with the mouse.";

class NyaaPage {
  #shell;
  #cells = emptyBoard();
  #history = new History(this.#cells);
  #tool = 1;
  #view = "both";
  #values = null;
  #painted = null;
  #offline = false;
  #timers = {};
  #api = new Latest((text) => ask("nyaa/value", { board: text }));
  #lanes = Object.keys(RULESETS).map((ruleset) => new Lane(ruleset, {
    begin: () => this.#player.reset(this.#steps()),
    paint: (index, erase) => this.#put(index, erase ? 0 : this.#tool),
    put: (index, cell) => this.#put(index, cell),
    end: () => this.#strokeEnds(),
  }));
  #player = new Player((step) => this.#lanes.forEach((lane) => lane.showStep(step)));
  #status = h("p", { class: "hidden", role: "status" });
  #undo = this.#action("undo", "Undo", () => this.#load(this.#history.undo(), false), "Ctrl+Z");
  #redo = this.#action("redo", "Redo", () => this.#load(this.#history.redo(), false), "Ctrl+Y");
  #dialog = textDialog((text) => this.#import(text));
  #listeners = new AbortController();

  constructor(place, shell) {
    this.#shell = shell;
    this.#build(place);
    const { signal } = this.#listeners;
    document.addEventListener("keydown", (event) => this.#shortcut(event), { signal });
    document.addEventListener("themechange", () => this.#setLook(), { signal });
    this.#setLook();
    this.#readAddress();
  }

  close() {
    this.#listeners.abort();
    this.#player.close();
    Object.values(this.#timers).forEach(clearTimeout);
  }

  #build(place) {
    const views = h(
      "fieldset",
      { class: "views" },
      h("legend", { class: "hidden" }, "Ruleset"),
      Object.entries(VIEWS).map(([view, name]) =>
        h("label", {}, h("input", {
          type: "radio", name: "view", value: view, onchange: () => this.#setView(view),
        }), h("span", {}, name)),
      ),
    );
    const examples = h(
      "select",
      { class: "examples", "aria-label": "Load an example", onchange: (event) => this.#example(event.target) },
      h("option", { value: "" }, "Examples…"),
      EXAMPLES.map((example, number) => h("option", { value: number }, example.name)),
    );
    this.#root = h(
      "div",
      { class: "nyaa" },
      h("h1", { class: "hidden" }, "Pochi & Nyaa: what an ignition is worth"),
      h("p", { class: "hidden", id: "grid-help" }, HELP),
      h("div", { class: "bar" }, views, examples, h(
        "div",
        { class: "share" },
        this.#action("link", "Copy link", () => this.#copyLink()),
        this.#action("text", "Text", () => this.#dialog.open(toText(this.#cells)), null, "Board as text"),
        this.#action("picture", "PNG", () => this.#png(), null, "Save as PNG"),
      )),
      h("div", { class: "side" }, toolbox(this.#tool, (tool) => { this.#tool = tool; }), h(
        "div",
        { class: "edits" },
        this.#undo,
        this.#redo,
        this.#action("flip", "Flip", () => this.#load(flipped(this.#cells)), null, "Flip left and right"),
        this.#action("clear", "Clear", () => this.#load(emptyBoard())),
      )),
      h("div", { class: "stage" }, h("div", { class: "lanes" }, this.#lanes.map((lane) => lane.element)),
        this.#player.element),
      h("div", { class: "accounts" }, this.#lanes.map((lane) => lane.account.element)),
      this.#status,
      this.#dialog.element,
    );
    place.append(this.#root);
  }

  #root;

  #action(sign, name, onclick, keys = null, title = name) {
    return h(
      "button",
      { type: "button", onclick, title: keys === null ? title : `${title} (${keys})`, "aria-label": title },
      icon(sign),
      h("span", { class: "name" }, name),
    );
  }

  // The board as painted; the numbers follow as soon as the server has answered.

  #put(index, cell) {
    if (this.#cells[index] === cell) return;
    this.#cells = this.#cells.slice();
    this.#cells[index] = cell;
    this.#painted ??= performance.now();
    this.#showBoard();
  }

  #strokeEnds() {
    this.#history.push(this.#cells);
    this.#showHistory();
  }

  #load(cells, remember = true) {
    this.#cells = cells;
    if (remember) this.#history.push(cells);
    this.#showHistory();
    this.#showBoard();
  }

  #showBoard() {
    // first, so that the server works while the board is drawn
    this.#ask();
    this.#lanes.forEach((lane) => lane.setBoard(this.#cells));
    this.#later("address", ADDRESS_MS, () => this.#writeAddress());
  }

  #showHistory() {
    this.#undo.disabled = !this.#history.canUndo;
    this.#redo.disabled = !this.#history.canRedo;
  }

  #ask() {
    this.#api.request(
      toText(this.#cells),
      (values) => this.#showValues(values),
      (error) => this.#failed(error),
    );
  }

  #showValues(values) {
    if (this.#offline) this.#shell.clearAlert();
    this.#offline = false;
    // an answer for a board that has changed since: the next one is on its way
    if (!same(fromText(values.board), this.#cells)) return;
    this.#values = values;
    this.#lanes.forEach((lane) => lane.setValue(values[lane.ruleset]));
    this.#player.reset(this.#steps());
    if (this.#painted !== null) {
      performance.measure("paint-to-value", { start: this.#painted, end: performance.now() });
      this.#painted = null;
    }
    this.#later("say", SAY_MS, () => {
      this.#status.textContent = this.#shown().map((lane) => spoken(lane.ruleset, values[lane.ruleset])).join("; ");
    });
  }

  #failed(error) {
    this.#values = null;
    this.#painted = null;
    this.#lanes.forEach((lane) => lane.setValue(null));
    this.#player.reset(0);
    this.#offline = true;
    this.#shell.showAlert(error instanceof ApiError ? error.message : `This is a bug of the page: ${error.message}`);
    if (error instanceof ApiError) this.#later("retry", RETRY_MS, () => this.#ask());
  }

  #shown() {
    return this.#lanes.filter((lane) => this.#view === "both" || this.#view === lane.ruleset);
  }

  #steps() {
    return Math.max(0, ...this.#shown().map((lane) => lane.steps));
  }

  // Views, looks, keys.

  #setView(view) {
    this.#view = view;
    this.#root.dataset.view = view;
    this.#root.querySelector(`input[name=view][value=${view}]`).checked = true;
    this.#player.reset(this.#steps());
    this.#later("address", ADDRESS_MS, () => this.#writeAddress());
  }

  #look() {
    const chosen = document.documentElement.dataset.theme;
    const dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    return dark ? LOOKS.dark : LOOKS.light;
  }

  #setLook() {
    this.#lanes.forEach((lane) => lane.setLook(this.#look()));
  }

  #shortcut(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target.matches("textarea")) return;
    const key = event.key.toLowerCase();
    const redo = key === "y" || (key === "z" && event.shiftKey);
    if (!redo && key !== "z") return;
    event.preventDefault();
    this.#load(redo ? this.#history.redo() : this.#history.undo(), false);
  }

  #later(name, milliseconds, action) {
    clearTimeout(this.#timers[name]);
    this.#timers[name] = setTimeout(action, milliseconds);
  }

  // In and out: the address, text, picture, examples.

  #readAddress() {
    const query = new URLSearchParams(location.search);
    const view = query.get("view") ?? "both";
    try {
      if (!Object.hasOwn(VIEWS, view)) throw new LinkError("This link's view is none of both, mvs, ps2.");
      this.#cells = query.has("b") ? decode(query.get("b")) : emptyBoard();
      this.#history = new History(this.#cells);
    } catch (error) {
      if (!(error instanceof LinkError)) throw error;
      this.#shell.showAlert(error.message);
    }
    this.#setView(Object.hasOwn(VIEWS, view) ? view : "both");
    this.#showHistory();
    this.#showBoard();
  }

  #address() {
    const query = new URLSearchParams();
    if (this.#cells.some(Boolean)) query.set("b", encode(this.#cells));
    if (this.#view !== "both") query.set("view", this.#view);
    const text = query.toString();
    return `${location.origin}/nyaa${text ? `?${text}` : ""}`;
  }

  #writeAddress() {
    history.replaceState(null, "", this.#address());
  }

  async #copyLink() {
    this.#writeAddress();
    try {
      await navigator.clipboard.writeText(this.#address());
      this.#say("The link is copied.");
    } catch {
      this.#dialog.open(this.#address(), "Copy this link:");
    }
  }

  #say(text) {
    this.#status.textContent = text;
    const note = h("p", { class: "toast", "aria-hidden": "true" }, text);
    this.#root.append(note);
    setTimeout(() => note.remove(), 2500);
  }

  // Raises ApiError when the server can't read the text.
  async #import(text) {
    const { board } = await ask("nyaa/value", { board: text });
    this.#load(fromText(board));
  }

  async #example(select) {
    const example = EXAMPLES[Number(select.value)];
    select.value = "";
    try {
      await this.#import(textOf(example));
    } catch (error) {
      this.#failed(error);
    }
  }

  async #png() {
    const blob = await toPng(this.#shown().map((lane) => lane.part()), this.#look());
    download(blob, "pochi-nyaa.png");
  }
}

export function mount(place, shell) {
  const page = new NyaaPage(place, shell);
  return () => page.close();
}
