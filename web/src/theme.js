// Runs before the first paint: sets the theme chosen last in this browser. Without a choice the system's theme is used.
let chosen = null;
try {
  chosen = localStorage.getItem("theme");
} catch {
  // storage can be forbidden; then the choice lasts as long as the page
}
if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
