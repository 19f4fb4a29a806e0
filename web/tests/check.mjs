// Checks that count: a failed one is told, and the others go on.
import { isDeepStrictEqual } from "node:util";

const MOST_TOLD = 20;
let failures = 0;
let passed = 0;

export function check(name, holds, details = "") {
  if (holds) {
    passed += 1;
    return;
  }
  failures += 1;
  if (failures <= MOST_TOLD) console.error(`FAILED ${name}${details ? `: ${details.slice(0, 500)}` : ""}`);
}

export function equal(name, found, wanted) {
  check(name, isDeepStrictEqual(found, wanted), `${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`);
}

export function finish() {
  console.log(`${passed} checks passed, ${failures} failed`);
  process.exitCode = failures === 0 ? 0 : 1;
}
