// The help panel: the rules, the marks on the board, and the keys.

import { h, s } from "./dom.js";
import { pieceIcon } from "./tools.js";
import { text } from "./i18n.js";

const mark = (...shapes) => s("svg", { viewBox: "0 0 40 40", "aria-hidden": "true", class: "mark" }, shapes);
const block = () => [...pieceIcon(3).children];

function badge(fill, ink) {
  return [
    ...block(),
    s("rect", { x: 18, y: 18, width: 21, height: 21, rx: 7, fill, stroke: "#1b1d26", "stroke-width": 2 }),
    s("text", { x: 28.5, y: 34, fill: ink, "font-size": 16, "font-weight": 700, "text-anchor": "middle" }, ink === "#1b1d26" ? "4" : "1"),
  ];
}

const disc = (fill, ink, sign) => [
  ...block(),
  s("circle", { cx: 11, cy: 11, r: 9.5, fill, stroke: ink === "#fff" ? "#fff" : "#1b1d26", "stroke-width": 2 }),
  s("text", { x: 11, y: 16, fill: ink, "font-size": 14, "font-weight": 700, "text-anchor": "middle" }, sign),
];

export function helpPanel() {
  const { help } = text;
  const entry = (shapes, words) => [h("dt", {}, mark(...shapes)), h("dd", {}, words)];
  return {
    element: h(
      "div",
      { class: "help" },
      h("h3", {}, help.title),
      h("ul", {}, help.rules.map((rule) => h("li", {}, rule))),
      h("h3", {}, help.legendTitle),
      h(
        "dl",
        { class: "legend" },
        entry(disc("#1b1d26", "#fff", "1"), help.legend.start),
        entry(badge("#fff", "#1b1d26"), help.legend.badge),
        entry(badge("#d5d7de", "#5b6070"), help.legend.grey),
        entry(disc("#ffd9a0", "#1b1d26", "?"), help.legend.tie),
        entry(
          [s("path", { d: "M13 13l14 14m0-14l-14 14", stroke: "currentColor", "stroke-width": 3, "stroke-linecap": "round" })],
          help.legend.cross,
        ),
      ),
      h("h3", {}, help.keysTitle),
      h("p", {}, text.gridHelp),
      h("p", { class: "soft" }, help.offline),
      h("p", { class: "soft" }, help.links),
    ),
    refresh() {},
    close() {},
  };
}
