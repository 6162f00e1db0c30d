// The shell: theme, language, alerts, and the service worker that keeps the page for use without a network.

import * as engine from "./engine/index.js";
import { App } from "./page/app.js";
import { h } from "./page/dom.js";
import { keepFocus } from "./page/focus.js";
import { TEXTS, switchLanguage, text } from "./page/i18n.js";
import { icon } from "./page/icons.js";
import { practised } from "./page/practised.js";
import { decode, encode } from "./page/share.js";

const THEMES = ["auto", "light", "dark"];
const find = (id) => document.getElementById(id);
let app = null;

// what: the alert's elements
function fillAlert(...what) {
  const firstOnThePage = () => find("page").querySelector("input:checked");
  keepFocus(find("alert"), () => find("alert").replaceChildren(...what), firstOnThePage);
}

const shell = {
  showAlert(words) {
    fillAlert(h("p", {}, words, h("button", { type: "button", class: "quiet", onclick: shell.clearAlert }, text.close)));
  },
  clearAlert() {
    fillAlert();
  },
};

function setTheme(theme) {
  const root = document.documentElement;
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
  try {
    if (theme === "auto") localStorage.removeItem("theme");
    else localStorage.setItem("theme", theme);
  } catch {
    // as in theme.js
  }
  const button = find("theme");
  button.replaceChildren(icon(theme));
  button.title = text.theme[theme];
  button.setAttribute("aria-label", text.theme[theme]);
  document.dispatchEvent(new Event("themechange"));
}

const themeNow = () => document.documentElement.dataset.theme ?? "auto";

function show() {
  const before = app?.state ?? null;
  app?.close();
  document.documentElement.lang = text.code;
  document.title = text.title;
  find("brand").textContent = text.title;
  find("skip").textContent = text.skip;
  const language = find("language");
  language.textContent = text.switchLanguage;
  language.lang = text.code === "en" ? "ja" : "en";
  find("page").replaceChildren();
  setTheme(themeNow());
  app = new App(find("page"), shell, before);
}

find("theme").addEventListener("click", () => setTheme(THEMES[(THEMES.indexOf(themeNow()) + 1) % THEMES.length]));
find("language").addEventListener("click", () => {
  switchLanguage();
  shell.clearAlert();
  show();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  document.dispatchEvent(new Event("themechange"));
});
// the engine, for tests and for other people's scripts
globalThis.nyaa = { ...engine, decode, encode, texts: TEXTS };
show();
// after the first value, so that even the first touch runs compiled code
practised();

if ("serviceWorker" in navigator && location.protocol.startsWith("http")) {
  // without it the page works too, but not offline
  navigator.serviceWorker.register("sw.js", { updateViaCache: "none" }).catch(() => {});
}
