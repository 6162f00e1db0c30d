// The language of the page: the one chosen here last, else the browser's. All text is in text/, one file a language.

import en from "../text/en.js";
import ja from "../text/ja.js";

export const TEXTS = { en, ja };

function first() {
  try {
    const chosen = localStorage.getItem("language");
    if (Object.hasOwn(TEXTS, chosen)) return TEXTS[chosen];
  } catch {
    // storage can be forbidden; then the browser's language it is
  }
  const wanted = (navigator.languages ?? [navigator.language]).map((tag) => tag.slice(0, 2).toLowerCase());
  return TEXTS[wanted.find((code) => Object.hasOwn(TEXTS, code))] ?? en;
}

// The text of the moment; modules read it when they build something.
export let text = first();

export function switchLanguage() {
  text = text === en ? ja : en;
  try {
    localStorage.setItem("language", text.code);
  } catch {
    // as above
  }
}
