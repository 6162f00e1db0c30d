// The button for a board from a picture. The reader is a script of its own, which is loaded when it is first needed: by the
// button, by a pasted picture, or by one that is dropped on the page.

import { COLUMNS, LETTERS, ROWS } from "../engine/grid.js";
import { Background } from "./background.js";
import { h } from "./dom.js";
import { action } from "./frame.js";
import { text } from "./i18n.js";
import { pieceIcon } from "./tools.js";

const GUESSES = ["empty", "red", "green", "blue", "yellow", "grey"];
const PIECES = Array.from(LETTERS, (_, code) => ({ code, guess: GUESSES[code] ?? null }));

let loading = null;

function load() {
  loading ??= new Promise((done, failed) => {
    const style = h("link", { rel: "stylesheet", href: "picture.css", onload: () => document.head.append(script), onerror: failed });
    const script = h("script", { src: "picture.js", onload: () => done(globalThis.ochibotPicture), onerror: failed });
    document.head.append(style);
  }).catch((error) => {
    // the next press tries again
    loading = null;
    throw error;
  });
  return loading;
}

const pictureIn = (list) => [...(list ?? [])].find((file) => file.type.startsWith("image/")) ?? null;
const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");

// page: what the output may do. put(codes): puts a board on the page. signal: ends the listening.
export function fromPicture(page, put, signal) {
  let panel = null;
  const open = async (file) => {
    if (page.isHidden()) return;
    try {
      const { PicturePanel } = await load();
      if (signal.aborted) return;
      if (panel === null) {
        panel = new PicturePanel({
          h, Background, code: text.code, size: { columns: COLUMNS, rows: ROWS }, pieces: PIECES, letters: LETTERS, names: text.codes,
          icon: pieceIcon, put: (codes) => put(Uint8Array.from(codes)),
        });
        document.body.append(panel.element);
        signal.addEventListener("abort", () => panel.element.remove());
      }
    } catch {
      page.alert(text.fromPicture.notLoaded);
      return;
    }
    if (file === null) panel.open();
    else panel.read(file);
  };
  const { documentElement } = document;
  const mark = (on) => documentElement.classList.toggle("picture-drop", on);
  document.addEventListener("paste", (event) => {
    const file = pictureIn(event.clipboardData?.files);
    if (file === null || event.target.matches?.("textarea, input")) return;
    event.preventDefault();
    open(file);
  }, { signal });
  document.addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    mark(!page.isHidden());
  }, { signal });
  document.addEventListener("dragleave", (event) => event.relatedTarget ?? mark(false), { signal });
  document.addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    // the browser would leave the page and show the file
    event.preventDefault();
    mark(false);
    open(pictureIn(event.dataTransfer.files) ?? event.dataTransfer.files[0] ?? null);
  }, { signal });
  return action("image", text.fromPicture.button, () => open(null));
}
