// Boards that are kept on this device, by name.

import { h } from "./dom.js";
import { keepFocus } from "./focus.js";
import { text } from "./i18n.js";
import { decode, encode } from "./share.js";

const KEY = "boards";

// [{name, board}], the newest first. Throws an error if the browser forbids storage.
function read() {
  const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
  return Array.isArray(kept) ? kept.filter((one) => typeof one?.name === "string" && typeof one.board === "string") : [];
}

// now(): the board on the grid. open(cells): puts one there.
export function keptBoards(now, open) {
  const words = text.kept;
  const list = h("ul", { class: "kept" });
  const empty = h("p", { class: "soft" }, words.none);
  const fault = h("p", { class: "fault", role: "alert" });
  const name = h("input", { type: "text", maxlength: 40, required: true, autocomplete: "off", "aria-label": words.name, placeholder: words.name });
  const close = h("button", { type: "button", onclick: () => element.close() }, text.close);

  // Does something with the storage, and says what went wrong.
  function tried(action) {
    fault.textContent = "";
    try {
      action();
      return true;
    } catch (error) {
      const full = error.name === "QuotaExceededError" || error.name === "NS_ERROR_DOM_QUOTA_REACHED";
      fault.textContent = full ? words.full : error.name === "SyntaxError" ? words.damaged : words.forbidden;
      return false;
    }
  }

  const write = (boards) => localStorage.setItem(KEY, JSON.stringify(boards));

  function row({ name: called, board }) {
    const take = () => {
      try {
        open(decode(board));
        element.close();
      } catch {
        fault.textContent = text.errors.linkDamaged;
      }
    };
    return h(
      "li", { class: "row" },
      h("button", { type: "button", class: "take", onclick: take }, called),
      h("button", {
        type: "button", "aria-label": words.remove(called), title: words.remove(called),
        onclick: () => tried(() => write(read().filter((one) => one.name !== called))) && show(),
      }, "✕"),
    );
  }

  function show() {
    let boards = [];
    tried(() => { boards = read(); });
    keepFocus(list, () => list.replaceChildren(...boards.map(row)), () => close);
    empty.hidden = boards.length > 0;
  }

  const form = h(
    "form",
    {
      class: "row keep",
      onsubmit: (event) => {
        event.preventDefault();
        const called = name.value.trim();
        if (called === "") return;
        const mine = { name: called, board: encode(now()) };
        // a name is given once
        if (tried(() => write([mine, ...read().filter((one) => one.name !== called)]))) {
          name.value = "";
          show();
        }
      },
    },
    name, h("button", { type: "submit", class: "main" }, words.keep),
  );
  const element = h(
    "dialog", { "aria-labelledby": "kept-title" },
    h("h2", { id: "kept-title" }, words.title), form, fault, empty, list, h("p", { class: "soft" }, words.where),
    h("div", { class: "buttons" }, close),
  );
  return {
    element,
    open() {
      show();
      element.showModal();
    },
  };
}
