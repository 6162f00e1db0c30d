// Runs the engine on a few boards while the page rests: a browser compiles what runs often, and the first touches should
// not be slower than the others.

import { QUICK_BURNS, RULESETS, ignite, parse } from "../engine/index.js";

const ROUNDS = 24;
// many ties; several colours and needles; one line
const BOARDS = [
  "rrrRrrr\nrrrrrrr\nrrrrrrr\nrrrrrRr\nrrrrrrr\nrRrrRrr\nrrrrrrr\nrrRrrrr",
  "Rgb.ryB\nrgbbryb\nrggbryb\noogGbyy\nrrrgbbb\nRggryyY",
  "Bbbbbb.\n.....b.\nbbbbbb.",
].map(parse);

// idle(action): runs it when nothing else is to be done
const idle = globalThis.requestIdleCallback ?? ((action) => setTimeout(action, 60));

export function practised(round = 0) {
  idle(() => {
    try {
      for (const ruleset of RULESETS) {
        const { outcomes } = ignite(BOARDS[round % BOARDS.length], ruleset, { mostBurns: QUICK_BURNS });
        for (const tail of outcomes[0].tails) tail.path;
      }
    } catch {
      // what fails here fails again where it is told
      return;
    }
    if (round + 1 < ROUNDS) practised(round + 1);
  });
}
