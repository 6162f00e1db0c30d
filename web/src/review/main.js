// The shell of a review's page: the data, the theme and the language. page.html has the data; without a review there is only
// the analysis board.

import { App } from "./app.js";
import { TEXTS, switchLanguage, text } from "./i18n.js";
import { icon } from "./icons.js";
import { Game } from "./model.js";
import * as chain from "./chain.js";
import * as field from "./field.js";
import * as links from "./links.js";
import * as pair from "./pair.js";
import { PROFILES as profiles } from "./profiles.js";

const THEMES = ["auto", "light", "dark"];
const find = (id) => document.getElementById(id);
const review = JSON.parse(find("review").textContent);
const game = review !== null && review.moves.length > 0 ? new Game(review) : null;
let app = null;

const themeNow = () => document.documentElement.dataset.theme ?? "auto";

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
  app?.redraw();
}

function show() {
  const before = app?.state ?? null;
  app?.close();
  const title = review === null ? text.boardTitle : text.titled(text.title, review.source.name);
  document.documentElement.lang = text.code;
  document.title = title;
  find("brand").textContent = title;
  find("skip").textContent = text.skip;
  const language = find("language");
  language.textContent = text.switchLanguage;
  language.lang = text.code === "en" ? "ja" : "en";
  setTheme(themeNow());
  if (review !== null && game === null) {
    find("page").textContent = text.noMoves;
    return;
  }
  app = new App(find("page"), game, before);
}

find("theme").addEventListener("click", () => setTheme(THEMES[(THEMES.indexOf(themeNow()) + 1) % THEMES.length]));
find("language").addEventListener("click", () => {
  switchLanguage();
  show();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => app?.redraw());
// for tests and for other people's scripts
globalThis.ochibotReview = { review, texts: TEXTS, chain, field, links, pair, profiles };
show();
