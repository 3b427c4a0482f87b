// A file that was opened: its columns, key-values and row groups, those that only records describe among them.
import { parquetMetadata } from "hyparquet";
import { footerWithEntries, hasText, lastFooter, withTail } from "../file/footer.js";
import { readHistory, sumOfRows } from "../file/history.js";
import { findTraces } from "../file/traces.js";
import { columnsOf } from "./columns.js";
import { Failure, whyOf } from "./failure.js";
import { recordHolds } from "./recorded.js";

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

// The last footer that is not void, with the row groups of its history; undefined: there is none.
function findHistory(bytes) {
  const last = lastFooter(bytes);
  const rowGroups = last && readHistory(bytes, { footers: [last], slots: [] }, last);
  if (rowGroups) return { footer: last, rowGroups };
  if (hasText(bytes, bytes.length - MAGIC_BYTES, "PAR1") && !last) return undefined;
  const traces = findTraces(bytes);
  const fileId = traces.footers[0]?.fileId;
  const footers = traces.footers.filter((footer) => footer.fileId === fileId);
  for (const footer of footers.sort((a, b) => b.sequence - a.sequence)) {
    const found = readHistory(bytes, traces, footer);
    if (found) return { footer, rowGroups: found, isTorn: true };
  }
  return undefined;
}

// Returns the row groups that are there, with the metadata of a footer that describes them.
function believe(bytes, { footer, rowGroups }, columns) {
  const inPlace = footer.columns !== 0;
  const describe = (groups) =>
    parse(
      footerWithEntries(
        bytes,
        footer,
        groups.map((group) => group.entry),
      ),
    );
  const all = describe(rowGroups);
  const believed = [];
  let lostRows = 0;
  rowGroups.forEach((group, i) => {
    if (group.source !== "record") {
      believed.push(group);
      return;
    }
    const before = group.before && describe([group.before]).row_groups[0];
    if (recordHolds(bytes, group, all.row_groups[i], before, columns, inPlace)) believed.push(group);
    else {
      if (group.before) believed.push(group.before);
      lostRows += group.rows - (group.before?.rows ?? 0);
    }
  });
  return { metadata: describe(believed), believed, lostRows };
}

// {metadata, columns, footer, rows, rowsAfterFooter, lostRows, isTorn, keyValues}. `footer` is undefined for other writers'
// files. `rowsAfterFooter` of the rows are known from records alone, and `lostRows` are such rows that are not there. Throws
// Failure.
export function openLog(bytes) {
  if (!hasText(bytes, 0, "PAR1")) throw new Failure(notParquet(bytes));
  const history = findHistory(bytes);
  if (!history) {
    if (!hasText(bytes, bytes.length - MAGIC_BYTES, "PAR1")) {
      throw new Failure("it was cut off, and no footer is left: mpq recover brings back what is there");
    }
    return logOf(parse(bytes), {});
  }
  const whole = history.footer.lacksTail ? withTail(bytes, history.footer) : bytes;
  const columns = columnsOf(parse(whole.subarray(history.footer.begin, history.footer.end)).schema);
  const { metadata, believed, lostRows } = believe(whole, history, columns);
  const rowsAfterFooter = sumOfRows(believed) - history.footer.rows;
  return logOf(metadata, { ...history, rowGroups: believed, rowsAfterFooter, lostRows });
}

function logOf(metadata, { footer, rowGroups, rowsAfterFooter = 0, lostRows = 0, isTorn = false }) {
  const keyValues = new Map();
  for (const { key, value } of metadata.key_value_metadata ?? []) keyValues.set(key, value ?? "");
  return {
    ...{ metadata, footer, rowsAfterFooter, lostRows, isTorn, keyValues },
    columns: columnsOf(metadata.schema),
    rows: metadata.row_groups.reduce((sum, group) => sum + Number(group.num_rows), 0),
    sources: rowGroups?.map((group) => group.source),
  };
}
