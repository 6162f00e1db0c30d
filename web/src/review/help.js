// The words explained.

import { h } from "../page/dom.js";
import { text } from "./i18n.js";

export class Help {
  constructor({ game }) {
    const parts = [...text.help, ...(game?.board.needles ? [text.helpNyaa] : [])];
    this.element = h("div", { class: "help" }, parts.map(([title, sentences]) => h(
      "section", { class: "card" }, h("h2", {}, title), sentences.map((sentence) => h("p", {}, sentence)),
    )));
  }
}
