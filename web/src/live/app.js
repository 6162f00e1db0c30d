// The page: the connection's state, the seats, freezing, and the code.

import { h } from "../page/dom.js";
import { text } from "./i18n.js";
import { Seat } from "./seat.js";
import { sendCode } from "./source.js";

const [CALM, STILL, COUNTED] = [500, 2000, 250];
const calm = matchMedia("(prefers-reduced-motion: reduce)");

export class App {
  #root;
  #source;
  #link = "joining";
  #about = null;
  #state = null;
  #drawn = null;
  #reach = {};
  #end = null;
  #frozen = false;
  #seats = [];
  #asked = false;
  #drawnAt = 0;
  #arrived = 0;
  #counted = { at: 0, frame: 0, speed: null };
  #status = h("p", { class: "status", role: "status" });
  #frame = h("p", { class: "soft frames" });
  #button = h("button", { type: "button", class: "main", onclick: () => this.freeze(!this.#frozen) });
  #grid = h("div", { class: "seats" });
  #hint = h("p", { class: "soft" });
  #timer = null;

  // source: a Source whose news come to ``news`` and ``link``
  constructor(root, source) {
    [this.#root, this.#source] = [root, source];
    this.#timer = setInterval(() => this.#tick(), COUNTED);
    this.build();
  }

  // Builds everything in the language of now.
  build() {
    this.#seats = [];
    this.#root.replaceChildren(
      h("div", { class: "bar" }, this.#status, this.#frame, this.#button),
      this.#grid,
      this.#hint,
    );
    this.#grid.replaceChildren();
    this.#say();
    if (this.#link === "code") this.#askCode();
    else this.#draw();
  }

  redraw() {
    for (const seat of this.#seats) seat.redraw();
  }

  link(state) {
    const before = this.#link;
    this.#link = state;
    if (state === "code" && before !== "code") this.#askCode();
    else if (before === "code" && state !== "code") this.build();
    this.#say();
  }

  news(kind, content) {
    if (kind === "about") this.#about = content;
    else if (kind === "reach") this.#reach = content;
    else if (kind === "end") this.#end = content;
    else {
      this.#state = content;
      this.#end = null;
      this.#arrived = performance.now();
    }
    if (kind === "end") this.#say();
    this.#ask();
  }

  freeze(frozen) {
    this.#frozen = frozen;
    if (!frozen) this.#ask();
    for (const seat of this.#seats) seat.freeze(frozen);
    this.#say();
  }

  key(event) {
    if (event.key !== " " || event.target.closest("button, a, input")) return;
    event.preventDefault();
    this.freeze(!this.#frozen);
  }

  // One picture for each that the screen shows; few for those who want little motion.
  #ask() {
    if (this.#asked || this.#frozen) return;
    this.#asked = true;
    const wait = calm.matches && this.#end === null ? CALM - (performance.now() - this.#drawnAt) : 0;
    const draw = () => {
      this.#asked = false;
      if (!this.#frozen) this.#draw();
    };
    if (wait > 0) setTimeout(draw, wait);
    else requestAnimationFrame(draw);
  }

  #draw() {
    if (!this.#frozen) this.#drawn = this.#state;
    const [about, state] = [this.#about, this.#drawn];
    this.#drawnAt = performance.now();
    this.#button.hidden = about?.board === undefined;
    this.#hint.textContent = about?.board === undefined ? text.empty : text.hint;
    if (about?.board === undefined || state === null) return;
    if (this.#seats.length === 0 || this.#seats.about !== about) {
      this.#seats = about.seats.map((who) => new Seat(about, who));
      this.#seats.about = about;
      this.#grid.replaceChildren(...this.#seats.map((seat) => seat.element));
      this.#grid.dataset.seats = this.#seats.length;
    }
    about.seats.forEach((who, place) => {
      const said = state.seats.find((one) => one.seat === who.seat);
      if (said !== undefined) this.#seats[place].show(said, this.#reach[who.seat] ?? null);
      this.#seats[place].freeze(this.#frozen);
    });
    this.#say();
  }

  #tick() {
    const [now, counted] = [performance.now(), this.#counted];
    if (this.#state !== null && this.#link !== "code") {
      if (now - counted.at >= 1000) {
        const frames = this.#state.frame - counted.frame;
        const speed = counted.at > 0 && frames > 0 ? Math.round((1000 * frames) / (now - counted.at)) : null;
        this.#counted = { at: now, frame: this.#state.frame, speed };
      }
      const words = text.frame((this.#drawn ?? this.#state).frame, this.#frozen || this.#end !== null ? null : this.#counted.speed);
      if (this.#frame.textContent !== words) this.#frame.textContent = words;
    }
    this.#say();
  }

  #now() {
    if (this.#end !== null) return "ended";
    if (this.#link !== "open") return this.#link;
    if (this.#frozen) return "frozen";
    if (this.#state === null || this.#about?.board === undefined) return "menus";
    if (this.#state.paused) return "paused";
    if (performance.now() - this.#arrived > STILL) return "still";
    return this.#state.seats.some((seat) => seat.phase === "menus") ? "menus" : "live";
  }

  #say() {
    const now = this.#now();
    const why = now === "ended" ? text.ends[this.#end.why] : undefined;
    const words = now === "code" ? text.codeTitle : `${text.links[now]}${why === undefined ? "" : `: ${why}`}`;
    if (this.#status.dataset.link !== now) this.#status.dataset.link = now;
    if (this.#status.textContent !== words) this.#status.textContent = words;
    const name = this.#frozen ? text.goOn : text.freeze;
    if (this.#button.textContent !== name) this.#button.textContent = name;
  }

  #askCode() {
    const fault = h("p", { class: "fault", role: "alert" });
    const input = h("input", {
      id: "code", inputmode: "numeric", autocomplete: "one-time-code", maxlength: 12, required: true, "aria-describedby": "code-hint",
    });
    const send = async (event) => {
      event.preventDefault();
      fault.textContent = "";
      const status = await sendCode(input.value);
      if (status === 0) {
        this.link("joining");
        this.#source.start();
        return;
      }
      fault.textContent = text.wrong[status] ?? text.failed;
      input.select();
    };
    const form = h(
      "form",
      { class: "code", onsubmit: send },
      h("h2", {}, text.codeTitle),
      h("p", { class: "soft", id: "code-hint" }, text.codeHint),
      h("label", { for: "code" }, text.codeLabel),
      input,
      h("button", { type: "submit", class: "main" }, text.enter),
      fault,
    );
    this.#root.replaceChildren(form);
    // an address from the terminal of this machine has the code
    const given = /^#code=(\d+)$/.exec(location.hash);
    if (given !== null) {
      history.replaceState(null, "", location.pathname);
      input.value = given[1];
      form.requestSubmit();
    }
    input.focus();
  }
}
