// Runs the engine for Puyo Puyo in Node, for tests: each line that comes in is a list of questions [method, given] as JSON,
// each line that goes out the list of answers. The first argument is the built script.

import fs from "node:fs";
import readline from "node:readline";
import vm from "node:vm";

vm.runInThisContext(fs.readFileSync(process.argv[2], "utf8"));
vm.runInThisContext(vm.runInThisContext("ochibotPuyo.workerText"));
const engine = new globalThis.puyoEngine.Engine();

function answered([method, given]) {
  try {
    return { result: engine[method](given) };
  } catch (error) {
    return { error: error.message };
  }
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(JSON.parse(line).map(answered))}\n`);
}
