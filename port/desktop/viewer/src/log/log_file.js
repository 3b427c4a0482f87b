// A file that was opened: its columns, key-values and row groups, those that only records and saves tell of among them.
import { parquetMetadata } from "hyparquet";
import { footerWithEntries, hasText, lastFooter, viewAt, withTail } from "../file/footer.js";
import { findRowGroups } from "../file/thrift_walk.js";
import { readHistory, sumOfRows } from "../file/history.js";
import { streamSaveAfter } from "../file/stream_save.js";
import { findTraces } from "../file/traces.js";
import { columnsOf } from "./columns.js";
import { Failure, whyOf } from "./failure.js";
import { RowGroups } from "./row_groups.js";
import { recordHolds } from "./recorded.js";
import { describeSave, saveHolds } from "./saved.js";

const MAGIC_BYTES = 4;
// How other files begin that people take for logs, in the words of mpq.
const OTHER_KINDS = [
  ["\x1f\x8b", "compressed by gzip: unpack it by gunzip first"],
  ["<!DOCTYPE", "a web page, as sites give without a login: download the file itself"],
  ["<html", "a web page, as sites give without a login: download the file itself"],
  ["version https://git-lfs", "a pointer of Git LFS to a file: fetch that by git lfs pull"],
  ["\0".repeat(16), "zeros: its bytes never reached the disk, or were lost there; copy it again"],
];
// Nothing is made of values that would lose digits.
const parsers = {
  timestampFromMilliseconds: (value) => value,
  timestampFromMicroseconds: (value) => value,
  timestampFromNanoseconds: (value) => value,
  dateFromDays: (value) => value,
  stringFromBytes: (value) => value,
  uuidFromBytes: (value) => value,
};

function parse(footer) {
  try {
    return parquetMetadata(footer, { parsers, geoparquet: false });
  } catch (error) {
    throw new Failure(
      `its footer cannot be read (${whyOf(error)}): mpq recover or the page rescue.html brings back what is there`,
    );
  }
}

function notParquet(bytes) {
  if (bytes.length === 0) return "it is empty";
  if (hasText(bytes, 0, "PARE") || hasText(bytes, bytes.length - MAGIC_BYTES, "PARE")) return "it is encrypted";
  const kind = OTHER_KINDS.find(([begin]) => hasText(bytes, 0, begin));
  return kind ? `it is ${kind[1]}` : "it is no Parquet file: drop one that ends in .parquet";
}

// A footer, with its file's bytes, what it says beside row groups, and the ways to read those of its history; undefined: it is void.
async function readFooter(bytes, traces, footer) {
  const whole = footer.lacksTail ? withTail(bytes, footer) : bytes;
  const footerWithoutRows = await whole.run(() => footerWithEntries(whole, footer, []));
  const metadata = parse(footerWithoutRows);
  const columns = columnsOf(metadata.schema);
  const optional = columns.map(({ isOptional }) => isOptional);
  const ways = await readHistory(whole, traces, footer, optional);
  const history = ways && { bytes: whole, footer, footerWithoutRows, metadata, columns, ways };
  const save = await whole.run(() => streamSaveAfter(whole, footer));
  if (!save) return history;
  // The same file as the next boot would make it.
  const shown = whole.withBytes(save.begin, save.bytes);
  const waysWithSave = await readHistory(shown, traces, footer, optional);
  const withSave = waysWithSave && {
    ...history,
    ...{ bytes: shown, ways: waysWithSave, rowsSaved: save.rows - footer.rows, streamSave: save },
  };
  return history && { ...history, withSave };
}

// The last footer that is not void; undefined: there is none.
async function findHistory(bytes) {
  const last = await bytes.run(() => lastFooter(bytes));
  const history = last && (await readFooter(bytes, { footers: [last], slots: [] }, last));
  if (history) return history;
  if (!last && (await bytes.run(() => hasText(bytes, bytes.length - MAGIC_BYTES, "PAR1")))) return undefined;
  const traces = await findTraces(bytes);
  const fileId = traces.footers[0]?.fileId;
  const footers = traces.footers.filter((footer) => footer.fileId === fileId);
  for (const footer of footers.sort((a, b) => b.sequence - a.sequence)) {
    const found = await readFooter(bytes, traces, footer);
    if (found) return { ...found, isTorn: true };
  }
  return undefined;
}

// Metadata that describes row groups; those of saves are the last ones.
function describe({ bytes, footer, columns }, rowGroups) {
  const entries = rowGroups.map(({ entry }) => entry).filter(Boolean);
  const metadata = parse(footerWithEntries(bytes, footer, entries));
  const saves = rowGroups.filter(({ source }) => source === "save");
  metadata.row_groups.push(...saves.map(({ head }) => describeSave(head, columns)));
  return metadata;
}

// Whether the pages of a row group that no footer describes are there. `metadata` is its own.
function holds(history, group, metadata) {
  const { bytes, footer, columns } = history;
  if (group.source === "save") return saveHolds(bytes, group.head, metadata, columns);
  const before = describe(history, group.before).row_groups;
  return recordHolds(bytes, group, metadata, before, columns, footer.columns !== 0);
}

// What is there of a row group: itself, or what was described before. Its pages are forgotten when they were looked at.
async function believedOf(history, group) {
  if (!group.before) return [group];
  const { bytes } = history;
  const isThere = await bytes.run(() => holds(history, group, describe(history, [group]).row_groups[0]));
  bytes.release();
  if (isThere) return [group];
  const before = [];
  for (const each of group.before) before.push(...(await believedOf(history, each)));
  return before;
}

// Returns the row groups that are there if they are read in one way.
async function believe(history, rowGroups) {
  const believed = [];
  for (const group of rowGroups) believed.push(...(await believedOf(history, group)));
  return { believed, rows: sumOfRows(believed), lostRows: sumOfRows(rowGroups) - sumOfRows(believed) };
}

function rowsOfSaves(rowGroups) {
  const saves = rowGroups.filter(({ source }) => source === "save");
  return sumOfRows(saves) - sumOfRows(saves.flatMap(({ before }) => before));
}

// {columns, schema, rowGroups, footer, footerBytes, rows, rowsAfterFooter, rowsSaved, lostRows, isTorn, keyValues, bytes, streamSave}. `footer` is
// undefined for other writers' files; `streamSave` is the save of a stream whose rows are among them, which `bytes` show where it belongs. `rowsAfterFooter` of the rows are known from records and saves alone, `rowsSaved` of these from a save, and
// `lostRows` are such rows that are not there. `ranges` are the file's bytes. Throws Failure.
export async function openLog(ranges) {
  const endsWell = await ranges.run(() => {
    if (!hasText(ranges, 0, "PAR1")) throw new Failure(notParquet(ranges));
    return hasText(ranges, ranges.length - MAGIC_BYTES, "PAR1");
  });
  const history = await findHistory(ranges);
  if (!history) {
    if (!endsWell)
      throw new Failure(
        "it was cut off, and no footer is left: mpq recover or the page rescue.html brings back what is there",
      );
    return openForeign(ranges);
  }
  const ways = [];
  for (const each of [history, history.withSave].filter(Boolean))
    for (const rowGroups of each.ways) ways.push({ history: each, ...(await believe(each, rowGroups)) });
  return logOfWay(ways.reduce((best, way) => (way.rows > best.rows ? way : best)));
}

function logOfWay({ history, believed, rows, lostRows }) {
  history.bytes.release();
  const described = ({ source, entry, head }) =>
    source === "save" ? { described: describeSave(head, history.columns) } : { entry };
  return logOf(history.metadata, believed.map(described), {
    ...history,
    ...{ sources: believed.map(({ source }) => source), rowsAfterFooter: rows - history.footer.rows },
    ...{ rowsSaved: history.rowsSaved ?? rowsOfSaves(believed), lostRows },
  });
}

// Of another writer's file, by the footer that ends it.
async function openForeign(ranges) {
  const footer = await ranges.run(() => {
    const length = viewAt(ranges, ranges.length - 8, 4).getUint32(0, true);
    return ranges.subarray(Math.max(0, ranges.length - 8 - length));
  });
  const found = foundRowGroups(footer);
  if (!found) return logOf(parse(footer), [], { bytes: ranges, footerWithoutRows: footer.slice() });
  // The same without row groups, for a reader of Parquet.
  const EMPTY_LIST = 0x0c;
  const rest = footer.subarray(found.end);
  const parts = new Uint8Array(found.header + 1 + rest.length);
  parts.set(footer.subarray(0, found.header));
  parts[found.header] = EMPTY_LIST;
  parts.set(rest, found.header + 1);
  viewAt(parts, parts.length - 8, 4).setUint32(0, parts.length - 8, true);
  const log = logOf(
    parse(parts),
    found.entries.map((entry) => ({ entry })),
    { bytes: ranges, footerWithoutRows: parts },
  );
  return { ...log, footerBytes: footer.length };
}

// Undefined also where the footer is malformed: who parses it says how.
function foundRowGroups(footer) {
  try {
    return findRowGroups(footer);
  } catch {
    return undefined;
  }
}

function logOf(
  metadata,
  groups,
  {
    bytes,
    footer,
    footerWithoutRows,
    columns = columnsOf(metadata.schema),
    sources,
    streamSave,
    rowsAfterFooter = 0,
    rowsSaved = 0,
    lostRows = 0,
    isTorn = false,
  },
) {
  const keyValues = new Map();
  for (const { key, value } of metadata.key_value_metadata ?? []) keyValues.set(key, value ?? "");
  const rowGroups = new RowGroups(groups, columns.length);
  return {
    ...{ bytes, footer, rowsAfterFooter, rowsSaved, lostRows, isTorn, keyValues, columns, footerWithoutRows },
    ...{ footerBytes: metadata.metadata_length + 8, rowGroups, sources, streamSave },
    rows: rowGroups.rows.reduce((sum, rows) => sum + rows, 0),
  };
}
