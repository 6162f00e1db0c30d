// Sharing: the board's address and link, its picture, and the animated picture of its wave.

import { download, toGif, toPng } from "./export.js";
import { text } from "./i18n.js";
import { encode } from "./share.js";

// page: {cells, view, usualView, isLent, lanes, shown() (lanes), isHidden() (the value), look(), steps(), player, say(words),
// alert(words), showText(words, heading)}
export class Output {
  #page;

  constructor(page) {
    this.#page = page;
  }

  // The page's address without a board.
  place() {
    return location.protocol === "file:" ? `file://${location.pathname}` : `${location.origin}${location.pathname.replace(/index\.html$/, "")}`;
  }

  address() {
    const query = new URLSearchParams({ b: encode(this.#page.cells) });
    // without a view, the link opens with the view that is usual on the other device
    if (this.#page.view !== this.#page.usualView) query.set("view", this.#page.view);
    return `${this.place()}?${query}`;
  }

  // The address keeps one's own board, while the tour or a question has its board on the grid.
  writeAddress() {
    if (this.#page.isLent) return;
    try {
      history.replaceState(null, "", this.address());
    } catch {
      // a page opened as a file may not change its address
    }
  }

  async copyLink() {
    this.writeAddress();
    try {
      await navigator.clipboard.writeText(this.address());
      this.#page.say(text.linkCopied);
    } catch {
      this.#page.showText(this.address(), text.copyThis);
    }
  }

  // A phone offers to send the file; elsewhere it is saved. Returns whether it was saved.
  async #give(blob, name) {
    const file = new File([blob], name, { type: blob.type });
    if (!matchMedia("(pointer: coarse)").matches || !navigator.canShare?.({ files: [file] })) {
      download(blob, name);
      return true;
    }
    try {
      await navigator.share({ files: [file] });
      return false;
    } catch (error) {
      if (error.name === "AbortError") return false;
      // some browsers allow no share sheet so long after the touch
      download(blob, name);
      return true;
    }
  }

  async png() {
    try {
      const blob = await toPng(this.#page.shown().map((lane) => lane.part()), this.#page.look());
      await this.#give(blob, "pochi-nyaa.png");
    } catch {
      this.#page.alert(text.errors.gif);
    }
  }

  async gif() {
    const last = this.#page.steps();
    if (last === 0) {
      this.#page.say(this.#page.isHidden() ? text.gifHidden : text.gifNothing);
      return;
    }
    this.#page.say(text.gifBusy);
    this.#page.player.reset(last);
    const parts = (step) => {
      // the picture is copied while it shows the step
      this.#page.lanes.forEach((lane) => lane.showStep(step));
      return this.#page.shown().map((lane) => ({ ...lane.part(), group: lane.part().group.cloneNode(true) }));
    };
    try {
      const blob = await toGif(parts, last, this.#page.look());
      if (await this.#give(blob, "pochi-nyaa.gif")) this.#page.say(text.gifDone);
    } catch {
      this.#page.alert(text.errors.gif);
    }
    this.#page.player.reset(this.#page.steps());
  }
}
