// The buttons' icons: lines in a square of 24 units.

import { s } from "./dom.js";

const PATHS = {
  undo: "M8 5L4 9l4 4M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "M16 5l4 4-4 4M20 9H10a6 6 0 0 0 0 12h3",
  flip: "M12 3v18M8 7l-5 10h5zM16 7l5 10h-5z",
  clear: "M4 7h16M9 7V4h6v3M6.500 7l1 13h9l1-13M10 11v5M14 11v5",
  link: "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.700-5.700l-1.500 1.500M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.700 5.700l1.500-1.500",
  text: "M4 5h16M4 10h10M4 15h16M4 20h8",
  picture: "M12 4v11M7.500 10.500L12 15l4.500-4.500M4 20h16",
  image: "M4 5h16v14H4zM4 16l5-5 4 4 2-2 5 5M15.500 8a1.500 1.500 0 1 0 .1 0z",
  play: "M7 4.500v15l12-7.500z",
  pause: "M8 5v14M16 5v14",
  boards: "M6 4h12v17l-6-4.500l-6 4.500z",
  more: "M5 11a1 1 0 1 0 0 2a1 1 0 1 0 0-2zM12 11a1 1 0 1 0 0 2a1 1 0 1 0 0-2zM19 11a1 1 0 1 0 0 2a1 1 0 1 0 0-2z",
  scroll: "M12 3v18M8 7l4-4l4 4M8 17l4 4l4-4",
  beside: "M8 3.500a4.500 4.500 0 1 0 .1 0zM16 12a4.500 4.500 0 1 0 .1 0zM5 15v4M3 17h4M17 4v4M15 6h4",
  auto: "M12 4a8 8 0 1 0 0 16a8 8 0 1 0 0-16zM12 4v16",
  gif: "M4 6h16v12H4zM4 10h16M8 6v4M12 6v4M16 6v4M10 12.500v4l4-2z",
  light: "M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.400 1.400M17.600 17.600L19 19M19 5l-1.400 1.400M6.400 17.600L5 19",
  dark: "M19.500 14.500A8 8 0 0 1 9.500 4.500a8 8 0 1 0 10 10z",
};

export function icon(name) {
  return s("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, s("path", { d: PATHS[name] }));
}
