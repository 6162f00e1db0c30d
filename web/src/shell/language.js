// The language of a page: the one chosen last in this browser, else the browser's own. texts: by code.

export function firstText(texts) {
  try {
    const chosen = localStorage.getItem("language");
    if (Object.hasOwn(texts, chosen)) return texts[chosen];
  } catch {
    // storage can be forbidden; then the browser's language is used
  }
  const wanted = (navigator.languages ?? [navigator.language]).map((tag) => tag.slice(0, 2).toLowerCase());
  return texts[wanted.find((code) => Object.hasOwn(texts, code))] ?? texts.en;
}

// The other text; it is kept for the next visit.
export function otherText(texts, now) {
  const other = now === texts.en ? texts.ja : texts.en;
  try {
    localStorage.setItem("language", other.code);
  } catch {
    // storage can be forbidden; then the choice lasts as long as the page
  }
  return other;
}

// Writes what is in the language into the top of the page: its title, the link that skips to the page, the button.
export function nameTop(text, title) {
  const find = (id) => document.getElementById(id);
  document.documentElement.lang = text.code;
  document.title = title;
  find("brand").textContent = title;
  find("skip").textContent = text.skip;
  const language = find("language");
  language.textContent = text.switchLanguage;
  language.lang = text.code === "en" ? "ja" : "en";
}
