// Keeps what was taught in this browser.

import { Memory } from "./memory.js";

const KEY = "looks";

export function kept() {
  try {
    return new Memory(JSON.parse(localStorage.getItem(KEY)));
  } catch {
    return new Memory();
  }
}

// Returns whether the browser has kept it. An empty memory is removed.
export function keep(memory) {
  try {
    if (memory.isEmpty) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(memory));
    return true;
  } catch {
    return false;
  }
}
