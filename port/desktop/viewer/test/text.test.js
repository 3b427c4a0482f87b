import assert from "node:assert/strict";
import { test } from "node:test";
import { axisText, byteText, columnText, duration, timeText } from "../src/page/text.js";

test("times keep their digits", () => {
  const utc = (unitsPerSecond) => ({ unitsPerSecond, kind: "since 1970", isUtc: true });
  assert.equal(timeText(1_700_000_000_123_456n, utc(1_000_000)), "2023-11-14 22:13:20.123456 UTC");
  assert.equal(timeText(1_700_000_000_123_456_789n, utc(1_000_000_000)), "2023-11-14 22:13:20.123456789 UTC");
  assert.equal(timeText(-1n, utc(1_000)), "1969-12-31 23:59:59.999 UTC");
  assert.equal(timeText(-1_500n, { unitsPerSecond: 1_000, kind: "from start" }), "−1.500 s");
  const ofFloats = { unitsPerSecond: 1_000_000_000, kind: "from start" };
  assert.equal(timeText(0n, ofFloats), "0.000 s");
  assert.equal(timeText(1_250_500_000n, ofFloats), "1.250500 s");
  assert.equal(timeText(1_000_000_010n, ofFloats), "1.000000010 s");
  assert.equal(timeText(9_223_372_036_854_775_807n, utc(1_000)).includes("after 1970"), true);
});

test("labels of axes", () => {
  const clock = { kind: "since 1970" };
  assert.equal(axisText(80_000, 60, clock), "22:13");
  assert.equal(axisText(80_000.5, 0.5, clock), "22:13:20.5");
  assert.equal(axisText(86_400 + 3_600, 3600, clock), "+1d 01:00");
  assert.equal(axisText(0.30000000000000004, 0.1), "0.3");
  const origin = Date.UTC(2026, 1, 28) / 1000;
  const labels = [82_800, 86_400, 90_000].map((x, k, all) => axisText(x, 3600, clock, origin, all[k - 1]));
  assert.deepEqual(labels, ["23:00", "03-01 00:00", "01:00"]);
  assert.equal(axisText(90_000, 3600, clock, origin), "03-01 01:00");
  assert.equal(axisText(86_400, 86_400, clock, origin), "2026-03-01");
  assert.equal(axisText(86_400, 3600, clock, 1e18), "+1d 00:00");
});

test("sizes", () => {
  assert.equal(byteText(999), "999 B");
  assert.equal(byteText(1_234), "1.2\u202fkB");
  assert.equal(duration(0.0025), "2.5 ms");
  assert.equal(duration(600), "10 min");
  assert.equal(duration(797 * 86_400), "797 days");
});

test("values that are dates and times", () => {
  assert.equal(columnText(19_675, { logical: { type: "DATE" } }), "2023-11-14");
  const instant = { logical: { type: "TIMESTAMP", isAdjustedToUTC: true }, unitsPerSecond: 1_000_000_000 };
  assert.equal(columnText(1_700_000_000_123_456_768, instant), "2023-11-14 22:13:20.123456 UTC");
  assert.equal(columnText(NaN, instant), "–");
  assert.equal(columnText(1.5, {}), "1.5");
});
