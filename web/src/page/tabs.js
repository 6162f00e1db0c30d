// The tabs beside the board. A panel is made when it is opened, and closed when another one is.

import { h } from "./dom.js";
import { text } from "./i18n.js";

// makers: by name, a function that returns a panel {element, refresh(), close(), open?()}, or null for a tab without one.
// changed(name): called when a tab was opened
export class Tabs {
  #makers;
  #changed;
  #panel = null;
  #buttons;
  #body = h("div", { class: "panel", role: "tabpanel", id: "panel", hidden: true });

  constructor(makers, changed) {
    this.#makers = makers;
    this.#changed = changed;
    const names = Object.keys(makers);
    this.now = names[0];
    this.#buttons = names.map((name) => h(
      "button",
      {
        type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "panel", "aria-selected": name === this.now,
        tabindex: name === this.now ? 0 : -1, onclick: () => this.#chosen(name),
      },
      text.tabs[name],
    ));
    this.element = h(
      "div",
      { class: "tabs" },
      h(
        "div",
        { role: "tablist", "aria-label": text.tabsLabel, onkeydown: (event) => this.#key(event, names) },
        this.#buttons,
      ),
      this.#body,
    );
  }

  open(name) {
    this.#panel?.close();
    this.now = name;
    for (const button of this.#buttons) {
      const mine = button.id === `tab-${name}`;
      button.setAttribute("aria-selected", String(mine));
      button.tabIndex = mine ? 0 : -1;
    }
    this.#panel = this.#makers[name]();
    this.#body.hidden = this.#panel === null;
    this.#body.setAttribute("aria-labelledby", `tab-${name}`);
    this.#body.replaceChildren(...(this.#panel === null ? [] : [this.#panel.element]));
    this.#changed(name);
    this.#panel?.open?.();
    this.#panel?.refresh();
  }

  #chosen(name) {
    this.open(name);
    // on a phone some panels are above the board and others below; the tapped tab must stay in sight
    this.element.firstChild.scrollIntoView({ block: "nearest" });
  }

  refresh() {
    this.#panel?.refresh();
  }

  close() {
    this.#panel?.close();
    this.#panel = null;
  }

  #key(event, names) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const at = (names.indexOf(this.now) + by + names.length) % names.length;
    this.#chosen(names[at]);
    this.#buttons[at].focus();
  }
}
