// The page: its tabs, messages, keys, and what they share.

import { h } from "../page/dom.js";
import { Analysis } from "./analysis.js";
import { Help } from "./help.js";
import { text } from "./i18n.js";
import { Puzzles } from "./puzzles.js";
import { Summary } from "./summary.js";
import { Tabs } from "./tabs.js";
import { Viewer } from "./viewer.js";

const TOLD = 3000;

export class App {
  #toast = h("p", { class: "toast", role: "status", hidden: true });
  #dialog = null;
  #timer = null;
  #keys = (event) => this.#key(event);

  // game: a Game, or null for the analysis board alone. before: what an earlier App had in its ``state``, or null. position:
  // what the analysis board shows at first, or null.
  constructor(root, game, before, position = null) {
    this.game = game;
    const fresh = { place: { seat: game?.seats[0] ?? null, at: 0 }, puzzle: 0, solved: new Set(), position, tab: game === null ? "board" : "game" };
    this.state = before ?? fresh;
    const makers = {
      ...(game === null ? {} : { game: () => new Viewer(this), puzzles: () => new Puzzles(this), summary: () => new Summary(this) }),
      ...(game === null || game.board.chain ? { board: () => new Analysis(this) } : {}),
      help: () => new Help(this),
    };
    this.tabs = new Tabs(makers);
    root.replaceChildren(this.tabs.element, this.#toast);
    document.addEventListener("keydown", this.#keys);
    this.open(this.state.tab);
  }

  close() {
    this.tabs.close();
    this.#dialog?.remove();
    clearTimeout(this.#timer);
    document.removeEventListener("keydown", this.#keys);
  }

  redraw() {
    this.tabs.panel?.redraw?.();
  }

  open(name) {
    this.tabs.open(name);
    for (const button of this.tabs.list.children) button.addEventListener("click", () => { this.state.tab = this.tabs.now; });
    this.state.tab = name;
  }

  // what panels share

  get place() { return this.state.place; }
  get solved() { return this.state.solved; }
  get puzzle() { return this.state.puzzle; }
  set puzzle(at) { this.state.puzzle = at; }

  showMove(move) {
    this.state.place = { seat: move.seat, at: this.game.movesOf(move.seat).indexOf(move) };
    this.open("game");
  }

  analyse(position) {
    this.state.position = position;
    this.open("board");
  }

  say(words) {
    this.#toast.textContent = words;
    this.#toast.hidden = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => { this.#toast.hidden = true; }, TOLD);
  }

  showText(heading, words) {
    this.#dialog?.remove();
    this.#dialog = h(
      "dialog",
      { "aria-labelledby": "dialog-title" },
      h("h2", { id: "dialog-title" }, heading),
      h("textarea", { rows: 6, readonly: true, "aria-label": heading }, words),
      h("div", { class: "buttons" }, h("button", { type: "button", class: "main", onclick: () => this.#dialog.close() }, text.close)),
    );
    document.body.append(this.#dialog);
    this.#dialog.showModal();
    this.#dialog.querySelector("textarea").select();
  }

  #key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || this.#dialog?.open) return;
    if (event.target.closest("input, textarea, select, [role=tablist], [role=grid]")) return;
    // a button that has the focus takes these keys
    if ((event.key === " " || event.key === "Enter") && event.target.closest("button, a, summary")) return;
    if (this.tabs.panel?.key?.(event)) event.preventDefault();
  }
}
