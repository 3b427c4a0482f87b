import assert from "node:assert/strict";
import { test } from "node:test";
import { CoarseColumn, rowStepOf } from "../src/log/coarse.js";

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
