// Names that tell files apart.
import assert from "node:assert/strict";
import { test } from "node:test";
import { namesApart } from "../src/page/names_apart.js";

test("what all paths begin and end with is left out", () => {
  assert.deepEqual(namesApart(["card/a/LOG00001.parquet", "card/b/LOG00001.PQT"]), ["a", "b"]);
  assert.deepEqual(namesApart(["day1.parquet", "day2.parquet"]), ["day1", "day2"]);
  assert.deepEqual(namesApart(["card/a/1.parquet", "card/2.parquet"]), ["a/1", "2"]);
  assert.deepEqual(namesApart(["a/a/1.parquet", "a/a/1.parquet"]), ["1", "1"]);
});
