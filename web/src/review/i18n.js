// The language of the page: the one chosen last in this browser, else the browser's own. All text is in text/.

import en from "./text/en.js";
import ja from "./text/ja.js";

export const TEXTS = { en, ja };

function first() {
  try {
    const chosen = localStorage.getItem("language");
    if (Object.hasOwn(TEXTS, chosen)) return TEXTS[chosen];
  } catch {
    // storage can be forbidden; then the browser's language is used
  }
  const wanted = (navigator.languages ?? [navigator.language]).map((tag) => tag.slice(0, 2).toLowerCase());
  return TEXTS[wanted.find((code) => Object.hasOwn(TEXTS, code))] ?? en;
}

// The texts of the current language. Modules read them when they build their elements.
export let text = first();

export function switchLanguage() {
  text = text === en ? ja : en;
  try {
    localStorage.setItem("language", text.code);
  } catch {
    // storage can be forbidden; then the choice lasts as long as the page
  }
}
