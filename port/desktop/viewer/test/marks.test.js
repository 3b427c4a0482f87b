// Marks by the rows of a table.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Marks, markColumn } from "../src/log/marks.js";

const logical = { type: "STRING" };

function marksAt(rows, count) {
  const marks = new Marks({ name: "mark" });
  marks.take(
    Array.from({ length: count }, (_, row) => (rows.includes(row) ? `at ${row}` : null)),
    count,
    0,
  );
  return marks;
}

test("the column of marks is one of texts that is called so", () => {
  const columns = [{ name: "marks", logical }, { name: "mark" }, { name: "mark", logical }];
  assert.equal(markColumn(columns), 2);
  assert.equal(markColumn([{ name: "mark", logical, isNested: true }]), -1);
});

test("each row that has a text is a mark, also one like the last", () => {
  const marks = new Marks({ name: "mark" });
  marks.take(["on", "on", undefined, "off"], 4, 10);
  assert.deepEqual([marks.rows, marks.texts, marks.count], [[10, 11, 13], ["on", "on", "off"], 3]);
});

test("rows without a date have left", () => {
  const marks = marksAt([1, 4, 7], 8);
  marks.arrange({ rowNumbers: Float64Array.of(1, 2, 7, 8), rows: 4 });
  assert.deepEqual(
    [marks.rows, marks.texts],
    [
      [1, 3],
      ["at 1", "at 7"],
    ],
  );
});

test("the newest row is the first", () => {
  const marks = marksAt([0, 4], 8);
  marks.arrange({ timing: { isNewestFirst: true }, rows: 8 });
  assert.deepEqual(
    [marks.rows, marks.texts],
    [
      [3, 7],
      ["at 4", "at 0"],
    ],
  );
});
