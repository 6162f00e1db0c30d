// What the built script bot/ochibot/ui/web/puyo/engine.js offers, as "ochibotPuyo".

import WORKER from "text-of:./worker.js";

export { EngineClient } from "./client.js";

// The worker's script. Run as a script, for example in Node, it sets puyoEngine = { Engine }.
export const workerText = WORKER;
