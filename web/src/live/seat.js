// One seat on the page: its field, what comes next, and its numbers.

import { h } from "../page/dom.js";
import { encode } from "../page/share.js";
import { addressOf, rulesOf } from "../review/address.js";
import { pairPicture } from "../review/pieces.js";
import { LiveBoard } from "./board.js";
import { text } from "./i18n.js";

export class Seat {
  #about;
  #board;
  #said = null;
  #values = new Map();
  #nexts = h("div", { class: "nexts" });
  #numbers = h("dl", { class: "numbers" });
  #badge = h("p", { class: "badge", hidden: true });
  #edit = h("p", { class: "edit", hidden: true });
  #following = "";

  // about: the game's; who: {seat, titles}
  constructor(about, who) {
    this.#about = about;
    this.name = `${text.player(who.seat)}: ${text.who(who.titles[0] ?? "")}`;
    this.#board = new LiveBoard(about.board, text.field(this.name));
    this.element = h(
      "article",
      { class: "seat" },
      h("h2", {}, this.name, " ", h("span", { class: "soft" }, who.titles.slice(1).map(text.who).join(" · "))),
      h(
        "div",
        { class: "side" },
        h("div", { class: "left" }, h("div", { class: "well" }, h("div", { class: "frame" }, this.#board.element), this.#badge), this.#edit),
        h("div", { class: "beside" }, this.#nexts, this.#numbers),
      ),
    );
  }

  redraw() {
    this.#board.redraw();
  }

  // said: the state of this seat. reach: what the visible pieces can set off, or null
  show(said, reach) {
    this.#said = said;
    this.#badge.hidden = !(said.phase in text.phases) && !said.chain;
    const called = said.phase in text.phases ? text.phases[said.phase] : this.#made(said.chain ?? 0);
    if (!this.#badge.hidden && this.#badge.textContent !== called) this.#badge.textContent = called;
    if (said.field === undefined) return;
    this.#board.show({ field: said.field, piece: said.piece, plan: said.plan ?? null });
    this.#follow(said.next);
    this.#put("score", text.score, said.score === undefined ? null : text.number(said.score));
    this.#reach(reach);
    this.#put("plan", text.now, said.plan ? this.#planned(said.plan) : text.nothing);
    this.#put("waiting", text.waiting, text.number(said.waiting));
    this.#put("sent", text.sent, said.sent === null ? null : text.number(said.sent));
    this.#put("pieces", text.pieces, said.pieces === undefined ? null : text.number(said.pieces));
    this.#put("best", text.best[this.#about.best] ?? text.best.chain, said.best === undefined ? null : text.number(said.best));
  }

  get #chains() {
    return this.#about.best === "chain";
  }

  #made(count) {
    return this.#chains ? text.chain(count) : text.attackOf(count);
  }

  #reach(reach) {
    if (reach === null) return;
    if (this.#chains) {
      this.#put("reach", text.reach, reach.steps === 0 ? text.nothing : text.reached(reach.steps, reach.made));
    } else {
      this.#put("reach", text.attack, text.number(reach.made));
    }
    this.#put("sends", text.sends, text.nuisance(reach.sent));
  }

  #planned(plan) {
    const where = text.column(plan.column, plan.turn);
    const fires = this.#chains ? plan.steps > 0 && text.chainWith(plan.steps, plan.made) : plan.made > 0 && text.attackOf(plan.made);
    return text.plan(where, plan.needle ?? false, fires);
  }

  // Writes a number if it differs; null takes it away.
  #put(name, label, words) {
    let row = this.#values.get(name);
    if (row === undefined) {
      if (words === null) return;
      row = { value: h("dd", {}), row: null };
      row.row = h("div", { class: `of-${name}` }, h("dt", {}, label), row.value);
      this.#values.set(name, row);
      this.#numbers.append(row.row);
    }
    row.row.hidden = words === null;
    if (words !== null && row.value.textContent !== words) row.value.textContent = words;
  }

  #follow(nexts) {
    const key = nexts.join(";");
    if (key === this.#following) return;
    this.#following = key;
    const { board } = this.#about;
    const known = nexts.filter((pair) => pair.every((code) => code > 0 && code < board.letters.length));
    this.#nexts.replaceChildren(...known.map((pair, place) => {
      const [axis, partner] = pair.map((code) => text.colours[board.letters[code]]);
      return h(
        "figure",
        { class: "next" },
        pairPicture(pair, board, text.pairName(axis, partner)),
        h("figcaption", {}, place === 0 ? text.next : text.secondNext),
      );
    }));
  }

  // Shows or hides the link to where this moment can be edited.
  freeze(frozen) {
    const link = frozen ? this.#link() : null;
    this.#edit.hidden = link === null;
    if (link !== null) {
      const words = this.#about.board.needles ? text.editNyaa : text.editPuyo;
      this.#edit.replaceChildren(h(
        "a", { class: "button", href: link, target: "_blank", rel: "noopener", "aria-label": text.editOf(words, this.name) }, words,
      ));
    }
  }

  #link() {
    const { board } = this.#about;
    const said = this.#said;
    if (said?.field === undefined) return null;
    const cells = Uint8Array.from(said.field, (letter) => Math.max(0, board.letters.indexOf(letter)));
    if (board.needles) return `./?b=${encode(cells)}`;
    if (board.columns !== 6 || board.chain === null) return null;
    const plain = (pair) => pair.length === 2 && pair.every((code) => code > 0 && code < board.letters.length);
    const pairs = [said.piece.map(([, , code]) => code), ...said.next].filter(plain);
    return `puyo.html${addressOf({ cells, pairs }, board, rulesOf(board))}`;
  }
}
