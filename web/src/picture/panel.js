// The dialog that turns a picture into a board: choose, look for boards, read one, correct it, put it on the page's board.

import { PictureError, decoded } from "./decode.js";
import { keep, kept } from "./keep.js";
import { refined } from "./lattice.js";
import { marker } from "./marker.js";
import { patchesOf } from "./patch.js";
import { settled } from "./read.js";
import { Result } from "./result.js";
import { search } from "./search.js";
import { TEXTS } from "./text/index.js";

const MOST_SHOWN = 460;

// page: {h, code (of the language), size {columns, rows}, pieces [{code, guess}], letters, names (by code), icon(code), Background,
// put(cells)}
export class PicturePanel {
  #page;
  #text;
  #h;
  #memory = kept();
  #background;
  #opened = 0;
  #found = null;
  #body;
  #says;
  #input;
  #close;

  constructor(page) {
    [this.#page, this.#h, this.#text] = [page, page.h, TEXTS[page.code]];
    this.#background = new page.Background();
    const { h, text } = { h: this.#h, text: this.#text };
    this.#body = h("div", { class: "picture-body" });
    this.#close = this.#button(text.close, () => this.element.close(), "quiet");
    this.#says = h("p", { class: "picture-says", role: "status" });
    this.#input = h("input", {
      type: "file", accept: "image/*", class: "hidden", tabindex: -1, "aria-hidden": "true",
      onchange: () => {
        const [file] = this.#input.files;
        this.#input.value = "";
        if (file) this.read(file);
      },
    });
    this.element = h(
      "dialog", { class: "from-picture", "aria-labelledby": "picture-title", onclose: () => this.#stop() },
      h("div", { class: "picture-head" }, h("h2", { id: "picture-title" }, text.title), this.#close),
      this.#says, this.#body, this.#input,
    );
  }

  #button(words, onclick, kind = null) {
    return this.#h("button", { type: "button", class: kind, onclick }, words);
  }

  // The focused control may be replaced: then the first one of the new ones has the focus.
  #show(says, ...parts) {
    const isLost = this.#body.contains(document.activeElement);
    this.#says.textContent = says;
    this.#body.replaceChildren(...parts);
    this.element.scrollTop = 0;
    if (isLost) (this.#body.querySelector("button") ?? this.#close).focus({ preventScroll: true });
  }

  // The ways to give a picture.
  #ways() {
    const text = this.#text;
    return this.#h("div", { class: "buttons" },
      this.#button(text.choose, () => this.#input.click(), "main"), this.#button(text.paste, () => this.#paste()));
  }

  #taught() {
    const text = this.#text;
    const known = this.#h("p", { class: "soft" }, text.known(this.#memory.size));
    const forget = this.#button(text.forget, () => {
      this.#memory = this.#memory.forgotten();
      known.textContent = keep(this.#memory) ? text.forgotten : text.notKept;
      forget.hidden = true;
      this.#close.focus();
    });
    forget.hidden = this.#memory.isEmpty;
    return this.#h("div", { class: "picture-known" }, known, forget);
  }

  // Opens the dialog without a picture.
  open() {
    const { text } = { text: this.#text };
    this.#stop();
    this.#show(text.intro, this.#h("p", {}, text.ways), this.#ways(), this.#h("p", { class: "soft" }, text.untested), this.#taught());
    if (!this.element.open) this.element.showModal();
  }

  #fault(words, ...more) {
    this.#show(words, this.#ways(), ...more, this.#taught());
  }

  #stop() {
    this.#opened += 1;
    this.#background.stop();
  }

  async #paste() {
    const text = this.#text;
    try {
      for (const item of await navigator.clipboard.read()) {
        const type = item.types.find((one) => one.startsWith("image/"));
        if (type) {
          await this.read(await item.getType(type));
          return;
        }
      }
      this.#fault(text.faults.noPicture);
    } catch {
      this.#fault(text.faults.clipboard);
    }
  }

  // Reads a picture from a file or the clipboard.
  async read(blob) {
    const text = this.#text;
    this.#stop();
    const mine = this.#opened;
    if (!this.element.open) this.element.showModal();
    this.#show(text.working, this.#h("div", { class: "buttons" }, this.#button(text.cancel, () => this.open())));
    try {
      const given = await decoded(blob);
      if (mine !== this.#opened) return;
      this.#run(search(given, this.#page.size), (found) => {
        this.#found = found;
        if (found.boards.length === 0) this.#none();
        else if (found.boards.length === 1) this.#readBoard(found.boards[0].rect);
        else this.#choose();
      });
    } catch (error) {
      if (mine !== this.#opened) return;
      const what = error instanceof PictureError ? text.faults[error.what] : text.faults.bug(error.message);
      this.#fault(what);
    }
  }

  #run(job, done) {
    let found = null;
    // done may begin the next job, so it comes after the end of this one
    this.#background.start([[job, (value) => { found = value; }]], () => done(found), (error) => this.#fault(this.#text.faults.bug(error.message)));
  }

  #none() {
    this.#fault(this.#found.isOther ? this.#text.faults.otherSize : this.#text.faults.none, this.#h("div", { class: "buttons" }, this.#markButton()));
  }

  #markButton() {
    return this.#button(this.#text.mark, () => this.#mark());
  }

  // A part of the picture, as a canvas of its own.
  #cut([left, top, right, bottom], most = MOST_SHOWN) {
    const [width, height] = [right - left, bottom - top];
    const scale = Math.min(1, most / Math.max(width, height));
    const canvas = this.#h("canvas", { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) });
    canvas.getContext("2d").drawImage(this.#found.canvas, left, top, width, height, 0, 0, canvas.width, canvas.height);
    return canvas;
  }

  #choose() {
    const text = this.#text;
    const boards = this.#found.boards.map(({ rect }, at) =>
      this.#h("button", { type: "button", class: "picture-choice", onclick: () => this.#readBoard(rect) }, this.#cut(rect, 260), text.board(at + 1)));
    this.#show(text.which, this.#h("div", { class: "picture-choices" }, boards), this.#h("div", { class: "buttons" }, this.#markButton()));
    boards[0].focus();
  }

  #mark() {
    const text = this.#text;
    const { canvas, boards } = this.#found;
    const whole = [0, 0, canvas.width, canvas.height];
    const start = boards[0]?.rect ?? whole.map((side, at) => (at < 2 ? 0.25 : 0.75) * whole[2 + (at % 2)]);
    const mark = marker(this.#h, text, this.#cut(whole, 700), start, canvas);
    this.#show(text.markIntro, mark.element, this.#h("div", { class: "buttons" }, this.#button(text.markRead, () => {
      this.#run(refined(this.#found.sums, mark.rect(), this.#page.size, 0.2), (rect) => this.#readBoard(rect, false));
    }, "main")));
    mark.focus();
  }

  // search: whether the board may turn out to be a row or column further
  #readBoard(rect, search = true) {
    const { sums } = this.#found;
    const { size } = this.#page;
    this.#show(this.#text.reading);
    this.#run(search ? settled(sums, rect, size, this.#memory) : (function* same() { return rect; })(), (place) => this.#result(place));
  }

  #result(rect) {
    const { h } = this.#page;
    const text = this.#text;
    const remember = h("input", { type: "checkbox", checked: true });
    const use = this.#h("button", { type: "button", class: "main", "aria-label": text.put, title: text.put }, text.use);
    const result = new Result({
      ...this.#page, text, memory: this.#memory, patches: patchesOf(this.#found.sums, rect, this.#page.size), picture: this.#cut(rect),
      run: (job, done) => this.#run(job, done), says: (words) => { this.#says.textContent = words; }, use,
    });
    use.addEventListener("click", () => {
      let isKept = true;
      if (remember.checked) {
        result.teach(this.#memory);
        isKept = keep(this.#memory);
      }
      this.#page.put(result.codes);
      if (isKept) this.element.close();
      else this.#fault(text.notKept);
    });
    this.#show(
      text.reading, result.element, h("label", { class: "check" }, remember, h("span", {}, text.remember)),
      h("div", { class: "buttons" }, this.#markButton(), this.#button(text.another, () => this.open())),
      this.#found.moves ? h("p", { class: "soft" }, text.moves) : "", h("p", { class: "soft" }, text.untested), this.#taught(),
    );
    result.start();
  }
}
