// The looks of pieces that were taught, kept in this browser only.

import { PATCH, distance } from "./patch.js";

// of each piece, so many looks; a look that is this near to one that is known isn't kept
const MOST_LOOKS = 16;
const NEW_LOOK = 9;

const toText = (patch) => btoa(String.fromCharCode(...patch));
const fromText = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

export class Memory {
  // by code: the patches
  #looks = new Map();

  // kept: what toJSON gave. Anything else is ignored.
  constructor(kept = null) {
    if (!Array.isArray(kept)) return;
    for (const [code, texts] of kept) {
      if (!Number.isInteger(code) || !Array.isArray(texts)) continue;
      const patches = texts.map((text) => {
        try {
          return fromText(text);
        } catch {
          return null;
        }
      });
      this.#looks.set(code, patches.filter((patch) => patch?.length === PATCH).slice(0, MOST_LOOKS));
    }
  }

  get isEmpty() {
    return this.size === 0;
  }

  get size() {
    return [...this.#looks.values()].reduce((sum, looks) => sum + looks.length, 0);
  }

  // The codes of the pieces that are known.
  get codes() {
    return [...this.#looks.keys()].filter((code) => this.#looks.get(code).length > 0);
  }

  forgotten() {
    return new Memory();
  }

  copy() {
    return new Memory(this.toJSON());
  }

  learn(code, patch) {
    if (!this.#looks.has(code)) this.#looks.set(code, []);
    const looks = this.#looks.get(code);
    if (looks.some((look) => distance(patch, look, NEW_LOOK) < NEW_LOOK)) return;
    looks.push(patch);
    // the oldest goes
    if (looks.length > MOST_LOOKS) looks.shift();
  }

  // What a patch is most like: {code, near, other}: how far it is from that piece, and from the next one of another kind.
  nearest(patch) {
    const found = { code: null, near: Infinity, other: Infinity };
    for (const [code, looks] of this.#looks) {
      let near = Infinity;
      for (const look of looks) near = Math.min(near, distance(patch, look, near));
      if (near < found.near) Object.assign(found, { code, near, other: found.near });
      else found.other = Math.min(found.other, near);
    }
    return found;
  }

  toJSON() {
    return [...this.#looks].map(([code, looks]) => [code, looks.map(toText)]);
  }
}
