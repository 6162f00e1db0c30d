// The page's frame: the bar with views and sharing, the tools, the boards, and the desk beside them.

import { parse } from "../engine/index.js";
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

// parts: elements, or lists of elements
export function frame({ views, share, tools, edits, lanes, player, tabs, examples, accounts, status, dialog }) {
  return h(
    "div",
    { class: "nyaa" },
    h("h1", { class: "hidden" }, text.heading),
    h("p", { class: "hidden", id: "grid-help" }, text.gridHelp),
    h("div", { class: "bar" }, views, h("div", { class: "share" }, share)),
    h("div", { class: "side" }, tools, h("div", { class: "edits" }, edits)),
    h("div", { class: "stage" }, h("div", { class: "lanes" }, lanes), player),
    h("div", { class: "desk" }, tabs, examples, h("div", { class: "accounts" }, accounts)),
    status,
    dialog,
  );
}
