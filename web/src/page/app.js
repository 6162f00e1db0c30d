// The page: paint a board, and see what its ignition is worth under both rulesets, at once and without a server.

import { RULESETS, emptyBoard, flipped, parse, same, toText } from "../engine/index.js";
import { BestPanel } from "./best.js";
import { h } from "./dom.js";
import { LOOKS } from "./draw.js";
import { FIRST, textOf } from "./examples.js";
import { keepFocus, setOff } from "./focus.js";
import { VIEWS, action, exampleList, frame, sharing, viewSwitch } from "./frame.js";
import { fromPicture } from "./frompicture.js";
import { changedSides, newGame } from "./game.js";
import { helpPanel } from "./help.js";
import { keptBoards } from "./kept.js";
import { text } from "./i18n.js";
import { Lane } from "./lane.js";
import { OtherLane } from "./otherside.js";
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
import { Undo, undoKey } from "./undo.js";
import { Values } from "./values.js";

const SAY_MS = 600;
const ADDRESS_MS = 250;
// the tabs that put boards of their own on the grid
const LENDERS = ["quiz", "tour"];
// a phone has room for one board
const usualView = () => (matchMedia("(max-width: 640px), (max-height: 480px)").matches ? "mvs" : "both");

export class App {
  #shell;
  #root;
  #cells = emptyBoard();
  #game = newGame();
  #undo = new Undo(this.#cells, this.#game);
  // one's own board, while the tour or a question has its board on the grid
  #own = null;
  #steering = null;
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
    steering: () => this.#steering,
  }));
  #player = new Player(
    (step) => this.#lanes.forEach((lane) => lane.showStep(step)),
    (step) => this.#totals(step),
  );
  #status = h("p", { class: "hidden", role: "status" });
  #undoButton = action("undo", text.undo, () => this.#goBack(this.#undo.undo()), "Ctrl+Z");
  #redoButton = action("redo", text.redo, () => this.#goBack(this.#undo.redo()), "Ctrl+Y");
  #dialog = textDialog((cells) => this.#adopt(cells));
  #otherLane = new OtherLane(() => this.#goBack(changedSides(this.#cells, this.#game), true));
  #kept = keptBoards(() => this.#cells, (cells) => this.#adopt(cells));
  #examples = exampleList((cells) => this.#adopt(cells));
  #views = viewSwitch((view) => this.#setView(view));
  #values = new Values((values, error, isSameBoard) => this.#showValues(values, error, isSameBoard));
  #output = new Output(this.#leaving());
  #listeners = new AbortController();
  #sharing = sharing([
    fromPicture(this.#leaving(), (cells) => this.#load(cells), this.#listeners.signal),
    action("link", text.copyLink, () => this.#output.copyLink()),
    action("text", text.text, () => this.#dialog.open(toText(this.#cells)), null, text.textLong),
    action("boards", text.boards, () => this.#kept.open(), null, text.boardsLong),
    action("picture", text.png, () => this.#output.png(), null, text.pngLong),
    action("gif", text.gif, () => this.#output.gif(), null, text.gifLong),
  ]);
  #tabs;
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
    document.addEventListener("pointerdown", (event) => this.#sharing.close(event), { signal });
    addEventListener("popstate", () => this.#readAddress(), { signal });
    this.#setLook();
    if (before === null) this.#readAddress();
    else {
      [this.#cells, this.#undo, this.#game, this.#own] = [before.cells, before.undo, before.game, before.own];
      this.#setView(before.view, false);
      this.#showHistory();
      this.#showBoard();
      this.#tabs.open(before.tab);
    }
  }

  get state() {
    return {
      cells: this.#cells, undo: this.#undo, game: this.#game, own: this.#own, view: this.#view, tab: this.#tabs.now,
    };
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
      get game() { return app.#game; },
      shown: () => app.#shown().map((lane) => lane.ruleset),
      ruleset: () => (app.#view === "ps2" ? "ps2" : "mvs"),
      prefer: (ruleset) => app.#view === "both" || app.#view === ruleset || app.#setView(ruleset),
      place: () => app.#output.place(),
      put: (cells, game) => app.#load(cells, true, game),
      lend: (cells) => app.#lend(cells),
      look: () => app.#look(),
      steer: (steering) => { app.#steering = steering; },
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
      get isLent() { return app.#own !== null; },
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
      share: this.#sharing.element,
      tools: toolbox(this.#tool, (tool) => { this.#tool = tool; }),
      edits: [
        this.#undoButton,
        this.#redoButton,
        action("flip", text.flip, () => this.#load(flipped(this.#cells)), null, text.flipLong),
        action("clear", text.clear, () => this.#load(emptyBoard())),
      ],
      lanes: [...this.#lanes.map((lane) => lane.element), this.#otherLane.element],
      player: this.#player.element,
      tabs: this.#tabs.element,
      examples: this.#examples,
      accounts: this.#lanes.map((lane) => lane.account.element),
      status: this.#status,
      dialogs: [this.#dialog.element, this.#kept.element],
    });
    place.append(this.#root);
    this.#root.dataset.tab = this.#tabs.now;
  }

  #tabOpened(name) {
    this.#giveBack();
    if (LENDERS.includes(name)) {
      this.#output.writeAddress();
      this.#own = { cells: this.#cells, undo: this.#undo, game: this.#game, view: this.#view };
      this.#undo = new Undo(this.#cells, this.#game);
      this.#showHistory();
    }
    this.#root.dataset.tab = name;
    // the tour explains every sum in words
    for (const lane of this.#lanes) lane.account.explain(name === "tour");
  }

  // Puts one's own board back on the grid, as it was before the tour or the question.
  #giveBack() {
    if (this.#own === null) return;
    const { cells, undo, game, view } = this.#own;
    this.#own = null;
    [this.#cells, this.#undo, this.#game] = [cells, undo, game];
    this.#after = null;
    this.#setView(view, false);
    this.#showHistory();
    this.#showBoard();
  }

  // Puts a question's board on the grid. Undo must not bring back the board of an earlier question.
  #lend(cells) {
    this.#undo = new Undo(cells, this.#game);
    this.#load(cells, false);
  }

  // Makes a board one's own, even if the tour or a question has its board on the grid.
  #adopt(cells) {
    if (this.#own !== null) {
      [this.#undo, this.#game] = [this.#own.undo, this.#own.game];
      this.#own = null;
    }
    this.#load(cells);
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
    this.#undo.push(this.#cells, this.#game);
    this.#showHistory();
  }

  #goBack({ cells, game }, remember = false) {
    this.#load(cells, remember, game);
  }

  #load(cells, remember = true, game = this.#game) {
    this.#cells = cells;
    this.#game = game;
    if (remember) this.#undo.push(cells, game);
    this.#after = null;
    this.#showHistory();
    this.#showBoard();
    this.#later("address", 0, () => this.#output.writeAddress());
  }

  #showBoard() {
    // only the shown boards: a phone shows one ruleset, which is half the work
    for (const lane of this.#shown()) lane.setBoard(this.#cells);
    // the tour and a question have no other side
    const other = this.#own === null ? this.#game.other : null;
    this.#root.toggleAttribute("data-sides", this.#otherLane.show(other, this.#shown().map((lane) => lane.ruleset)));
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

  // One of the boards may vanish. write: whether to show the board; otherwise the caller does.
  #setView(view, write = true) {
    this.#view = view;
    const chosen = this.#views.querySelector(`input[value=${view}]`);
    chosen.checked = true;
    keepFocus(this.#root, () => { this.#root.dataset.view = view; }, () => chosen);
    if (write) this.#showBoard();
  }

  #look() {
    const chosen = document.documentElement.dataset.theme;
    const dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    return dark ? LOOKS.dark : LOOKS.light;
  }

  #setLook() {
    for (const lane of [...this.#lanes, this.#otherLane]) lane.setLook(this.#look());
  }

  #shortcut(event) {
    const way = undoKey(event);
    if (way === null || this.#root.dataset.quiz) return;
    event.preventDefault();
    this.#goBack(this.#undo[way]());
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
      this.#undo = new Undo(this.#cells, this.#game);
      this.#own = null;
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
}
