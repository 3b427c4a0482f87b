import assert from "node:assert/strict";
import { test } from "node:test";
import { CoarseColumn, rowStepOf } from "../src/log/coarse.js";
import { coarseTimes } from "../src/log/table.js";

const column = { element: { type: "DOUBLE" }, scale: 0 };

test("a million rows are all kept, and of a hundred million some hundred thousand values", () => {
  assert.equal(rowStepOf(1_000_000), 1);
  const step = rowStepOf(100_000_000);
  assert.ok(100_000_000 / step <= 1 << 18 && 100_000_000 / step > 1 << 16);
});

test("each block has its extremes, however its values come", () => {
  const rowStep = 4;
  const numbers = Float64Array.from({ length: 1_003 }, (_, i) => (i % 97 === 5 ? NaN : Math.sin(i * i) * 100));
  const coarse = new CoarseColumn(column, numbers.length, rowStep, 1, 0);
  for (let at = 0; at < numbers.length; at += 7)
    coarse.take(numbers.slice(at, at + 7), Math.min(7, numbers.length - at), at);
  for (let block = 0; block * 8 < numbers.length; ++block) {
    const own = [...numbers.slice(block * 8, block * 8 + 8)].filter(Number.isFinite);
    const kept = [coarse.values[2 * block], coarse.values[2 * block + 1]];
    assert.equal(Math.min(...kept), Math.min(...own));
    assert.equal(Math.max(...kept), Math.max(...own));
    const mean = own.reduce((sum, number) => sum + number, 0) / own.length;
    const squares = own.reduce((sum, number) => sum + (number - mean) ** 2, 0);
    assert.equal(coarse.counts[block], own.length);
    assert.ok(Math.abs(coarse.means[block] - mean) < 1e-9);
    assert.ok(Math.abs(coarse.squares[block] - squares) < 1e-6);
  }
});

test("a counter's numbers", () => {
  const missing = (...numbers) => {
    const coarse = new CoarseColumn(column, numbers.length, 2, 1, 0);
    coarse.take(Float64Array.from(numbers), numbers.length, 0);
    return coarse.missingNumbers();
  };
  assert.equal(missing(5, 6, 9, 10), 2);
  assert.equal(missing(5, 6, 6), undefined);
  assert.equal(missing(5, NaN, 6), undefined);
});

test("rows of groups without a time have dates by ticks beside it, and what has none is counted", () => {
  const source = (unitsPerSecond) => ({ column: { element: { type: "INT64" } }, factor: 1, unitsPerSecond });
  const time = { sources: [source(1_000_000)], ticks: source(1_000), kind: "since 1970", unitsPerSecond: 1_000_000 };
  const keyValues = new Map([["clock.0000000000", "6 4000=1767225604000"]]);
  const coarse = coarseTimes(time, 8, 2, [{ at: 0, rows: 8, keyValues }]);
  const seen = [];
  coarse.wait = (values) => seen.push(...values);
  const [times, ticks] = coarse.readers.all;
  for (const [at, known] of [
    [0, [null, null, null, 1_767_225_603_000_000n]],
    [4, [1_767_225_604_000_000n, null, null, null]],
  ]) {
    for (const reader of [times, ticks]) reader.beginGroup(at, 4);
    times.take(known, 4, at);
    ticks.take(
      BigInt64Array.from([0, 1, 2, 3], (i) => BigInt(at + i) * 1_000n),
      4,
      at,
    );
    coarse.endGroup();
  }
  const expected = Array.from({ length: 6 }, (_, i) => 1_767_225_600_000_000n + BigInt(i) * 1_000_000n);
  assert.deepEqual(seen.slice(0, 6), expected);
  assert.equal(coarse.missing, 2);
});
