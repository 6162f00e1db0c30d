// The whole engine under one name. The page puts it on window as `nyaa`, for tests and for other people's scripts.

export * from "./grid.js";
export { burntOut, dropped, heights, nuisanceDropped, settled } from "./fall.js";
export {
  NOWHERE, bestAdditions, bestIgnition, bestPair, heatMap, lights, openCells, openColumns, restingCells,
} from "./heat.js";
export { bestBuild, drops } from "./build.js";
export { MOST_OUTCOMES, attackRange, ignite, igniteInSlices } from "./ignite.js";
export { ALL_PAIRS, bestOfPairs } from "./pairs.js";
export { dice, practiceBoard } from "./practice.js";
export { finish } from "./slices.js";
export { MOST_BURNS, QUICK_BURNS } from "./ties.js";
