// On files of earlier versions of the library: cut, continued, torn. How many rows each has, tests/compatibility says.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { join } from "node:path";
import { findTraces } from "../src/file/traces.js";
import { opened, rangesOf } from "./opened.js";

const folder = join(process.env.MICROPARQUET_UNPACKED, "compatibility");

function fileOf(name) {
  return new Uint8Array(readFileSync(join(folder, `${name}.parquet`)));
}

async function counts(bytes) {
  const { rows, rowsAfterFooter, lostRows, isTorn } = await opened(bytes);
  return { rows, rowsAfterFooter, lostRows, isTorn };
}

const whole = { lostRows: 0, isTorn: false };

test("a closed file has no rows after its footer", async () => {
  assert.deepEqual(await counts(fileOf("39b67ed/numbers_closed")), { rows: 700, rowsAfterFooter: 0, ...whole });
});

test("a record that replaces what the footer says of the open row group", async () => {
  assert.deepEqual(await counts(fileOf("39b67ed/numbers_rows_after")), { rows: 160, rowsAfterFooter: 60, ...whole });
});

test("records after the first footer", async () => {
  assert.deepEqual(await counts(fileOf("39b67ed/numbers_footer_begun")), {
    rows: 1000,
    rowsAfterFooter: 1000,
    ...whole,
  });
  assert.deepEqual(await counts(fileOf("39b67ed/optional_uncheckpointed")), {
    rows: 420,
    rowsAfterFooter: 420,
    ...whole,
  });
});

test("a torn footer gives way to the one before, and to the records after that", async () => {
  assert.deepEqual(await counts(fileOf("39b67ed/numbers_torn")), {
    rows: 500,
    rowsAfterFooter: 200,
    lostRows: 0,
    isTorn: true,
  });
  assert.deepEqual(await counts(fileOf("39b67ed/numbers_forward_killed")), {
    rows: 600,
    rowsAfterFooter: 300,
    lostRows: 0,
    isTorn: true,
  });
});

test("what an interruption made void does not count", async () => {
  assert.deepEqual(await counts(fileOf("39b67ed/numbers_interrupted")), { rows: 170, rowsAfterFooter: 0, ...whole });
  assert.deepEqual(await counts(fileOf("39b67ed/numbers_resumed")), { rows: 660, rowsAfterFooter: 0, ...whole });
});

// The bytes of a page that the log's last row group has.
async function placeInLastPage(bytes) {
  const { rowGroups } = await opened(bytes);
  return rowGroups.chunk(rowGroups.length - 1, 1).place.begin + 400;
}

test("a record whose pages did not reach the medium is not believed", async () => {
  const bytes = fileOf("39b67ed/numbers_rows_after");
  bytes[await placeInLastPage(bytes)] ^= 1;
  const found = await counts(bytes);
  assert.equal(found.rows, 100);
  assert.equal(found.rowsAfterFooter, 0);
  assert.equal(found.lostRows, 60);
});

test("a record with a wrong checksum is none", async () => {
  const bytes = fileOf("39b67ed/numbers_rows_after");
  for (let at = bytes.indexOf(0x52); at !== -1; at = bytes.indexOf(0x52, at + 1)) {
    if (String.fromCharCode(...bytes.subarray(at - 3, at + 1)) === "mpqR") bytes[at + 5] ^= 1;
  }
  assert.deepEqual(await counts(bytes), { rows: 100, rowsAfterFooter: 0, ...whole });
});

test("what is no Parquet file is refused in words", async () => {
  const refused = (bytes, pattern) => assert.rejects(opened(bytes), { message: pattern });
  await refused(new Uint8Array(0), /empty/);
  await refused(new TextEncoder().encode("time,x\n1,2\n"), /no Parquet file/);
  await refused(Uint8Array.of(0x1f, 0x8b, 8, 0), /gzip/);
  await refused(new TextEncoder().encode("<!DOCTYPE html><html></html>"), /web page/);
  await refused(new TextEncoder().encode("version https://git-lfs.github.com/spec/v1\n"), /Git LFS/);
  await refused(new Uint8Array(100), /zeros/);
  await refused(fileOf("39b67ed/numbers_closed").slice(0, 100), /mpq recover/);
});

test("a file that is cut anywhere is read or refused, and never read with more rows", async () => {
  const bytes = fileOf("39b67ed/numbers_resumed_closed");
  for (let size = 0; size < bytes.length; size += 509) {
    try {
      assert.ok((await opened(bytes.slice(0, size))).rows <= 455);
    } catch (error) {
      assert.equal(error.constructor.name, "Failure", error.stack);
    }
  }
});

test("a record proves the dictionaries for which it was written, and no others", async () => {
  const name = "f0b22c4/numbers_dictionaries_torn";
  assert.deepEqual(await counts(fileOf(name)), { rows: 1200, rowsAfterFooter: 1200, lostRows: 0, isTorn: true });
  // Records with damaged seals say nothing of dictionaries, like those of earlier versions.
  const bytes = fileOf(name);
  const { slots, footers } = await findTraces(rangesOf(bytes));
  for (const slot of slots) bytes[slot.end - footers[0].slotBytes + slot.bytes + 4] ^= 1;
  assert.deepEqual(await counts(bytes), { rows: 0, rowsAfterFooter: 0, lostRows: 1200, isTorn: true });
});

test("a footer is one whatever of its last nine bytes is missing", async () => {
  const bytes = fileOf("39b67ed/numbers_closed");
  for (let missing = 1; missing <= 9; ++missing) {
    const { rows, isTorn } = await opened(bytes.slice(0, bytes.length - missing));
    assert.deepEqual({ rows, isTorn }, { rows: 700, isTorn: true });
  }
});

test("records are proved by the bounds of decimals in bytes as well", async () => {
  assert.equal((await opened(fileOf("f0b22c4/types_dictionaries_forward"))).rows, 300);
  assert.equal((await opened(fileOf("f0b22c4/strings_dictionaries_torn"))).rows, 600);
});
