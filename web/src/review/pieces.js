// The pieces' pictures, in a square of 40 units. All looks are attributes, not CSS, so that a picture can be saved. Each
// colour has a mark of its own, for people who can't see the colours. Pieces of Pochi & Nyaa look as in the calculator.

import { s } from "../page/dom.js";
import { piece as nyaaPiece } from "../page/draw.js";
import { nuisanceOf } from "./field.js";

export const UNIT = 40;
export const FONT = "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";

export const LOOKS = {
  light: {
    well: "#ece8dc", line: "#ded8c8", above: "#d9d3c2", page: "#faf8f2", text: "#22252e", soft: "#5b6070", best: "#0b6b3a",
    ink: "#22252e", paper: "#ffffff",
  },
  dark: {
    well: "#191c27", line: "#252a39", above: "#232838", page: "#11131b", text: "#f0eff4", soft: "#a6acbf", best: "#6fdc9d",
    ink: "#f0eff4", paper: "#11131b",
  },
};

// by letter: the body, its rim
export const PAINT = {
  R: ["#e04450", "#9c1c28"],
  G: ["#2ea05c", "#0f5f33"],
  B: ["#4a80ee", "#1b479f"],
  Y: ["#f3bf1d", "#9a7304"],
  P: ["#a05bd6", "#66309a"],
  C: ["#35b7c4", "#12727d"],
  o: ["#c3c7d2", "#7d8496"],
};
const DARK_MARK = "#4a3500";

function star(points, outer, inner) {
  return `M${Array.from({ length: points * 2 }, (_, i) => {
    const angle = (Math.PI * i) / points - Math.PI / 2;
    const radius = i % 2 ? inner : outer;
    return `${(20 + radius * Math.cos(angle)).toFixed(2)} ${(21 + radius * Math.sin(angle)).toFixed(2)}`;
  }).join("L")}z`;
}

const MARKS = {
  R: "M20 13a8 8 0 1 1 0 16a8 8 0 1 1 0-16z",
  G: "M20 11L29.500 28H10.500z",
  B: "M20 10.500L30 21L20 31.500L10 21z",
  Y: star(5, 11, 4.8),
  P: "M17 12h6v6h6v6h-6v6h-6v-6h-6v-6h6z",
  C: "M12 14h16v14h-16z",
  o: "M13 13l14 16M27 13L13 29",
};

function puyo(letter) {
  const [body, rim] = PAINT[letter];
  const isNuisance = letter === "o";
  const mark = isNuisance
    ? s("path", { d: MARKS.o, stroke: rim, "stroke-width": 4, "stroke-linecap": "round", fill: "none" })
    : s("path", { d: MARKS[letter], fill: letter === "Y" ? DARK_MARK : "#ffffff", "stroke-linejoin": "round" });
  return [
    s("circle", { cx: 20, cy: 20, r: 18, fill: rim }),
    s("circle", { cx: 20, cy: 19, r: 16.2, fill: body }),
    s("ellipse", { cx: 16, cy: 9.5, rx: 6, ry: 2.6, fill: "#ffffff", opacity: 0.35 }),
    mark,
  ];
}

// The shapes of a code.
export function pieceOf(code, board) {
  return board.needles ? nyaaPiece(code) : puyo(board.letters[code]);
}

// The colour that stands for a code in small pictures.
export function colourOf(code, board) {
  const letter = board.letters[code];
  const needle = board.needles && code > nuisanceOf(board);
  return PAINT[letter === "o" ? "o" : letter.toUpperCase()][needle ? 1 : 0];
}

// A picture of a pair, the partner above the axis.
export function pairPicture(pair, board, name) {
  return s(
    "svg",
    { viewBox: `0 0 ${UNIT} ${UNIT * 2}`, class: "pairpicture", role: "img", "aria-label": name },
    pair.map((code, at) => s("g", { transform: `translate(0 ${(1 - at) * UNIT})` }, pieceOf(code, board))),
  );
}
