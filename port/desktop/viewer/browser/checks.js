// Counts checks; the last line of a test group is "N passed, N failed".
const counts = { passed: 0, failed: 0 };

export function check(name, holds, ...seen) {
  ++counts[holds ? "passed" : "failed"];
  if (!holds) console.log(`FAILED: ${name}`, ...seen);
}

export function checkEqual(name, found, expected) {
  check(name, Object.is(found, expected), `found ${found}, expected ${expected}`);
}

// Runs a part. An error thrown in it is one failure, and the other parts still run.
export async function part(name, run) {
  try {
    await run();
  } catch (error) {
    check(name, false, error.stack);
  }
}

export function failures() {
  return counts.failed;
}

export function ending() {
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  return counts.failed === 0 ? 0 : 1;
}
