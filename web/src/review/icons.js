// The buttons' icons: lines in a square of 24 units.

import { s } from "../page/dom.js";

const PATHS = {
  first: "M6 5v14M18 5l-9 7 9 7z",
  back: "M15 5l-8 7 8 7",
  forward: "M9 5l8 7-8 7",
  last: "M18 5v14M6 5l9 7-9 7z",
  play: "M7 4.500v15l12-7.500z",
  pause: "M8 5v14M16 5v14",
  lastMoment: "M13 6l-7 6 7 6M18 7v6M18 16.500v.5",
  nextMoment: "M11 6l7 6-7 6M6 7v6M6 16.500v.5",
  picture: "M12 4v11M7.500 10.500L12 15l4.500-4.500M4 20h16",
  analyse: "M10.500 4a6.500 6.500 0 1 0 0 13a6.500 6.500 0 1 0 0-13zM15.500 15.500L20 20",
  link: "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.700-5.700l-1.500 1.500M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.700 5.700l1.500-1.500",
  beside: "M6 3h12v18H6zM9 6.500h6M9 11v.5M12 11v.5M15 11v.5M9 14.500v.5M12 14.500v.5M15 14.500v.5M9 18v.5M12 18v.5M15 18v.5",
  auto: "M12 4a8 8 0 1 0 0 16a8 8 0 1 0 0-16zM12 4v16",
  light: "M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.400 1.400M17.600 17.600L19 19M19 5l-1.400 1.400M6.400 17.600L5 19",
  dark: "M19.500 14.500A8 8 0 0 1 9.500 4.500a8 8 0 1 0 10 10z",
  left: "M19 12H5M11 6l-6 6 6 6",
  right: "M5 12h14M13 6l6 6-6 6",
  turnLeft: "M5 4v5h5M5.500 9a7.500 7.500 0 1 1-1 5",
  turnRight: "M19 4v5h-5M18.500 9a7.500 7.500 0 1 0 1 5",
  drop: "M12 4v15M6 13l6 6 6-6",
  needle: "M12 3v18M3 12h18M5.600 5.600l12.800 12.800M18.400 5.600L5.600 18.400",
  undo: "M8 5L4 9l4 4M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "M16 5l4 4-4 4M20 9H10a6 6 0 0 0 0 12h3",
  clear: "M4 7h16M9 7V4h6v3M6.500 7l1 13h9l1-13M10 11v5M14 11v5",
  mirror: "M12 3v18M8 7l-5 10h5zM16 7l5 10h-5z",
};

export function icon(name) {
  return s("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, s("path", { d: PATHS[name] }));
}
