// The shell of the live page: its language and its colours.

import { nameTop } from "../shell/language.js";
import { ThemeButton } from "../shell/colours.js";
import { App } from "./app.js";
import { TEXTS, switchLanguage, text } from "./i18n.js";
import { Source } from "./source.js";

const find = (id) => document.getElementById(id);
const source = new Source({ news: (kind, content) => app.news(kind, content), link: (state) => app.link(state) });
const app = new App(find("page"), source);
const theme = new ThemeButton(find("theme"), () => app.redraw());

function name() {
  nameTop(text, text.title);
  theme.name(text);
}

find("language").addEventListener("click", () => {
  switchLanguage();
  name();
  app.build();
});
document.addEventListener("keydown", (event) => app.key(event));
// for tests and for other people's scripts
globalThis.ochibotLive = { texts: TEXTS, app };
name();
source.start();
