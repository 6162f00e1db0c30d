// Runs the engine on a few boards while the page is idle. A browser compiles code that runs often, so that the first
// touches are as fast as later ones.

import { QUICK_BURNS, RULESETS, ignite, parse } from "../engine/index.js";

const ROUNDS = 24;
// boards with many ties, with several colours and needles, and with a single line
const BOARDS = [
  "rrrRrrr\nrrrrrrr\nrrrrrrr\nrrrrrRr\nrrrrrrr\nrRrrRrr\nrrrrrrr\nrrRrrrr",
  "Rgb.ryB\nrgbbryb\nrggbryb\noogGbyy\nrrrgbbb\nRggryyY",
  "Bbbbbb.\n.....b.\nbbbbbb.",
].map(parse);

// idle(action): runs the action when the page is idle
const idle = globalThis.requestIdleCallback ?? ((action) => setTimeout(action, 60));

export function practised(round = 0) {
  idle(() => {
    try {
      for (const ruleset of RULESETS) {
        const { outcomes } = ignite(BOARDS[round % BOARDS.length], ruleset, { mostBurns: QUICK_BURNS });
        for (const tail of outcomes[0].tails) tail.path;
      }
    } catch {
      // a failure here is reported when the same code fails for a real board
      return;
    }
    if (round + 1 < ROUNDS) practised(round + 1);
  });
}
