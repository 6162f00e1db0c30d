// The other page that is served beside this one: the server and the export name it in a meta element. There is none in a file
// that is opened from a disk.

import { h } from "./dom.js";

export function beside(words, picture) {
  const found = document.querySelector("meta[name=beside]");
  if (found === null || !location.protocol.startsWith("http")) return null;
  const { short, long } = words;
  return h("a", { class: "button beside", href: found.content, title: long, "aria-label": long }, picture, h("span", { class: "name" }, short));
}
