// The dialog that shows the board as text, to copy it or to load another.

import { BoardError, parse } from "../engine/index.js";
import { h } from "./dom.js";
import { text } from "./i18n.js";

// Reads a drawn board. Throws an error whose message the dialog shows.
function parsed(drawn) {
  try {
    return parse(drawn);
  } catch (error) {
    if (error instanceof BoardError) throw new Error(text.errors[error.what](error.details));
    throw error;
  }
}

// load(cells): puts a board on the grid.
export function textDialog(load) {
  const words = text.dialog;
  const title = h("h2", { id: "text-title" });
  const area = h("textarea", { rows: 13, cols: 30, spellcheck: "false", autocapitalize: "off", "aria-label": words.area });
  const fault = h("p", { class: "fault", role: "alert" });
  const help = h("p", { class: "soft" }, words.help);
  const copy = h("button", { type: "button", onclick: () => {
    area.select();
    navigator.clipboard?.writeText(area.value).then(() => { copy.textContent = words.copied; }, () => {});
  } }, words.copy);
  const loadButton = h("button", { type: "button", class: "main", onclick: () => {
    fault.textContent = "";
    try {
      load(parsed(area.value));
      element.close();
    } catch (error) {
      fault.textContent = error.message;
    }
  } }, words.load);
  const close = h("button", { type: "button", onclick: () => element.close() }, text.close);
  const element = h(
    "dialog",
    { "aria-labelledby": "text-title" },
    title, area, fault, help, h("div", { class: "buttons" }, loadButton, copy, close),
  );
  return {
    element,
    // heading: null for the board's text, which can be changed and loaded
    open(shown, heading = null) {
      title.textContent = heading ?? words.title;
      area.value = shown;
      area.readOnly = heading !== null;
      loadButton.hidden = help.hidden = heading !== null;
      fault.textContent = "";
      copy.textContent = words.copy;
      element.showModal();
      area.select();
    },
  };
}
