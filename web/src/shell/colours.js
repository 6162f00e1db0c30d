// The button that goes through the themes: that of the system, light, dark. theme.js sets the chosen one before the page is
// painted.

import { icon } from "../review/icons.js";

const THEMES = ["auto", "light", "dark"];
const themeNow = () => document.documentElement.dataset.theme ?? "auto";

function keep(theme) {
  try {
    if (theme === "auto") localStorage.removeItem("theme");
    else localStorage.setItem("theme", theme);
  } catch {
    // as in theme.js
  }
}

export class ThemeButton {
  #button;
  #changed;

  // changed: called when the page has other colours
  constructor(button, changed) {
    [this.#button, this.#changed] = [button, changed];
    button.addEventListener("click", () => {
      const next = THEMES[(THEMES.indexOf(themeNow()) + 1) % THEMES.length];
      const root = document.documentElement;
      if (next === "auto") delete root.dataset.theme;
      else root.dataset.theme = next;
      keep(next);
      this.name(this.text);
      changed();
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#changed());
  }

  // Names the button in the language of a text.
  name(text) {
    this.text = text;
    const theme = themeNow();
    this.#button.replaceChildren(icon(theme));
    this.#button.title = text.theme[theme];
    this.#button.setAttribute("aria-label", text.theme[theme]);
  }
}
