import assert from "node:assert/strict";
import { test } from "node:test";
import { instantOf, offsetOf, scaleOf, unitOf } from "../src/log/facts.js";

test("instants with their zones", () => {
  assert.equal(instantOf("2026-11-22T08:00:00Z"), 1_795_334_400_000_000_000n);
  assert.equal(instantOf("2026-11-22 10:00:00.000000001+02:00"), 1_795_334_400_000_000_001n);
  assert.equal(instantOf("2026-11-22T04:30-0330"), 1_795_334_400_000_000_000n);
  for (const text of [undefined, "", "2026-11-22T08:00:00", "noon"]) assert.equal(instantOf(text), undefined);
});

test("units and scales", () => {
  const keys = new Map([
    ["unit.a", "deg/s"],
    ["scale.a", "0.01"],
    ["scale.b", "much"],
    ["scale.c", "0"],
    ["offset.a", "-50"],
    ["offset.b", "much"],
  ]);
  assert.equal(unitOf(keys, "a"), "deg/s");
  assert.equal(unitOf(keys, "b"), "");
  assert.deepEqual(
    ["a", "b", "c"].map((name) => offsetOf(keys, name)),
    [-50, 0, 0],
  );
  assert.deepEqual(
    ["a", "b", "c", "d"].map((name) => scaleOf(keys, name)),
    [0.01, 1, 1, 1],
  );
});
