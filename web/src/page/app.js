// The page: paint a board, and see what its ignition is worth under both rulesets, at once and without a server.

import { BoardError, RULESETS, emptyBoard, flipped, parse, same, toText } from "../engine/index.js";
import { BestPanel } from "./best.js";
import { h } from "./dom.js";
import { LOOKS } from "./draw.js";
import { FIRST, textOf } from "./examples.js";
import { keepFocus, setOff } from "./focus.js";
import { VIEWS, action, exampleList, frame, viewSwitch } from "./frame.js";
import { fromPicture } from "./frompicture.js";
import { helpPanel } from "./help.js";
import { text } from "./i18n.js";
import { Lane } from "./lane.js";
import { Output } from "./output.js";
import { Player } from "./player.js";
import { PlayPanel } from "./playon.js";
import { QuizPanel } from "./quiz.js";
import { spoken } from "./result.js";
import { LinkError, decode } from "./share.js";
import { Tabs } from "./tabs.js";
import { textDialog } from "./textdialog.js";
import { toolbox } from "./tools.js";
import { TourPanel } from "./tour.js";
import { Undo } from "./undo.js";
import { Values } from "./values.js";

const SAY_MS = 600;
const ADDRESS_MS = 250;
// a phone has room for one board
const usualView = () => (matchMedia("(max-width: 640px), (max-height: 480px)").matches ? "mvs" : "both");

export class App {
  #shell;
  #root;
  #cells = emptyBoard();
  #undo = new Undo(this.#cells);
  #tool = 1;
  #view = null;
  #dirty = false;
  #painted = null;
  #timers = {};
  #lanes = RULESETS.map((ruleset) => new Lane(ruleset, {
    begin: () => this.#player.reset(this.#steps()),
    paint: (cell, erase) => this.#put(cell, erase ? 0 : this.#tool),
    put: (cell, code) => this.#put(cell, code),
    flush: () => this.#flush(),
    end: () => this.#strokeEnds(),
  }));
  #player = new Player(
    (step) => this.#lanes.forEach((lane) => lane.showStep(step)),
    (step) => this.#totals(step),
  );
  #status = h("p", { class: "hidden", role: "status" });
  #undoButton = action("undo", text.undo, () => this.#load(this.#undo.undo(), false), "Ctrl+Z");
  #redoButton = action("redo", text.redo, () => this.#load(this.#undo.redo(), false), "Ctrl+Y");
  #dialog = textDialog((drawn) => this.#load(this.#parsed(drawn)));
  #examples = exampleList((cells) => this.#load(cells));
  #views = viewSwitch((view) => this.#setView(view));
  #values = new Values((values, error, isSameBoard) => this.#showValues(values, error, isSameBoard));
  #output = new Output(this.#leaving());
  #tabs;
  #listeners = new AbortController();
  #after = null;

  // before: the state of the App in the other language, if the language was switched
  constructor(place, shell, before = null) {
    this.#shell = shell;
    this.#tabs = new Tabs({
      value: () => null,
      best: () => new BestPanel(this.#page()),
      play: () => new PlayPanel(this.#page()),
      quiz: () => new QuizPanel(this.#page()),
      tour: () => new TourPanel(this.#page()),
      help: () => helpPanel(),
    }, (name) => this.#tabOpened(name));
    this.#build(place);
    const { signal } = this.#listeners;
    document.addEventListener("keydown", (event) => this.#shortcut(event), { signal });
    document.addEventListener("themechange", () => this.#setLook(), { signal });
    addEventListener("popstate", () => this.#readAddress(), { signal });
    this.#setLook();
    if (before === null) this.#readAddress();
    else {
      [this.#cells, this.#undo] = [before.cells, before.undo];
      this.#setView(before.view, false);
      this.#showHistory();
      this.#showBoard();
      this.#tabs.open(before.tab);
    }
  }

  get state() {
    return { cells: this.#cells, undo: this.#undo, view: this.#view, tab: this.#tabs.now };
  }

  close() {
    this.#listeners.abort();
    this.#tabs.close();
    this.#player.close();
    this.#values.stop();
    Object.values(this.#timers).forEach(clearTimeout);
  }

  // What the panels may read and do.
  #page() {
    const app = this;
    return {
      get cells() { return app.#cells; },
      shown: () => app.#shown().map((lane) => lane.ruleset),
      ruleset: () => (app.#view === "ps2" ? "ps2" : "mvs"),
      prefer: (ruleset) => app.#view === "both" || app.#view === ruleset || app.#setView(ruleset),
      address: () => app.#output.address(),
      put: (cells) => app.#load(cells),
      setHints: (ruleset, hints) => app.#lane(ruleset).setHints(hints),
      showText: (words, heading) => app.#dialog.open(words, heading),
      quiz: (on) => app.#quiz(on),
      playThen: (action) => app.#playThen(action),
    };
  }

  // What the output may read and do.
  #leaving() {
    const app = this;
    return {
      get cells() { return app.#cells; },
      get view() { return app.#view; },
      get usualView() { return usualView(); },
      get lanes() { return app.#lanes; },
      get player() { return app.#player; },
      shown: () => app.#shown(),
      isHidden: () => app.#root.dataset.quiz !== undefined,
      look: () => app.#look(),
      steps: () => app.#steps(),
      say: (words) => app.#say(words),
      alert: (words) => app.#shell.showAlert(words),
      showText: (words, heading) => app.#dialog.open(words, heading),
    };
  }

  #lane(ruleset) {
    return this.#lanes.find((lane) => lane.ruleset === ruleset);
  }

  #build(place) {
    this.#root = frame({
      views: this.#views,
      share: [
        action("link", text.copyLink, () => this.#output.copyLink()),
        action("text", text.text, () => this.#dialog.open(toText(this.#cells)), null, text.textLong),
        action("picture", text.png, () => this.#output.png(), null, text.pngLong),
        action("gif", text.gif, () => this.#output.gif(), null, text.gifLong),
      ],
      tools: toolbox(this.#tool, (tool) => { this.#tool = tool; }),
      edits: [
        this.#undoButton,
        this.#redoButton,
        action("flip", text.flip, () => this.#load(flipped(this.#cells)), null, text.flipLong),
        action("clear", text.clear, () => this.#load(emptyBoard())),
      ],
      lanes: this.#lanes.map((lane) => lane.element),
      player: [this.#player.element, this.#pictureButton()],
      tabs: this.#tabs.element,
      examples: this.#examples,
      accounts: this.#lanes.map((lane) => lane.account.element),
      status: this.#status,
      dialog: this.#dialog.element,
    });
    place.append(this.#root);
    this.#root.dataset.tab = this.#tabs.now;
  }

  #pictureButton() {
    return fromPicture({
      put: (cells) => this.#load(cells),
      isOff: () => this.#root.dataset.quiz !== undefined,
      alert: (words) => this.#shell.showAlert(words),
      signal: this.#listeners.signal,
    });
  }

  #tabOpened(name) {
    this.#root.dataset.tab = name;
    // the tour explains every sum in words
    for (const lane of this.#lanes) lane.account.explain(name === "tour");
  }

  // Painting, and the values of the board.

  #put(cell, code) {
    if (this.#cells[cell] === code || this.#root.dataset.quiz) return;
    if (!this.#dirty) this.#cells = this.#cells.slice();
    this.#cells[cell] = code;
    this.#dirty = true;
    this.#painted ??= performance.now();
  }

  #flush() {
    if (this.#dirty) this.#showBoard();
    this.#dirty = false;
  }

  #strokeEnds() {
    this.#undo.push(this.#cells);
    this.#showHistory();
  }

  #load(cells, remember = true) {
    this.#cells = cells;
    if (remember) this.#undo.push(cells);
    this.#after = null;
    this.#showHistory();
    this.#showBoard();
    this.#later("address", 0, () => this.#output.writeAddress());
  }

  #showBoard() {
    // only the shown boards: a phone shows one ruleset, which is half the work
    for (const lane of this.#shown()) lane.setBoard(this.#cells);
    keepFocus(this.#examples, () => { this.#examples.hidden = this.#cells.some(Boolean); }, () => this.#player);
    this.#values.of(this.#cells, this.#shown().map((lane) => lane.ruleset));
    if (this.#painted !== null) {
      performance.measure("paint-to-value", { start: this.#painted, end: performance.now() });
      this.#painted = null;
    }
    this.#tabs.refresh();
    this.#later("address", ADDRESS_MS, () => this.#output.writeAddress());
  }

  // values: null if the engine failed (error). Then nothing is shown, and never another board's value.
  #showValues(values, error, isSameBoard) {
    if (error !== null) this.#shell.showAlert(text.errors.bug(error.message));
    for (const lane of this.#shown()) lane.setValue(values?.[lane.ruleset] ?? null);
    // a wider range of the same board must not stop its waves
    if (isSameBoard && values !== null) this.#player.refresh();
    else this.#player.reset(this.#steps());
    this.#later("say", SAY_MS, () => {
      if (values === null || this.#root.dataset.quiz) return;
      this.#status.textContent = this.#shown().map((lane) => spoken(lane.ruleset, values[lane.ruleset])).join("; ");
    });
  }

  #showHistory() {
    setOff(this.#undoButton, !this.#undo.canUndo);
    setOff(this.#redoButton, !this.#undo.canRedo);
  }

  #shown() {
    return this.#lanes.filter((lane) => this.#view === "both" || this.#view === lane.ruleset);
  }

  #steps() {
    return Math.max(0, ...this.#shown().map((lane) => lane.steps));
  }

  #totals(step) {
    const totals = this.#shown().map((lane) => lane.totalAt(step));
    return totals.every((total) => total === totals[0]) ? totals[0] : totals.join(" / ");
  }

  // While a quiz asks for a board's value, nothing on the page shows it, and the board can't be painted.
  #quiz(on) {
    if (on) this.#root.dataset.quiz = "on";
    else delete this.#root.dataset.quiz;
    this.#root.querySelector(".side").inert = on;
    for (const lane of this.#lanes) lane.hide(on);
    this.#player.reset(this.#steps());
  }

  // Plays the waves and then runs an action, unless the board has changed by then.
  #playThen(action) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      action();
      return;
    }
    const cells = this.#cells;
    this.#after = action;
    this.#player.reset(this.#steps());
    this.#player.toggle();
    this.#later("fall", this.#steps() * 170 + 250, () => {
      if (this.#after === action && same(cells, this.#cells)) action();
    });
  }

  // Views, themes, shortcuts.

  #setView(view, write = true) {
    this.#view = view;
    const chosen = this.#views.querySelector(`input[value=${view}]`);
    chosen.checked = true;
    // one of the boards may vanish
    keepFocus(this.#root, () => { this.#root.dataset.view = view; }, () => chosen);
    // otherwise the caller shows the board
    if (write) this.#showBoard();
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
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target.matches("textarea, input[type=number]")) return;
    const key = event.key.toLowerCase();
    const redo = key === "y" || (key === "z" && event.shiftKey);
    if ((!redo && key !== "z") || this.#root.dataset.quiz) return;
    event.preventDefault();
    this.#load(redo ? this.#undo.redo() : this.#undo.undo(), false);
  }

  #later(name, milliseconds, action) {
    clearTimeout(this.#timers[name]);
    this.#timers[name] = setTimeout(action, milliseconds);
  }

  // Boards from outside: the address, and text.

  #readAddress() {
    const query = new URLSearchParams(location.search);
    let view = query.get("view") ?? usualView();
    try {
      if (!VIEWS.includes(view)) {
        view = usualView();
        throw new LinkError("linkView");
      }
      this.#cells = query.has("b") ? decode(query.get("b")) : parse(textOf(FIRST));
      this.#undo = new Undo(this.#cells);
    } catch (error) {
      if (!(error instanceof LinkError)) throw error;
      this.#shell.showAlert(text.errors[error.what]);
    }
    this.#setView(view, false);
    this.#showHistory();
    this.#showBoard();
    clearTimeout(this.#timers.address);
  }

  #say(words) {
    this.#status.textContent = words;
    const note = h("p", { class: "toast", "aria-hidden": "true" }, words);
    this.#root.append(note);
    setTimeout(() => note.remove(), 2500);
  }

  // Reads a drawn board. Throws an error whose message the dialog shows.
  #parsed(drawn) {
    try {
      return parse(drawn);
    } catch (error) {
      if (error instanceof BoardError) throw new Error(text.errors[error.what](error.details));
      throw error;
    }
  }
}
