// The dialog with the board as text, to copy from and to load into.

import { h } from "../dom.js";

const HELP = "Rows from the top, 7 letters each; rows left out are empty ones above. Letters: “.” empty, r g b y blocks, "
  + "o nuisance, R G B Y needles.";

// load(text): puts a text on the board; its promise fails with an error that has a message for the person
export function textDialog(load) {
  const title = h("h2", { id: "text-title" });
  const area = h("textarea", { rows: 13, cols: 30, spellcheck: "false", autocapitalize: "off", "aria-label": "Board" });
  const fault = h("p", { class: "fault", role: "alert" });
  const help = h("p", { class: "soft" }, HELP);
  const copy = h("button", { type: "button", onclick: () => {
    area.select();
    navigator.clipboard?.writeText(area.value).then(() => { copy.textContent = "Copied"; }, () => {});
  } }, "Copy");
  const loadButton = h("button", { type: "button", class: "main", onclick: async () => {
    fault.textContent = "";
    try {
      await load(area.value);
      element.close();
    } catch (error) {
      fault.textContent = error.message;
    }
  } }, "Load onto the board");
  const close = h("button", { type: "button", onclick: () => element.close() }, "Close");
  const element = h(
    "dialog",
    { "aria-labelledby": "text-title" },
    title, area, fault, help, h("div", { class: "buttons" }, loadButton, copy, close),
  );
  return {
    element,
    // without a heading: the board's text
    open(text, heading = null) {
      title.textContent = heading ?? "The board as text";
      area.value = text;
      area.readOnly = heading !== null;
      loadButton.hidden = help.hidden = heading !== null;
      fault.textContent = "";
      copy.textContent = "Copy";
      element.showModal();
      area.select();
    },
  };
}
