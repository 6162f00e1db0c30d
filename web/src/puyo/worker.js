// The engine in a Web Worker. It answers {id, method, given} with {id, result} or {id, error}.

import { Engine } from "./engine.js";

const METHODS = ["analyse", "places", "potentials", "reach", "resolve", "resolveAll", "steps", "warm"];

globalThis.puyoEngine = { Engine };

if (typeof WorkerGlobalScope !== "undefined") {
  let engine = null;
  globalThis.onmessage = ({ data: { id, method, given } }) => {
    try {
      if (!METHODS.includes(method)) throw new Error(`the engine has no method ${method}`);
      engine ??= new Engine();
      globalThis.postMessage({ id, result: engine[method](given) });
    } catch (error) {
      globalThis.postMessage({ id, error: String(error.message ?? error) });
    }
  };
}
