// How well logging went, in the words of mpq info: the cases of tests/programs/test_mpq.py.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { healthText } from "../src/page/health.js";

const cases = JSON.parse(readFileSync(process.env.MICROPARQUET_TIMES.replace(/times\.json$/, "health.json"), "utf8"));

for (const { what, value, text } of cases) {
  test(what, () => assert.equal(healthText(value) ?? "", text));
}
