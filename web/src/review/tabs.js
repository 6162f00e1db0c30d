// The tabs of the page. A panel is made when its tab is opened, and closed when another one is.

import { h } from "../page/dom.js";
import { text } from "./i18n.js";

// makers: by name, a function that returns a panel {element, close?(), redraw?(), key?(event)}
export class Tabs {
  #makers;
  #buttons;
  #body = h("div", { class: "panel", role: "tabpanel", id: "panel", tabindex: -1 });
  panel = null;

  constructor(makers) {
    this.#makers = makers;
    const names = Object.keys(makers);
    this.#buttons = names.map((name) => h(
      "button",
      { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "panel", onclick: (event) => this.#clicked(name, event) },
      text.tabs[name],
    ));
    this.list = h(
      "div",
      { role: "tablist", "aria-label": text.tabsLabel, onkeydown: (event) => this.#key(event, names) },
      this.#buttons,
    );
    this.element = h("div", { class: "tabs" }, this.list, this.#body);
  }

  open(name, ...given) {
    this.close();
    this.now = name;
    for (const button of this.#buttons) {
      const mine = button.id === `tab-${name}`;
      button.setAttribute("aria-selected", String(mine));
      button.tabIndex = mine ? 0 : -1;
    }
    this.panel = this.#makers[name](...given);
    this.#body.setAttribute("aria-labelledby", `tab-${name}`);
    this.#body.replaceChildren(this.panel.element);
    this.panel.opened?.();
  }

  // After a click the keys are the panel's; after a key they are the tabs' still.
  #clicked(name, event) {
    this.open(name);
    if (event.detail > 0) this.#body.focus({ preventScroll: true });
  }

  close() {
    this.panel?.close?.();
    this.panel = null;
  }

  #key(event, names) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const at = (names.indexOf(this.now) + by + names.length) % names.length;
    this.open(names[at]);
    this.#buttons[at].focus();
  }
}
