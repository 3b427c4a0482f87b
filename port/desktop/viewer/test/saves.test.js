// On files that end with saves: heads of tails with no footer after them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { continueCrc } from "../src/file/crc32.js";
import { viewOf } from "../src/file/footer.js";
import { headsIn } from "../src/file/heads.js";
import { TRAILER_BYTES, findTraces } from "../src/file/traces.js";
import { anatomyOf } from "../src/log/anatomy.js";
import { opened, rangesOf } from "./opened.js";
import { readSession } from "../src/log/session.js";

const folder = join(process.env.MICROPARQUET_UNPACKED, "compatibility/74dfa41");
const saved = { numbers_saving: [100, 120], optional_saving_resumed: [60, 85], strings_saving: [80, 99] };

function fileOf(name) {
  return new Uint8Array(readFileSync(join(folder, `${name}.parquet`)));
}

async function optionalOf(bytes) {
  return (await opened(bytes)).columns.map(({ isOptional }) => isOptional);
}

async function savesIn(bytes) {
  const saves = headsIn(bytes, await optionalOf(bytes)).filter(({ isSave }) => isSave);
  return saves.sort((a, b) => b.number - a.number);
}

// Lets `change` change a head, and makes its checksum right.
function changeHead(bytes, { begin, end }, change) {
  const view = viewOf(bytes.subarray(begin, end));
  const crcAt = Array.from({ length: end - begin - 4 }, (_, i) => i + 1).find(
    (at) => continueCrc(0, bytes.subarray(begin, begin + at)) === view.getUint32(at, true),
  );
  change(view);
  view.setUint32(crcAt, continueCrc(0, bytes.subarray(begin, begin + crcAt)), true);
}

// The bytes with those that `change` puts into the newest save.
async function changed(bytes, change) {
  changeHead(bytes, (await savesIn(bytes))[0], change);
  return bytes;
}

// The file with an id that was chosen: heads after a footer that is lost count for such files alone.
async function withId(bytes, id) {
  const view = viewOf(bytes);
  const heads = headsIn(bytes, await optionalOf(bytes));
  const { slots, footers } = await findTraces(rangesOf(bytes));
  const footerCrcs = new Map();
  for (const { end } of slots) {
    view.setUint32(end - TRAILER_BYTES + 8, id, true);
    view.setUint32(end - 4, continueCrc(0, bytes.subarray(end - TRAILER_BYTES, end - 4)), true);
  }
  for (const { begin, end, entriesOffset, entriesBytes, openBytes, crc } of footers) {
    const entries = begin + entriesOffset;
    const crcAt = end - 13; // before the stop byte, the footer's length and PAR1
    view.setUint32(Buffer.from(bytes.buffer, bytes.byteOffset).lastIndexOf("mpqF", crcAt) + 8, id, true);
    const head = continueCrc(0, bytes.subarray(begin, entries));
    view.setUint32(crcAt, continueCrc(head, bytes.subarray(entries + entriesBytes + openBytes, crcAt)), true);
    footerCrcs.set(crc, view.getUint32(crcAt, true));
  }
  for (const head of heads) {
    changeHead(bytes, head, (fields) => {
      fields.setUint32(8, id, true);
      if (head.isSave) fields.setUint32(24, footerCrcs.get(head.continues) ?? head.continues, true);
    });
  }
  return bytes;
}

for (const [name, [described, rows]] of Object.entries(saved)) {
  test(`${name} has the rows of its save, in order`, async () => {
    const bytes = fileOf(name);
    const log = await opened(bytes);
    const { rowsAfterFooter, rowsSaved, lostRows, sources } = log;
    assert.deepEqual(
      { rows: log.rows, rowsAfterFooter, rowsSaved, lostRows, sources },
      { rows, rowsAfterFooter: rows - described, rowsSaved: rows - described, lostRows: 0, sources: ["save"] },
    );
    const table = await readSession([log]);
    const ids = table.columns.find((column) => column.name === "id").values;
    assert.deepEqual(
      [...ids],
      Array.from({ length: rows }, (_, i) => i),
    );
    assert.deepEqual(table.damage, []);
  });

  test(`heads of ${name} are heads, and the open pages of its save rows after the last footer`, async () => {
    const bytes = fileOf(name);
    const parts = await anatomyOf(rangesOf(bytes), await opened(bytes));
    const kindAt = (at) => parts.find(({ end }) => at < end).kind;
    for (const { begin, end } of await savesIn(bytes)) {
      assert.equal(kindAt(begin), "head");
      assert.equal(kindAt(end - 1), "head");
    }
    const [{ columns }] = await savesIn(bytes);
    for (const { stored, open } of columns) {
      for (const each of [stored, open]) assert.equal(kindAt(each.begin), "recorded");
    }
  });
}

test("where the newest save is not whole, the one before has its rows", async () => {
  const broken = async (at) => {
    const bytes = fileOf("strings_saving");
    bytes[at((await savesIn(bytes))[0])] ^= 1;
    return (await opened(bytes)).rows;
  };
  assert.equal(await broken(({ begin }) => begin + 40), 90);
  assert.equal(await broken(({ end }) => end + 40), 90);
});

test("a save whose stored pages are damaged has no rows, and its rows are lost", async () => {
  const bytes = fileOf("numbers_saving");
  bytes[(await savesIn(bytes))[0].columns[1].stored.end - 20] ^= 1;
  const { rows, rowsSaved, lostRows } = await opened(bytes);
  assert.deepEqual({ rows, rowsSaved, lostRows }, { rows: 100, rowsSaved: 0, lostRows: 20 });
});

test("a save counts only for the footer, the row group and the file that it names", async () => {
  const changes = {
    "another version": (head) => head.setUint32(4, 2, true),
    "another file": (head) => head.setUint32(8, 1, true),
    "an earlier history": (head) => head.setUint32(12, 1, true),
    "another place": (head) => head.setUint32(16, head.getUint32(16, true) + 1, true),
    "no save": (head) => head.setUint16(20, head.getUint16(20, true) & ~1, true),
    "another footer": (head) => head.setUint32(24, head.getUint32(24, true) ^ 1, true),
    "another row group": (head) => head.setUint32(28, head.getUint32(28, true) ^ 1, true),
    "more rows than pages": (head) => head.setUint32(40, head.getUint32(40, true) + 1, true),
    "another checksum of its pages": (head) => head.setUint32(56, head.getUint32(56, true) ^ 1, true),
    "stored pages that do not have its rows": (head) => head.setUint32(64 + 12, 60, true),
    "stored pages beyond their extent": (head) => head.setUint32(64 + 4, 512, true),
  };
  assert.equal((await opened(await changed(fileOf("numbers_saving"), () => {}))).rows, 120);
  for (const [what, change] of Object.entries(changes)) {
    const { rows, rowsSaved } = await opened(await changed(fileOf("numbers_saving"), change));
    assert.deepEqual({ rows, rowsSaved }, { rows: 100, rowsSaved: 0 }, what);
  }
});

for (const [name, [described, rows]] of Object.entries(saved)) {
  test(`the save of ${name} counts after its footer is lost, if the file has an id`, async () => {
    const counts = async (bytes) => {
      const log = await opened(bytes);
      return [log.rows, log.rowsSaved, log.isTorn];
    };
    const lost = (bytes) => bytes.slice(0, bytes.length - 40);
    assert.deepEqual(await counts(await withId(fileOf(name), 7)), [rows, rows - described, false]);
    assert.deepEqual(await counts(lost(await withId(fileOf(name), 7))), [rows, rows - described, true]);
    assert.deepEqual(await counts(lost(fileOf(name))), [described, 0, true]);
    const fewer = (head) => head.setUint32(44, described - 1, true);
    const [newest] = await savesIn(await withId(fileOf(name), 7));
    const bytes = await withId(fileOf(name), 7);
    changeHead(bytes, newest, fewer);
    assert.ok((await counts(lost(bytes)))[0] < rows, "a save after another footer");
  });
}

test("rows of a tail, which the footer describes, are rows of the file", async () => {
  for (const [name, rows] of [
    ["numbers_tailed", 100],
    ["optional_tailed_resumed", 101],
    ["numbers_tailed_torn", 320],
  ]) {
    const bytes = fileOf(name);
    const log = await opened(bytes);
    assert.deepEqual([log.rows, log.rowsAfterFooter, log.rowsSaved], [rows, 0, 0], name);
    assert.ok((await anatomyOf(rangesOf(bytes), log)).some(({ kind }) => kind === "head"));
  }
});
