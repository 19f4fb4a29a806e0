// Runs the engine as WebAssembly and compares the nodes of its searches with those of the native program.
//
//     node tests/wasm/run.mjs ENGINE.wasm OLLEHTO
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const DEPTH = 8;
const [wasm, native] = process.argv.slice(2);
if (!native) {
  console.error("usage: node tests/wasm/run.mjs ENGINE.wasm OLLEHTO");
  process.exit(2);
}
const { instance } = await WebAssembly.instantiate(readFileSync(wasm), {});
let wrong = false;
for (const [number, rules] of ["reversed", "standard"].entries()) {
  const output = execFileSync(native, ["bench", "--depth", `${DEPTH}`, "--rules", rules], { encoding: "utf8" });
  const wanted = BigInt(output.match(/signature (\d+)/)[1]);
  const found = instance.exports.bench_nodes(number, DEPTH);
  console.log(`${rules}: ${found} nodes as WebAssembly, ${wanted} native`);
  wrong ||= found !== wanted;
}
process.exit(wrong ? 1 : 0);
