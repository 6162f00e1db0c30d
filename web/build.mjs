// Builds the pages: web/src and web/public into bot/ochibot/ui/web, web/src/review into one file in
// bot/ochibot/review/static, and web/src/live into one in bot/ochibot/ui/web/live, the same bytes every time. See docs/web.md.

import { build } from "esbuild";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "../bot/ochibot/ui/web/static");
const reviewTarget = join(here, "../bot/ochibot/review/static");
const liveTarget = join(here, "../bot/ochibot/ui/web/live");

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .sort();
}

const digest = (parts) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\0");
  return hash.digest("hex");
};

// The digest of the build's sources. tests/ui/web/test_export.py computes it too, and compares. The engine for Puyo Puyo and
// the pages that are one file have digests of their own, so that a change of them leaves the calculator's files as they are.
const sources = ["build.mjs", "package-lock.json", "package.json"];
for (const folder of ["public", "src"]) sources.push(...filesIn(join(here, folder)).map((name) => `${folder}/${name}`));
sources.sort();
const isEngine = (name) => name.startsWith("src/puyo/");
const isReview = (name) => /^src\/(review|live|shell)\//.test(name);
const isCalculator = (name) => /^(src|public)\//.test(name) && !isEngine(name) && !isReview(name);
const stampOf = (names) => digest(names.flatMap((name) => [name, readFileSync(join(here, name))]));
const saysOf = (names) => `Ochibot, MIT. Built by make web from web/, sources ${stampOf(names)}`;
const bannersOf = (names) => {
  const banner = `/* ${saysOf(names)} */`;
  return { js: banner, css: banner };
};

const options = {
  bundle: true,
  minify: true,
  charset: "utf8",
  format: "iife",
  target: ["es2022", "chrome110", "firefox115", "safari16.4"],
  legalComments: "none",
  logLevel: "warning",
};

// import text from "text-of:./worker.js": the bundled script as text, from which a page starts a worker.
const textOf = {
  name: "text-of",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^text-of:/ }, ({ path, resolveDir }) => (
      { path: join(resolveDir, path.slice("text-of:".length)), namespace: "text-of" }
    ));
    onLoad({ filter: /.*/, namespace: "text-of" }, async ({ path }) => {
      const made = await build({ ...options, entryPoints: [path], write: false });
      return { contents: made.outputFiles[0].text, loader: "text" };
    });
  },
};

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
cpSync(join(here, "public"), target, { recursive: true });
await build({
  ...options,
  entryPoints: {
    app: join(here, "src/main.js"), best: join(here, "src/best_worker.js"), theme: join(here, "src/theme.js"),
    // with its styles; it is loaded when it is first needed
    picture: join(here, "src/picture/index.js"),
    app_css: join(here, "src/app.css"),
  },
  entryNames: "[name]",
  outdir: target,
  banner: bannersOf(sources.filter((name) => !isEngine(name) && !isReview(name))),
});
// The engine for Puyo Puyo as one script, see docs/browser-engine.md.
await build({
  ...options,
  entryPoints: { engine: join(here, "src/puyo/index.js") },
  outdir: join(target, "../puyo"),
  globalName: "ochibotPuyo",
  plugins: [textOf],
  banner: bannersOf(sources.filter((name) => !isCalculator(name) && !isReview(name))),
});
cpSync(join(target, "app_css.css"), join(target, "app.css"));
rmSync(join(target, "app_css.css"));

// The service worker keeps all files but itself and those that only other sites or a wrong address need.
const kept = filesIn(target).filter((name) => !["404.html", "preview.png", "sw.js"].includes(name));
const version = digest(kept.flatMap((name) => [name, readFileSync(join(target, name))])).slice(0, 16);
const worker = readFileSync(join(target, "sw.js"), "utf8")
  .replace("__VERSION__", version)
  .replace("__FILES__", JSON.stringify(kept));
writeFileSync(join(target, "sw.js"), worker);
console.log(`${filesIn(target).length} files, version ${version}`);

// The pages that are one file. The policy allows only the scripts and styles that are in it.
// further: its title, the words of its link to the contents, its data, and what else the policy allows.
async function onePage(folder, style, outdir, name, further) {
  const parts = await build({
    ...options,
    plugins: [textOf],
    entryPoints: { main: join(here, folder, "main.js"), theme: join(here, "src/theme.js"), style: join(here, folder, style) },
    entryNames: "[name]",
    outdir,
    write: false,
  });
  const [main, theme, css] = ["main.js", "theme.js", "style.css"].map((part) => parts.outputFiles.find(({ path }) => path.endsWith(part)).text);
  const hashed = (part) => `'sha256-${createHash("sha256").update(part).digest("base64")}'`;
  const policy = [
    "default-src 'none'",
    `script-src ${hashed(theme)} ${hashed(main)}${further.script}`,
    `style-src ${hashed(css)}`,
    ...further.rules,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const { title, skip, data = "" } = further;
  const filled = { BANNER: saysOf(sources), POLICY: policy, TITLE: title, STYLE: css, THEME: theme, SKIP: skip, DATA: data, MAIN: main };
  const page = readFileSync(join(here, "src/shell/page.html"), "utf8")
    .replace(/BANNER|POLICY|TITLE|STYLE|THEME|SKIP|DATA|MAIN/g, (part) => filled[part]);
  mkdirSync(outdir, { recursive: true });
  writeFileSync(join(outdir, name), page);
  console.log(`${name}: ${Buffer.byteLength(page)} bytes`);
}

// The review's page uses no network; the live page asks the server that it came from.
await onePage("src/review", "review.css", reviewTarget, "review.html", {
  title: "Ochibot review", skip: "Skip to the review", data: '<script type="application/json" id="review">__REVIEW__</script>\n',
  script: " 'wasm-unsafe-eval'", rules: ["img-src data: blob:", "worker-src blob:"],
});
await onePage("src/live", "live.css", liveTarget, "live.html", {
  title: "Ochibot live", skip: "Skip to the game", script: "", rules: ["img-src data:", "connect-src 'self'"],
});
