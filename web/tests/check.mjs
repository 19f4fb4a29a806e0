// Checks that count: a failed one is told, and the others go on.

let failures = 0;
let passed = 0;

export function check(name, holds, details = "") {
  if (holds) {
    passed += 1;
    return;
  }
  failures += 1;
  console.error(`FAILED ${name}${details ? `: ${details}` : ""}`);
}

export function equal(name, found, wanted) {
  check(name, found === wanted, `${found} instead of ${wanted}`);
}

export function finish() {
  console.log(`${passed} checks passed, ${failures} failed`);
  process.exitCode = failures === 0 ? 0 : 1;
}
