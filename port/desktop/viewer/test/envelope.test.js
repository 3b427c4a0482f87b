import assert from "node:assert/strict";
import { test } from "node:test";
import { envelope, lowerBound, merged } from "../src/log/envelope.js";

const x = Float64Array.from({ length: 10_000 }, (_, i) => i);

test("no spike is lost, at any width", () => {
  const y = new Float32Array(x.length);
  y[7_777] = 9;
  y[7_778] = -9;
  for (const width of [1, 10, 333, 1000, 20_000]) {
    const drawn = envelope(x, y, 0, x.length, width);
    assert.equal(Math.max(...drawn.y), 9);
    assert.equal(Math.min(...drawn.y), -9);
    assert.ok(drawn.x.length <= Math.max(2 * width + 2, x.length));
    assert.deepEqual(
      drawn.x,
      [...drawn.x].sort((a, b) => a - b),
    );
  }
});

test("no more rows than there are, each once", () => {
  const y = Float64Array.of(3, 1, 2);
  assert.deepEqual(envelope(x, y, 0, 3, 100), { x: [0, 1, 2], y: [3, 1, 2] });
  assert.deepEqual(envelope(x, y, 1, 1, 100), { x: [], y: [] });
});

test("what is no number is none, and does not hide others", () => {
  const y = Float64Array.of(NaN, 4, NaN, NaN, Infinity, 1);
  assert.deepEqual(
    envelope(x, y, 0, 2, 1).y.filter((value) => value !== null),
    [4],
  );
  assert.deepEqual(envelope(x, y, 2, 4, 1).y, [null]);
});

test("a line does not go over a gap", () => {
  const drawn = envelope(x, new Float64Array(6).fill(1), 0, 6, 100, [3]);
  assert.deepEqual(drawn.y, [1, 1, 1, null, 1, 1, 1]);
});

test("a line does not go over a gap at any width", () => {
  const gap = 4_321;
  const times = x.map((second) => (second < gap ? second : second + 3_000));
  for (const width of [20, 1000, 1200, 2000, 3000, 20_000]) {
    const drawn = envelope(times, x, 0, x.length, width, [gap]);
    const after = drawn.x.findIndex((second) => second >= times[gap]);
    assert.ok(drawn.x[after - 1] < gap);
    assert.equal(drawn.y[after], null, `at ${width} pixels`);
    assert.equal(drawn.y.filter((value) => value === null).length, 1);
  }
});

test("of more gaps than pixels the wide ones are cuts", () => {
  const breaks = Array.from({ length: 900 }, (_, i) => 10 * i + 5);
  const times = x.map((second) => second + (second >= 5_005 ? 5_000 : 0));
  const drawn = envelope(times, x, 0, x.length, 100, breaks);
  assert.equal(drawn.y.filter((value) => value === null).length, 1);
  assert.ok(drawn.x.length < 300);
});

test("lower bounds", () => {
  assert.equal(lowerBound(x, -1), 0);
  assert.equal(lowerBound(x, 4.5), 5);
  assert.equal(lowerBound(x, 5), 5);
  assert.equal(lowerBound(x, 1e9), x.length);
});

test("lines of several axes lead over each other's places, and not over gaps", () => {
  const one = { x: [0, 2, 8, 8], ys: [[1, 2, null, 3]] };
  const other = { x: [1, 5, 9], ys: [[4, 5, 6]] };
  const both = merged([one, other]);
  assert.deepEqual(both.x, [0, 1, 2, 5, 8, 8, 9]);
  assert.deepEqual(both.ys[0], [1, undefined, 2, null, null, 3, undefined]);
  assert.deepEqual(both.ys[1], [undefined, 4, undefined, 5, undefined, undefined, 6]);
});
