import assert from "node:assert/strict";
import { test } from "node:test";
import { CoarseColumn } from "../src/log/coarse.js";
import { findPositions, positionsOf } from "../src/log/positions.js";
import { StateColumn, kindOf } from "../src/log/states.js";
import { sumsOf, sumsOfBlocks } from "../src/log/sums.js";

test("sums of rows and of blocks are the same", () => {
  const values = Float64Array.from({ length: 4_096 }, (_, i) => 1e9 + ((i * 7_919) % 4_001) / 8);
  const coarse = new CoarseColumn({ element: { type: "DOUBLE" }, scale: 0 }, values.length, 8, 1, 0);
  coarse.take(values, values.length, 0);
  const exact = sumsOf(values, 0, values.length);
  const found = sumsOfBlocks(coarse, 0, coarse.values.length);
  for (const key of ["count", "least", "most"]) assert.equal(found[key], exact[key]);
  for (const key of ["mean", "deviation"]) assert.ok(Math.abs(found[key] - exact[key]) < 1e-5, key);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  assert.ok(Math.abs(exact.deviation - deviation) < 1e-6);
  assert.equal(sumsOf(Float64Array.of(NaN), 0, 1), undefined);
});

test("states are runs, and rows without a value are none", () => {
  const bytes = (text) => new TextEncoder().encode(text);
  const states = new StateColumn(9);
  states.take([bytes("a"), bytes("a"), null, bytes("a")], 4, 0);
  states.take([bytes("b"), bytes("b")], 2, 5); // row 4 could not be read
  states.finish();
  assert.deepEqual([0, 1, 2, 3, 4, 5, 6, 7, 8].map((row) => states.textAt(row)).join(), "a,a,–,a,–,b,b,–,–");
  const reversed = states.arranged(undefined, true);
  assert.deepEqual([0, 1, 2, 3, 8].map((row) => reversed.textAt(row)).join(), "–,–,b,b,a");
  const kept = states.arranged((_, row) => row !== 0 && row !== 5, false);
  assert.deepEqual([0, 1, 2, 3, 4].map((row) => kept.textAt(row)).join(), "a,–,a,–,b");
});

test("what is drawn in which way", () => {
  const kind = (name, type, logical) => kindOf({ name, element: { type }, logical });
  assert.equal(kind("note", "BYTE_ARRAY", { type: "STRING" }), "state");
  assert.equal(kind("ok", "BOOLEAN"), "state");
  assert.equal(kind("status_flags", "INT32"), "flags");
  assert.equal(kind("flagship", "INT32"), "number");
  assert.equal(kind("flags", "DOUBLE"), "number");
  assert.equal(kind("price", "FIXED_LEN_BYTE_ARRAY", { type: "DECIMAL" }), "number");
});

test("positions", () => {
  const columns = (...names) => names.map((name) => ({ name, kind: "number" }));
  const found = (...names) => {
    const pair = findPositions(columns(...names));
    return pair && [pair.latitude.name, pair.longitude.name].join();
  };
  assert.equal(found("time", "lat", "lon"), "lat,lon");
  assert.equal(found("gps_latitude", "home_longitude", "gps_longitude"), "gps_latitude,gps_longitude");
  assert.equal(found("GpsLat", "GpsLng"), "GpsLat,GpsLng");
  assert.equal(found("flat", "long_name"), undefined);
  const { latitudes, rows } = positionsOf([0, 471_234_567, NaN], [0, 81_234_567, 8], 0, 3, 100);
  assert.deepEqual([latitudes, rows], [[47.1234567], [1]]);
});
