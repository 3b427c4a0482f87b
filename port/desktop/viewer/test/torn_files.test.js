// On files that a power cut has torn, made by log_calls, and on what a card held of others, by power_loss: the rows are those that
// `mpq recover` keeps.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { continueCrc } from "../src/file/crc32.js";
import { SECTOR_BYTES, viewOf } from "../src/file/footer.js";
import { Ranges } from "../src/file/ranges.js";
import { findTraces } from "../src/file/traces.js";
import { readChunk } from "../src/log/chunk.js";
import { openLog } from "../src/log/log_file.js";
import { readSession } from "../src/log/session.js";
import { opened, rangesOf } from "./opened.js";

// Cuts by power_loss, and how many images it leaves of them.
const [CUTS, IMAGES] = process.env.MICROPARQUET_LONG === "1" ? [100_000, 2000] : [2000, 120];
const MOST_PIECES = 100; // of a file of 8 MB
// In the head of a save.
const ROW_GROUPS = 24;
const ENTRIES_CRC = 32;
const HEAD_CRC = 60;
const programs = process.env.MICROPARQUET_PROGRAMS;
const folder = mkdtempSync(join(tmpdir(), "torn_files"));
after(() => rmSync(folder, { recursive: true }));

// A log of a device that wakes, makes some calls, and loses its power; each boot is its words for log_calls.
function boots(layout, ...calls) {
  const path = join(folder, "log.parquet");
  rmSync(path, { force: true });
  for (const words of calls) execFileSync(join(programs, "log_calls"), [path, ...layout, ...words.split(" ")]);
  return new Uint8Array(readFileSync(path));
}

const stream = (id, rowGroupBytes = 8192) => ["--stream", `--row-group=${rowGroupBytes}`, `--file-id=${id}`];
const tailed = ["--tailed", "--row-group=0"];
const beforeSave = "rows=10 checkpoint rows=20 save";

// The numbers of the rows that the viewer shows.
async function numbersOf(bytes) {
  const table = await readSession([await opened(bytes)]);
  assert.deepEqual(table.damage, []);
  return [...table.columns.find(({ name }) => name === "n").values];
}

function rowsOfMpq(bytes) {
  const path = join(folder, "torn.parquet");
  writeFileSync(path, bytes);
  const { stdout } = spawnSync(join(programs, "mpq"), ["recover", "--dry-run", path], { encoding: "utf8" });
  return Number(/kept\s+([\d,]+) row/.exec(stdout)?.[1].replaceAll(",", "") ?? 0);
}

// What was written after the last size that was published, or is left of another file.
function withMore(bytes) {
  return new Uint8Array(Buffer.concat([bytes, Buffer.alloc(SECTOR_BYTES)]));
}

async function checkRowsOf(bytes, rows, what) {
  const wanted = Array.from({ length: rows }, (_, i) => i);
  assert.deepEqual(await numbersOf(bytes), wanted, what);
  assert.equal(rowsOfMpq(bytes), rows, `${what}, by mpq`);
}

async function checkRows(bytes, rows, what) {
  for (const each of [bytes, withMore(bytes)]) await checkRowsOf(each, rows, what);
}

async function checkNoneLost(bytes, what) {
  for (const each of [bytes, withMore(bytes)]) assert.equal((await opened(each)).lostRows, 0, what);
}

function changed(bytes, at) {
  const other = bytes.slice();
  other[at] ^= 1;
  return other;
}

// The file with another value in a field of the head of a save, and a right checksum.
function withOther(bytes, save, field) {
  const other = changed(bytes, save + field);
  const crc = continueCrc(0, other.subarray(save, save + HEAD_CRC));
  viewOf(other).setUint32(save + HEAD_CRC, crc, true);
  return other;
}

function without(bytes, begin, end) {
  return bytes.slice().fill(0, begin, end);
}

// Places of a tag, in order.
function placesOf(bytes, tag) {
  const places = [];
  const text = Buffer.from(bytes);
  for (let at = text.indexOf(tag); at !== -1; at = text.indexOf(tag, at + 1)) places.push(at);
  return places;
}

const footerBegin = (bytes) => bytes.length - 8 - viewOf(bytes).getUint32(bytes.length - 8, true);

// The file of the next boot has the save of the one before, and what it wrote without a barrier.
async function recordsOf(bytes) {
  const { slots } = await findTraces(rangesOf(bytes));
  return slots.filter(({ bytes: entry }) => entry !== 0).slice(-3);
}

for (const id of [0, 7]) {
  test(`a save stays where the next boot of file ${id} tears its first`, async () => {
    const bytes = boots(stream(id), beforeSave, "rows=30 save");
    const number = (at) => viewOf(bytes).getUint32(at + 16, true);
    const [newest] = placesOf(bytes, "mpqS").sort((a, b) => number(b) - number(a));
    await checkRows(bytes, 60, "both saves");
    await checkRows(changed(bytes, newest + 9), 30, "a torn one");
    await checkNoneLost(changed(bytes, newest + 9), "its record tells of no rows");
    for (const field of [ROW_GROUPS, ENTRIES_CRC]) {
      await checkRows(withOther(bytes, newest, field), 30, `a save whose field ${field} is not that of the records`);
    }
  });

  test(`a save stays where what the next boot of file ${id} wrote is lost`, async () => {
    const bytes = boots(stream(id), beforeSave, "rows=1200");
    assert.equal((await opened(bytes)).rowsSaved, 20, "rows of the save, which are there without it");
    const [save] = placesOf(bytes, "mpqS");
    const copy = viewOf(bytes).getUint32(save + 44, true) * SECTOR_BYTES;
    const [first, second, last] = await recordsOf(bytes);
    const fourthAlone = without(without(bytes, copy, first.next), second.end, last.end);
    await checkRows(fourthAlone, 30, "a record without its pages");
    await checkRows(without(bytes, copy, second.next), 30, "without the first record");
  });
}

test("a save stays where the footer of close() came before its rows", async () => {
  for (const rows of [5, 2000]) {
    const closed = boots(stream(7, 1024), `${beforeSave} rows=${rows} close`);
    const saved = boots(stream(7, 1024), beforeSave);
    const cut = new Uint8Array(Math.max(closed.length, saved.length));
    cut.set(saved);
    cut.set(closed.subarray(footerBegin(closed)), footerBegin(closed));
    await checkRows(cut, 30, `${rows} rows`);
    assert.equal(cut.length === closed.length, rows === 2000, "the file ends in that footer");
  }
});

test("a footer whose last bytes are torn has no saves", async () => {
  const bytes = boots(stream(7), beforeSave);
  await checkRows(changed(bytes, bytes.length - 1), 10, "its PAR1");
});

test("rows of a tail are not counted twice", async () => {
  // The next boot writes the same rows again; of both footers the card keeps the first boot's.
  const first = boots(tailed, "rows=55 checkpoint rows=5 checkpoint");
  const both = boots(tailed, "rows=55 checkpoint", "rows=5 checkpoint");
  both.set(first.subarray(footerBegin(first)), footerBegin(first));
  await checkRows(both, 60, "pages and tail");
});

test("a footer stands where a later boot's record is there without the first one", async () => {
  const bytes = boots(tailed, "rows=55 checkpoint");
  const later = boots(tailed, "rows=55 checkpoint", "rows=5 checkpoint");
  const { slots } = await findTraces(rangesOf(later));
  const { end } = slots.find(({ bytes: entry, next }) => entry !== 0 && next === 0);
  bytes.set(later.subarray(end - SECTOR_BYTES, end), end - SECTOR_BYTES);
  await checkRowsOf(withMore(bytes), 55, "by the first boot's footer");
});

test("footers of an earlier file, whose rows another one has replaced, are passed over", async () => {
  for (const layout of [[], ["--forward"]]) {
    const options = [...layout, "--row-group=4096"];
    const checkpoint = "rows=300 checkpoint";
    const earlier = boots([...options, "--first=5000"], [checkpoint, checkpoint, checkpoint].join(" "));
    const later = boots(options, checkpoint);
    earlier.set(later);
    await checkRowsOf(withMore(earlier), 300, `layout ${layout}`);
  }
});

test("a damaged footer at the end gives way to the one before it and to records", async () => {
  const calls = "unsynced rows=50 checkpoint rows=1 end_row_group";
  for (const [layout, end] of [
    [tailed, ""],
    [["--forward"], " rows=2 checkpoint"],
  ]) {
    const bytes = boots(layout, calls + end);
    const inExtension = placesOf(bytes, "mpqF").at(-1) + 20;
    for (const at of [inExtension, footerBegin(bytes) + 1, bytes.length - 6])
      await checkRows(changed(bytes, at), end ? 53 : 51, `${layout}, byte ${at}`);
  }
});

test("records of structs and arrays are proved as others are", async () => {
  const path = join(folder, "arrays.parquet");
  execFileSync(join(programs, "made_arrays"), [path]);
  const bytes = new Uint8Array(readFileSync(path));
  const torn = withMore(changed(bytes, placesOf(bytes, "mpqF").at(-1) + 20));
  const { rows, rowsAfterFooter, lostRows } = await opened(torn);
  assert.deepEqual({ rows, rowsAfterFooter, lostRows }, { rows: 600, rowsAfterFooter: 600, lostRows: 0 });
  assert.equal(rowsOfMpq(torn), 600);
});

test("old footers without an end are looked for in few pieces", async () => {
  const bytes = withMore(boots(["--tailed", "--row-group=16384", "--ms-per-row=5"], "rows=400000 checkpoint"));
  let pieces = 0;
  const ranges = new Ranges(bytes.length, async (begin, end) => {
    ++pieces;
    return bytes.slice(begin, end);
  });
  assert.equal((await openLog(ranges)).rows, 400_000);
  assert.ok(pieces < MOST_PIECES, `${pieces} pieces`);
});

// Rows of a column up to the first page that is damaged.
function rowsOfColumn(log, group, i) {
  let rows = 0;
  try {
    readChunk(log.bytes, log.rowGroups.chunk(group, i), log.columns[i], (values, count) => (rows += count));
  } catch (error) {
    if (error.constructor.name !== "Failure") throw error;
  }
  return rows;
}

// Rows that all columns of a file have.
async function rowsThere(bytes) {
  const log = await openLog(Ranges.of(bytes)).catch((error) => {
    assert.equal(error.constructor.name, "Failure", error.stack);
  });
  const groups = Array.from(log?.rowGroups.rows ?? []);
  return groups.reduce(
    (sum, rows, g) => sum + Math.min(rows, ...log.columns.map((_, i) => rowsOfColumn(log, g, i))),
    0,
  );
}

test(`what a card has held of ${IMAGES} files`, async () => {
  const options = ["--cuts", CUTS, "--attack", "histories", "--media", folder, IMAGES];
  execFileSync(join(programs, "power_loss"), options.map(String));
  const lines = readFileSync(join(folder, "manifest.txt"), "utf8").trim().split("\n");
  assert.equal(lines.length, IMAGES);
  for (const line of lines) {
    const bytes = withMore(readFileSync(join(folder, line.split(" ")[0])));
    assert.equal(await rowsThere(bytes), rowsOfMpq(bytes), line);
  }
});
