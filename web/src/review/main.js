// The shell of a review's page: the data, the theme and the language. page.html has the data; without a review there is only
// the analysis board.

import { App } from "./app.js";
import { TEXTS, switchLanguage, text } from "./i18n.js";
import { beside } from "../page/beside.js";
import { ThemeButton } from "../shell/colours.js";
import { nameTop } from "../shell/language.js";
import { fromAddress } from "./address.js";
import { Game } from "./model.js";
import { icon } from "./icons.js";
import * as chain from "./chain.js";
import * as field from "./field.js";
import * as links from "./links.js";
import * as pair from "./pair.js";
import { PROFILES as profiles } from "./profiles.js";

const find = (id) => document.getElementById(id);
const review = JSON.parse(find("review").textContent);
const game = review !== null && review.moves.length > 0 ? new Game(review) : null;
let app = null;

const theme = new ThemeButton(find("theme"), () => app?.redraw());

function show() {
  const before = app?.state ?? null;
  app?.close();
  nameTop(text, review === null ? text.boardTitle : text.titled(text.title, review.source.name));
  theme.name(text);
  document.querySelector(".beside")?.remove();
  find("language").before(...[beside(text.beside, icon("beside"))].filter(Boolean));
  if (review !== null && game === null) {
    find("page").textContent = text.noMoves;
    return;
  }
  app = new App(find("page"), game, before, game === null ? fromAddress(location.hash) : null);
}

find("language").addEventListener("click", () => {
  switchLanguage();
  show();
});
// for tests and for other people's scripts
globalThis.ochibotReview = { review, texts: TEXTS, chain, field, links, pair, profiles };
show();
