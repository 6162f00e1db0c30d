import en from "./en.js";
import ja from "./ja.js";

export const TEXTS = { en, ja };
