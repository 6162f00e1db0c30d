// Looks for the best pair of all colours, apart from the page, so that the page stays responsive. It gets {job, cells, rulesets,
// mostBurns}, and answers each ruleset with {job, ruleset, best}.

import { bestOfPairs, finish } from "./engine/index.js";

self.onmessage = ({ data: { job, cells, rulesets, mostBurns } }) => {
  for (const ruleset of rulesets) {
    self.postMessage({ job, ruleset, best: finish(bestOfPairs(cells, ruleset, { mostBurns })) });
  }
};
