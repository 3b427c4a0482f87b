// Arrays of numbers, and pages of lists.
import assert from "node:assert/strict";
import { test } from "node:test";
import { columnsOf } from "../src/log/columns.js";
import { PageReader } from "../src/log/chunk.js";
import { ListColumn, stepOf } from "../src/log/lists.js";

const column = { element: { type: "FLOAT" }, scale: 0 };

test("names have no levels of the format in them", () => {
  const group = (name, children, more = {}) => ({ name, num_children: children, repetition_type: "REQUIRED", ...more });
  const list = { converted_type: "LIST" };
  const columns = columnsOf([
    { name: "schema", num_children: 3 },
    group("fix", 1),
    { name: "lat", type: "DOUBLE", repetition_type: "OPTIONAL" },
    group("bins", 1, list),
    group("list", 1, { repetition_type: "REPEATED" }),
    { name: "element", type: "FLOAT", repetition_type: "REQUIRED" },
    group("sats", 1, { logical_type: { type: "LIST" } }),
    group("list", 1, { repetition_type: "REPEATED" }),
    group("element", 2),
    { name: "id", type: "INT32", repetition_type: "REQUIRED" },
    { name: "name", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "REQUIRED" },
  ]);
  const found = columns.map(({ name, kind, reason }) => [name, kind, reason]);
  assert.deepEqual(found, [
    ["fix.lat", "number", undefined],
    ["bins", "list", undefined],
    ["sats.id", "list", undefined],
    ["sats.name", "list", "a list of texts"],
  ]);
});

test("a row may continue on the next page, and on one after that", () => {
  const reader = Object.assign(Object.create(PageReader.prototype), { isList: true, held: [] });
  const pages = [
    { before: [], rows: [[1], [2]] },
    { before: [3], rows: [] },
    { before: [4], rows: [[5], []] },
  ];
  reader.nextPage = () => pages.shift();
  const rows = [];
  for (let page = reader.next(); page; page = reader.next()) rows.push(...page);
  assert.deepEqual(rows, [[1], [2, 3, 4], [5], []]);
});

test("the largest values of rows stand for those that are not kept", () => {
  const list = new ListColumn(column, 10, 4, 2, 1);
  list.take([[1, 5], [3], null, [2, null], [9, 9]], 5, 0);
  assert.deepEqual([list.size, list.at(0, 0), list.at(3, 1), list.at(4, 0)], [2, 7, 11, 19]);
  assert.deepEqual([list.least, list.most, list.isOfLines()], [3, 19, false]);
});

test("rows become longer", () => {
  const list = new ListColumn(column, 3, 1, 1, 0);
  list.take([[1], [2, 3], [4, 5, 6]], 3, 0);
  assert.deepEqual([list.size, list.at(0, 0), list.at(1, 1), list.at(2, 2), list.at(0, 2)], [3, 1, 3, 6, NaN]);
});

test("no more is kept than there is room for", () => {
  const list = new ListColumn(column, 1 << 22, 1, 1, 0);
  const row = Float32Array.from({ length: 64 }, (_, k) => k);
  list.take([row, row], 2, 0);
  assert.ok(list.values.length <= 1 << 23 && list.isOfLines() === false && list.at(1, 63) === 63);
  const three = new ListColumn(column, 2, 1, 1, 0);
  three.take(
    [
      [1, 2, 3],
      [4, 5, 6],
    ],
    2,
    0,
  );
  assert.ok(three.isOfLines());
});

test("what lies between elements", () => {
  const of = (text) => stepOf(new Map([["step.bins", text]]), "bins");
  assert.deepEqual(
    [of("2.5 Hz"), of("x"), of("0 Hz")],
    [
      { step: 2.5, unit: "Hz" },
      { step: 1, unit: "" },
      { step: 1, unit: "" },
    ],
  );
});
