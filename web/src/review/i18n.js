// The language of the page. All text is in text/.

import { firstText, otherText } from "../shell/language.js";
import en from "./text/en.js";
import ja from "./text/ja.js";

export const TEXTS = { en, ja };

// The texts of the current language. Modules read them when they build their elements.
export let text = firstText(TEXTS);

export function switchLanguage() {
  text = otherText(TEXTS, text);
}
