// On streams with saves: what one holds is shown where the next boot will copy it to.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { continueCrc } from "../src/file/crc32.js";
import { SECTOR_BYTES, lastFooter, viewOf } from "../src/file/footer.js";
import { anatomyOf, sumsOf } from "../src/log/anatomy.js";
import { readSession } from "../src/log/session.js";
import { opened, rangesOf } from "./opened.js";

const folder = join(process.env.MICROPARQUET_UNPACKED, "compatibility/74270e3");
const HEAD_BYTES = 64;
const AFTER_FOOTER_CRC = 13; // from a footer's CRC on: it, the stop byte, the length, PAR1
const FREE_BEGIN = 60; // in its extension
const FREE_END = 64;
// Rows of the last footer, and those with the save.
const saved = {
  numbers_saved: [100, 120],
  numbers_saved_first: [0, 7],
  numbers_saved_groups: [0, 550],
  numbers_saved_reopened: [130, 141],
  optional_saved_resumed: [60, 85],
  strings_saved: [80, 99],
};

function fileOf(name) {
  return new Uint8Array(readFileSync(join(folder, `${name}.parquet`)));
}

// The file with what `change` makes of the head of its newest save, and the right checksum of that.
async function changed(name, change) {
  const bytes = fileOf(name);
  const { at } = (await opened(bytes)).streamSave;
  const head = viewOf(bytes.subarray(at, at + HEAD_BYTES));
  change(head);
  const crcAt = HEAD_BYTES - 4;
  head.setUint32(crcAt, continueCrc(0, bytes.subarray(at, at + crcAt)), true);
  return bytes;
}

for (const [name, [described, rows]] of Object.entries(saved)) {
  test(`${name} has the rows of its save, in order`, async () => {
    const log = await opened(fileOf(name));
    const { rowsAfterFooter, rowsSaved, lostRows } = log;
    assert.deepEqual(
      { rows: log.rows, rowsAfterFooter, rowsSaved, lostRows },
      { rows, rowsAfterFooter: rows - described, rowsSaved: rows - described, lostRows: 0 },
    );
    const table = await readSession([log]);
    assert.deepEqual(
      [...table.columns.find((column) => column.name === "id").values],
      Array.from({ length: rows }, (_, i) => i),
    );
    assert.deepEqual(table.damage, []);
  });

  test(`every byte of ${name} is something once, and its save lies in a place for saves`, async () => {
    const bytes = fileOf(name);
    const log = await opened(bytes);
    const parts = await anatomyOf(rangesOf(bytes), log);
    assert.equal(parts[0].begin, 0);
    assert.equal(parts.at(-1).end, bytes.length);
    parts.forEach(({ begin, end }, i) => assert.ok(end > begin && (i === 0 || parts[i - 1].end === begin)));
    const { at, bytes: stored } = log.streamSave;
    const kindsIn = (begin, end) =>
      parts.filter((part) => part.begin < end && part.end > begin).map(({ kind }) => kind);
    assert.deepEqual(kindsIn(at, at + SECTOR_BYTES), ["head"]);
    const begin = at + SECTOR_BYTES;
    assert.deepEqual([...new Set(kindsIn(begin, begin + stored.length))].sort(), ["place", "record", "recorded"]);
    assert.ok(sumsOf(parts).place > 0);
  });
}

test("where the newest save is not whole, the one before has its rows", async () => {
  const name = "strings_saved";
  const { at } = (await opened(fileOf(name))).streamSave;
  for (const place of [at + 9, at + SECTOR_BYTES + 40]) {
    const bytes = fileOf(name);
    bytes[place] ^= 1;
    assert.equal((await opened(bytes)).rows, 90);
  }
});

test("a save counts only for the file and the footer that it names, and in its segment", async () => {
  const changes = {
    "another version": (head) => head.setUint32(4, 2, true),
    "another file": (head) => head.setUint32(8, 1, true),
    "another footer": (head) => head.setUint32(20, head.getUint32(20, true) ^ 1, true),
    "another checksum of its bytes": (head) => head.setUint32(40, head.getUint32(40, true) ^ 1, true),
    "outside of the segment": (head) => head.setUint32(44, 1, true),
  };
  assert.equal((await opened(await changed("numbers_saved", () => {}))).rows, 120);
  for (const [what, change] of Object.entries(changes)) {
    const { rows, rowsSaved } = await opened(await changed("numbers_saved", change));
    assert.deepEqual({ rows, rowsSaved }, { rows: 100, rowsSaved: 0 }, what);
  }
});

// The file with other places for saves in its footer, and the right checksum of that.
function withPlacesOf(bytes, sectors) {
  const footer = lastFooter(bytes);
  const entries = footer.begin + footer.entriesOffset;
  const entriesEnd = entries + footer.entriesBytes + footer.openBytes;
  const crcAt = footer.end - AFTER_FOOTER_CRC;
  const tag = Buffer.from(bytes.buffer).lastIndexOf("mpqF");
  const view = viewOf(bytes);
  view.setUint32(tag + FREE_END, view.getUint32(tag + FREE_BEGIN, true) + sectors, true);
  const head = continueCrc(0, bytes.subarray(footer.begin, entries));
  view.setUint32(crcAt, continueCrc(head, bytes.subarray(entriesEnd, crcAt)), true);
  return bytes;
}

test("places without space for a save are none", async () => {
  for (const sectors of [1, 2, 3]) {
    const bytes = withPlacesOf(fileOf("numbers_saved"), sectors);
    const { at } = (await opened(fileOf("numbers_saved"))).streamSave;
    bytes.copyWithin(lastFooter(bytes).freeBegin, at, at + SECTOR_BYTES);
    const log = await opened(bytes);
    assert.deepEqual([log.rows, log.rowsSaved], [100, 0]);
    const parts = await anatomyOf(rangesOf(bytes), log);
    assert.equal(parts.at(-1).end, bytes.length);
  }
});

test("rows of a checkpoint after a save are the footer's", async () => {
  for (const [name, rows] of [
    ["optional_saved_checkpoint", 100],
    ["types_saved_closed", 190],
  ]) {
    const { rowsSaved, rowsAfterFooter, streamSave, ...log } = await opened(fileOf(name));
    assert.deepEqual([log.rows, rowsSaved, rowsAfterFooter, streamSave], [rows, 0, 0, undefined], name);
  }
});
