// Before the first paint: the theme that was chosen here last; without a choice the system's.
let chosen = null;
try {
  chosen = localStorage.getItem("theme");
} catch {
  // storage can be forbidden; the choice then lasts as long as the page
}
if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
