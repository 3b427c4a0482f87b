// A file that was opened: its columns, key-values and row groups, those that only records and saves tell of among them.
import { parquetMetadata } from "hyparquet";
import { footerWithEntries, hasText, lastFooter, withTail } from "../file/footer.js";
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
function readFooter(bytes, traces, footer) {
  const whole = footer.lacksTail ? withTail(bytes, footer) : bytes;
  const columns = columnsOf(parse(whole.subarray(footer.begin, footer.end)).schema);
  const optional = columns.map(({ isOptional }) => isOptional);
  const ways = readHistory(whole, traces, footer, optional);
  return ways && { bytes: whole, footer, columns, ways };
}

// The last footer that is not void; undefined: there is none.
function findHistory(bytes) {
  const last = lastFooter(bytes);
  const history = last && readFooter(bytes, { footers: [last], slots: [] }, last);
  if (history) return history;
  if (hasText(bytes, bytes.length - MAGIC_BYTES, "PAR1") && !last) return undefined;
  const traces = findTraces(bytes);
  const fileId = traces.footers[0]?.fileId;
  const footers = traces.footers.filter((footer) => footer.fileId === fileId);
  for (const footer of footers.sort((a, b) => b.sequence - a.sequence)) {
    const found = readFooter(bytes, traces, footer);
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

// What is there of a row group: itself, or what was described before.
function believedOf(history, group, metadata) {
  if (!group.before || holds(history, group, metadata)) return [group];
  return group.before.flatMap((each) => believedOf(history, each, describe(history, [each]).row_groups[0]));
}

// Returns the row groups that are there if they are read in one way.
function believe(history, rowGroups) {
  const { row_groups: all } = describe(history, rowGroups);
  const believed = rowGroups.flatMap((group, i) => believedOf(history, group, all[i]));
  return { believed, rows: sumOfRows(believed), lostRows: sumOfRows(rowGroups) - sumOfRows(believed) };
}

function rowsOfSaves(rowGroups) {
  const saves = rowGroups.filter(({ source }) => source === "save");
  return sumOfRows(saves) - sumOfRows(saves.flatMap(({ before }) => before));
}

// {metadata, columns, footer, rows, rowsAfterFooter, rowsSaved, lostRows, isTorn, keyValues}. `footer` is undefined for other
// writers' files. `rowsAfterFooter` of the rows are known from records and saves alone, `rowsSaved` of these from a save, and
// `lostRows` are such rows that are not there. Throws Failure.
export function openLog(bytes) {
  if (!hasText(bytes, 0, "PAR1")) throw new Failure(notParquet(bytes));
  const history = findHistory(bytes);
  if (!history) {
    if (!hasText(bytes, bytes.length - MAGIC_BYTES, "PAR1")) {
      throw new Failure("it was cut off, and no footer is left: mpq recover brings back what is there");
    }
    return logOf(parse(bytes), {});
  }
  const ways = history.ways.map((rowGroups) => believe(history, rowGroups));
  const { believed, rows, lostRows } = ways.reduce((best, way) => (way.rows > best.rows ? way : best));
  return logOf(describe(history, believed), {
    ...history,
    ...{ rowGroups: believed, rowsAfterFooter: rows - history.footer.rows, rowsSaved: rowsOfSaves(believed), lostRows },
  });
}

function logOf(metadata, { footer, rowGroups, rowsAfterFooter = 0, rowsSaved = 0, lostRows = 0, isTorn = false }) {
  const keyValues = new Map();
  for (const { key, value } of metadata.key_value_metadata ?? []) keyValues.set(key, value ?? "");
  return {
    ...{ metadata, footer, rowsAfterFooter, rowsSaved, lostRows, isTorn, keyValues },
    columns: columnsOf(metadata.schema),
    rows: metadata.row_groups.reduce((sum, group) => sum + Number(group.num_rows), 0),
    sources: rowGroups?.map((group) => group.source),
  };
}
