import assert from "node:assert/strict";
import { test } from "node:test";
import { NumberColumn, TimeValues } from "../src/log/numbers.js";

const column = (type, scale = 0) => ({ element: { type }, scale });

test("integers of 64 bits, signed and unsigned", () => {
  const numbers = new NumberColumn(column("INT64"), 4);
  numbers.take(BigInt64Array.of(-1n, -9_007_199_254_740_991n), 2, 0);
  numbers.take(BigUint64Array.of(5n, 18_446_744_073_709_551_615n), 2, 2);
  assert.deepEqual([...numbers.values], [-1, -9_007_199_254_740_991, 5, 18_446_744_073_709_551_615]);
});

test("nulls are no numbers, decimals are scaled", () => {
  const numbers = new NumberColumn(column("INT32", 2), 3);
  numbers.take([1234, null, undefined], 3, 0);
  assert.deepEqual([...numbers.values], [12.34, NaN, NaN]);
});

test("values in their units", () => {
  const floats = new NumberColumn(column("FLOAT"), 2, 62.5, -250);
  floats.take(Float32Array.of(4, 12.3), 2, 0);
  assert.deepEqual([...floats.values], [0, Math.fround(12.3) * 62.5 - 250]);
  const dates = new NumberColumn({ ...column("INT32"), logical: { type: "DATE" } }, 1, 2, 3);
  dates.take(Int32Array.of(7), 1, 0);
  assert.deepEqual([...dates.values], [7]);
});

test("times keep all digits; rows without one are counted", () => {
  const times = new TimeValues({ column: column("INT64"), factor: 1 }, 4);
  times.take(BigInt64Array.of(1_700_000_000_123_456_789n), 1, 0);
  times.take([2n, null, undefined], 3, 1);
  assert.deepEqual([...times.values].slice(0, 2), [1_700_000_000_123_456_789n, 2n]);
  assert.equal(times.missing, 2);
  const seconds = new TimeValues({ column: column("DOUBLE"), factor: 1e9 }, 1);
  seconds.take(Float64Array.of(1.5), 1, 0);
  assert.equal(seconds.values[0], 1_500_000_000n);
});
