// The shell: navigation between the pages, the theme, and the place for alerts.

import { ApiError, ask } from "./api.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";

const THEMES = ["auto", "light", "dark"];
const place = document.getElementById("page");
const alerts = document.getElementById("alert");
let unmount = null;
let pages = [];

export function showAlert(text) {
  alerts.replaceChildren(
    h("p", {}, text, h("button", { type: "button", class: "quiet", onclick: clearAlert }, "Close")),
  );
}

export function clearAlert() {
  alerts.replaceChildren();
}

async function show() {
  const name = location.pathname.slice(1);
  const page = pages.find((candidate) => candidate.name === name) ?? pages[0];
  for (const link of document.querySelectorAll("#nav a")) {
    if (link.pathname === `/${page.name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  unmount?.();
  clearAlert();
  place.replaceChildren();
  document.title = `${page.title} · Ochibot`;
  const module = await import(`./pages/${page.name}.js`);
  unmount = module.mount(place, { showAlert, clearAlert });
}

function go(event) {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.pushState(null, "", event.currentTarget.href);
  show();
}

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
  const button = document.getElementById("theme");
  button.replaceChildren(icon(theme), h("span", { class: "name" }, { auto: "Auto", light: "Light", dark: "Dark" }[theme]));
  button.title = button.ariaLabel = `Theme: ${theme}`;
  document.dispatchEvent(new Event("themechange"));
}

document.getElementById("theme").addEventListener("click", () => {
  const now = document.documentElement.dataset.theme ?? "auto";
  setTheme(THEMES[(THEMES.indexOf(now) + 1) % THEMES.length]);
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  document.dispatchEvent(new Event("themechange"));
});
setTheme(document.documentElement.dataset.theme ?? "auto");

try {
  pages = await ask("pages");
  document.getElementById("nav").append(
    ...pages.map((page) => h("a", { href: `/${page.name}`, onclick: go }, page.title)),
  );
  addEventListener("popstate", show);
  await show();
} catch (error) {
  showAlert(error instanceof ApiError ? error.message : `The page can't be shown: ${error.message}`);
}
