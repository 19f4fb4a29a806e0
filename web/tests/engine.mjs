// Compares the engine inside the page with the native program: the nodes of `ollehto bench`, and move and nodes of searches
// to a fixed depth. Prints the speed of both.
//
//     node web/tests/engine.mjs PAGE.html OLLEHTO
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

import { instantiate } from "../page/wasm.js";
import { equal, finish } from "./check.mjs";
import { openings } from "./openings.mjs";
import { texts } from "./texts.mjs";

const BENCH_DEPTH = 8;
const PLAY_DEPTH = 12;
const GAMES = ["", "f5", "f5d6c5f4e3c6", "f5f6e6f4e3c5c4d3g5g3"];
const SPEED_DEPTH = 14;

const [page, native] = process.argv.slice(2);
if (!native) {
  console.error("usage: node web/tests/engine.mjs PAGE.html OLLEHTO");
  process.exit(2);
}
const packed = readFileSync(page, "utf8").match(/id="engine">([^<]*)</)[1];
const call = await instantiate(await WebAssembly.compile(gunzipSync(Buffer.from(packed, "base64"))));

function nativeBench(rules, depth) {
  const output = execFileSync(native, ["bench", "--depth", `${depth}`, "--rules", rules], { encoding: "utf8" });
  const [, nodes, seconds] = output.match(/signature (\d+) \(([\d.]+) s/);
  return { nodes: Number(nodes), seconds: Number(seconds) };
}

/// The move and the nodes of the native program, which tells both over NBoard.
function nativeMove(rules, game) {
  const { ggf } = call({ request: "ggf", game });
  const options = ["--rules", rules, "--depth", `${PLAY_DEPTH}`, "--hash", "64", "--threads", "1", "--no-book"];
  const input = `nboard 2\nset game ${ggf}\ngo\n`;
  const output = execFileSync(native, options, { input, encoding: "utf8" });
  return `${output.match(/=== (\w+)/)[1].toLowerCase()} ${output.match(/nodestats (\d+)/)[1]}`;
}

for (const rules of ["reversed", "standard"]) {
  const { nodes } = call({ request: "bench", rules, depth: BENCH_DEPTH });
  equal(`bench, ${rules}`, nodes, nativeBench(rules, BENCH_DEPTH).nodes);
  for (const moves of GAMES) {
    const game = { rules, size: 8, start: null, moves };
    const found = call({ request: "search", game, depth: PLAY_DEPTH, clear: true });
    equal(`depth ${PLAY_DEPTH} after ${moves || "no move"}, ${rules}`, `${found.lines[0].moves[0]} ${found.nodes}`, nativeMove(rules, game));
  }
}

texts(call);
openings(call);

const began = performance.now();
const { nodes } = call({ request: "bench", rules: "reversed", depth: SPEED_DEPTH });
const seconds = (performance.now() - began) / 1000;
const other = nativeBench("reversed", SPEED_DEPTH);
const speed = (count, time) => `${(count / time / 1e6).toFixed(2)} million nodes a second`;
console.log(`speed under Node: ${speed(nodes, seconds)}; ${native}: ${speed(other.nodes, other.seconds)}`);
finish();
