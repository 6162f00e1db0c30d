// The page's frame: the bar with views and sharing, the tools, the boards, and the desk beside them.

import { parse } from "../engine/index.js";
import { beside } from "./beside.js";
import { h } from "./dom.js";
import { EXAMPLES, textOf } from "./examples.js";
import { text } from "./i18n.js";
import { icon } from "./icons.js";

export const VIEWS = ["both", "mvs", "ps2"];

// A button with an icon. keys: its shortcut; title: a longer name for screen readers.
export function action(sign, name, onclick, keys = null, title = name) {
  return h(
    "button",
    { type: "button", onclick, title: keys === null ? title : `${title} (${keys})`, "aria-label": title },
    icon(sign),
    h("span", { class: "name" }, name),
  );
}

// The choice of the shown boards. choose(view): called when another one is chosen.
export function viewSwitch(choose) {
  return h(
    "fieldset",
    { class: "views" },
    h("legend", { class: "hidden" }, text.viewsLegend),
    VIEWS.map((view) =>
      h("label", {}, h("input", { type: "radio", name: "view", value: view, onchange: () => choose(view) }),
        h("span", {}, text.views[view]))),
  );
}

// The examples beside an empty board.
export function exampleList(load) {
  return h(
    "div",
    { class: "examples" },
    h("h2", {}, text.examplesTitle),
    EXAMPLES.map((example) =>
      h("button", { type: "button", onclick: () => load(parse(textOf(example))) }, text.examples[example.name])),
  );
}

// The buttons that share a board, and the link to the other page: in a row, or on a phone in a menu behind one button.
export function sharing(buttons) {
  const list = h("div", { class: "share", id: "share" }, buttons, beside(text.beside, icon("beside")));
  const close = () => more.setAttribute("aria-expanded", "false");
  const more = h("button", {
    type: "button", class: "more", "aria-expanded": false, "aria-controls": "share", "aria-label": text.more, title: text.more,
    onclick: () => more.setAttribute("aria-expanded", String(more.getAttribute("aria-expanded") !== "true")),
  }, icon("more"));
  // a choice, Escape, or a touch elsewhere closes the menu
  list.addEventListener("click", close);
  const element = h("div", {
    class: "sharing",
    onkeydown: (event) => {
      if (event.key !== "Escape" || more.getAttribute("aria-expanded") !== "true") return;
      close();
      more.focus();
    },
    onfocusout: (event) => element.contains(event.relatedTarget) || event.relatedTarget === null || close(),
  }, more, list);
  return { element, close: (event) => element.contains(event.target) || close() };
}

// On a phone, the board takes touches, so beside it is a rail to scroll the page with. A tap goes to what is below the board,
// and back.
export function scroller() {
  const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
  return h("button", {
    type: "button", class: "scroller", "aria-label": text.scroll, title: text.scroll,
    onclick: () => {
      const top = scrollY > 40 ? 0 : document.querySelector(".player").getBoundingClientRect().top + scrollY - 60;
      scrollTo({ top, behavior: still() ? "auto" : "smooth" });
    },
  }, icon("scroll"), h("span", { class: "name" }, text.scrollShort));
}

// parts: elements, or lists of elements
export function frame({ views, share, tools, edits, lanes, player, tabs, examples, accounts, status, dialogs }) {
  return h(
    "div",
    { class: "nyaa" },
    h("h1", { class: "hidden" }, text.heading),
    h("p", { class: "hidden", id: "grid-help" }, text.gridHelp),
    h("div", { class: "bar" }, views, share),
    h("div", { class: "side" }, tools, h("div", { class: "edits" }, edits)),
    h("div", { class: "stage" }, h("div", { class: "lanes" }, lanes), player),
    scroller(),
    h("div", { class: "desk" }, tabs, examples, h("div", { class: "accounts" }, accounts)),
    status,
    dialogs,
  );
}
