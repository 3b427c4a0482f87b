import assert from "node:assert/strict";
import { test } from "node:test";
import { numbersMissing, offsetsOf, timingOf } from "../src/log/timing.js";

test("offsets of microseconds since 1970 and since 1900 are exact", () => {
  for (const first of [1_700_000_000_123_456n, -2_208_988_800_000_001n, -1n]) {
    const offsets = offsetsOf(BigInt64Array.of(first, first + 1n, first + 4_294_967_297n, first - 5n));
    assert.deepEqual([...offsets], [0, 1, 4_294_967_297, -5]);
  }
});

test("gaps are intervals of more than one and a half", () => {
  const times = Float64Array.of(
    0,
    10,
    20,
    35,
    45,
    61,
    71,
    81,
    91,
    101,
    111,
    121,
    131,
    161,
    171,
    181,
    191,
    201,
    211,
    221,
    231,
  );
  const timing = timingOf(times);
  assert.equal(timing.interval, 10);
  assert.deepEqual(timing.gaps, [5, 13]);
  assert.equal(timing.missing, 1 + 2);
  assert.equal(timing.longest, 30);
  assert.equal(timing.isRegular, true);
});

test("without a rate there are no gaps to speak of", () => {
  assert.equal(timingOf(Float64Array.of(0, 1, 100, 103, 200, 1000)).isRegular, false);
  assert.equal(timingOf(Float64Array.of(5)).interval, 0);
});

test("a clock that is set back", () => assert.equal(timingOf(Float64Array.of(0, 10, 20, 5, 15)).stepsBack, 1));

test("numbers that were left out", () => {
  assert.equal(numbersMissing(Float64Array.of(5, 6, 9, 10)), 2);
  assert.equal(numbersMissing(Float64Array.of(5, 6, 6)), undefined);
  assert.equal(numbersMissing(Float64Array.of(5, NaN, 6)), undefined);
});
