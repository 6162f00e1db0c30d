// The board in the page's own address: puyo.html#f=ROWS&p=PAIRS&r=RULES. ROWS are letters as in a text, divided by "/", the
// lowest rows of the field. PAIRS are two letters each, the axis first, divided by ".". RULES is the name of a profile.

import { FieldFault, pairOf, parseField, textOf } from "./field.js";
import { PROFILES } from "./profiles.js";

export function addressOf({ cells, pairs }, board, rules) {
  const rows = textOf(cells, board).replaceAll("\n", "/");
  const words = pairs.map((pair) => pair.map((code) => board.letters[code]).join(""));
  const asked = new URLSearchParams({ f: rows, ...(words.length > 0 ? { p: words.join(".") } : {}), r: rules });
  return `#${asked.toString().replaceAll("%2F", "/")}`;
}

// The position in an address: {cells, pairs, rules}; null for an address without one, or a damaged one.
export function fromAddress(hash) {
  const asked = new URLSearchParams(hash.slice(1));
  if (!asked.has("f")) return null;
  const rules = Object.hasOwn(PROFILES, asked.get("r")) ? asked.get("r") : "tsu";
  const board = PROFILES[rules];
  try {
    const pairs = (asked.get("p") ?? "").split(".").map((letters) => pairOf(letters, board)).filter((pair) => pair.length === 2 && pair.every((code) => code > 0));
    return { cells: parseField(asked.get("f"), board), pairs: pairs.slice(0, 3), rules };
  } catch (error) {
    if (error instanceof FieldFault) return null;
    throw error;
  }
}

// The profile in which a board is drawn and cleared alike, or the nearest one.
export function rulesOf(board) {
  const like = ["kept", "grouping", "clear_size"];
  const fits = (name) => PROFILES[name].hidden === board.hidden && like.every((part) => PROFILES[name].chain[part] === board.chain?.[part]);
  const same = (name) => fits(name) && PROFILES[name].quick_turn === board.quick_turn;
  return Object.keys(PROFILES).find(same) ?? Object.keys(PROFILES).find(fits) ?? "tsu";
}
