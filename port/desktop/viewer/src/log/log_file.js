// A file that was opened: its columns, key-values and row groups, those that only records and saves tell of among them.
import { parquetMetadata } from "hyparquet";
import { footerWithEntries, hasText, lastFooter, viewAt, withTail } from "../file/footer.js";
import { readHistory, sumOfRows } from "../file/history.js";
import { findTraces } from "../file/traces.js";
import { columnsOf } from "./columns.js";
import { Failure, whyOf } from "./failure.js";
import { recordHolds } from "./recorded.js";
import { describeSave, saveHolds } from "./saved.js";

const MAGIC_BYTES = 4;
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
    throw new Failure(`its footer cannot be read (${whyOf(error)}): mpq recover brings back what is there`);
  }
}

function notParquet(bytes) {
  if (bytes.length === 0) return "it is empty";
  if (hasText(bytes, 0, "PARE") || hasText(bytes, bytes.length - MAGIC_BYTES, "PARE")) return "it is encrypted";
  return "it is no Parquet file: drop one that ends in .parquet";
}

// A footer, with its file's columns and bytes, and the ways to read the row groups of its history; undefined: it is void.
async function readFooter(bytes, traces, footer) {
  const whole = footer.lacksTail ? withTail(bytes, footer) : bytes;
  const columns = await whole.run(() => columnsOf(parse(whole.subarray(footer.begin, footer.end)).schema));
  const optional = columns.map(({ isOptional }) => isOptional);
  const ways = await readHistory(whole, traces, footer, optional);
  return ways && { bytes: whole, footer, columns, ways };
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
async function believedOf(history, group, metadata) {
  if (!group.before) return [group];
  const { bytes } = history;
  const isThere = await bytes.run(() => holds(history, group, metadata));
  bytes.release();
  if (isThere) return [group];
  const before = [];
  for (const each of group.before) {
    const [own] = await bytes.run(() => describe(history, [each]).row_groups);
    before.push(...(await believedOf(history, each, own)));
  }
  return before;
}

// Returns the row groups that are there if they are read in one way.
async function believe(history, rowGroups) {
  const { row_groups: all } = await history.bytes.run(() => describe(history, rowGroups));
  const believed = [];
  for (const [i, group] of rowGroups.entries()) believed.push(...(await believedOf(history, group, all[i])));
  return { believed, rows: sumOfRows(believed), lostRows: sumOfRows(rowGroups) - sumOfRows(believed) };
}

function rowsOfSaves(rowGroups) {
  const saves = rowGroups.filter(({ source }) => source === "save");
  return sumOfRows(saves) - sumOfRows(saves.flatMap(({ before }) => before));
}

// {metadata, columns, footer, rows, rowsAfterFooter, rowsSaved, lostRows, isTorn, keyValues, bytes}. `footer` is undefined for
// other writers' files. `rowsAfterFooter` of the rows are known from records and saves alone, `rowsSaved` of these from a save, and
// `lostRows` are such rows that are not there. `ranges` are the file's bytes. Throws Failure.
export async function openLog(ranges) {
  const endsWell = await ranges.run(() => {
    if (!hasText(ranges, 0, "PAR1")) throw new Failure(notParquet(ranges));
    return hasText(ranges, ranges.length - MAGIC_BYTES, "PAR1");
  });
  const history = await findHistory(ranges);
  if (!history) {
    if (!endsWell) throw new Failure("it was cut off, and no footer is left: mpq recover brings back what is there");
    return logOf(await foreignMetadata(ranges), { bytes: ranges });
  }
  const ways = [];
  for (const rowGroups of history.ways) ways.push(await believe(history, rowGroups));
  const { believed, rows, lostRows } = ways.reduce((best, way) => (way.rows > best.rows ? way : best));
  const metadata = await history.bytes.run(() => describe(history, believed));
  history.bytes.release();
  return logOf(metadata, {
    ...history,
    ...{ rowGroups: believed, rowsAfterFooter: rows - history.footer.rows, rowsSaved: rowsOfSaves(believed), lostRows },
  });
}

// Of another writer's file, by the footer that ends it.
async function foreignMetadata(ranges) {
  const metadata = await ranges.run(() => {
    const length = viewAt(ranges, ranges.length - 8, 4).getUint32(0, true);
    return parse(ranges.subarray(Math.max(0, ranges.length - 8 - length)));
  });
  ranges.release();
  return metadata;
}

function logOf(
  metadata,
  { bytes, footer, rowGroups, rowsAfterFooter = 0, rowsSaved = 0, lostRows = 0, isTorn = false },
) {
  const keyValues = new Map();
  for (const { key, value } of metadata.key_value_metadata ?? []) keyValues.set(key, value ?? "");
  return {
    ...{ bytes, metadata, footer, rowsAfterFooter, rowsSaved, lostRows, isTorn, keyValues },
    columns: columnsOf(metadata.schema),
    rows: metadata.row_groups.reduce((sum, group) => sum + Number(group.num_rows), 0),
    sources: rowGroups?.map((group) => group.source),
  };
}
