// Whether a row group that only a record describes is there. A medium may have written the record before the pages it tells of,
// and what stood in their place may be pages of an earlier file: so it is taken whole or not at all, by checksums, counts,
// nulls and bounds of every column (port/desktop/recovery/DESIGN.md).
import { continueCrc } from "../file/crc32.js";
import { viewOf } from "../file/footer.js";
import { Missing } from "../file/ranges.js";
import { readChunk } from "./chunk.js";

const PLAIN_READERS = {
  INT32: (view) => view.getInt32(0, true),
  INT64: (view) => view.getBigInt64(0, true),
  FLOAT: (view) => view.getFloat32(0, true),
  DOUBLE: (view) => view.getFloat64(0, true),
  BOOLEAN: (view) => view.getUint8(0) !== 0,
};

function comparesAsBytes(a, b) {
  for (let i = 0; i < a.length && i < b.length; ++i) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}

function order(a, b) {
  return a instanceof Uint8Array ? comparesAsBytes(a, b) : a < b ? -1 : a > b ? 1 : 0;
}

// Its bytes are a number, with another order than theirs.
function isDecimal(element) {
  return element.logical_type?.type === "DECIMAL" || element.converted_type === "DECIMAL";
}

// Returns a bound in the statistics, decoded like the column's values; undefined if it is not compared.
function bound(bytes, column) {
  const read = PLAIN_READERS[column.element.type];
  if (!bytes) return undefined;
  if (!read) return column.element.type === "BYTE_ARRAY" && !isDecimal(column.element) ? bytes : undefined;
  const value = read(viewOf(bytes));
  const isUnsigned = column.element.logical_type || column.element.converted_type;
  if (!isUnsigned) return value;
  return typeof value === "bigint" ? BigInt.asUintN(64, value) : value >>> 0;
}

// What its pages have, up to the first damaged one: `damage` is then why.
function summarise(bytes, chunk, column, seeDictionary) {
  const seen = { values: 0, nulls: 0, smallest: undefined, largest: undefined, damage: undefined };
  const take = (value) => {
    if (value === null || value === undefined) ++seen.nulls;
    else if (typeof value !== "number" || !Number.isNaN(value)) {
      if (seen.smallest === undefined || order(value, seen.smallest) < 0) seen.smallest = value;
      if (seen.largest === undefined || order(value, seen.largest) > 0) seen.largest = value;
    }
  };
  const visit = (values, count) => {
    seen.values += count;
    for (let i = 0; i < count; ++i) {
      if (!column.isList) take(values[i]);
      else if (values[i].length === 0) ++seen.nulls;
      else values[i].forEach(take);
    }
  };
  try {
    readChunk(bytes, chunk, column, visit, seeDictionary);
  } catch (error) {
    if (error instanceof Missing) throw error;
    seen.damage = error;
  }
  return seen;
}

// A bound of bytes may be shortened; the smallest value is then not below it, and the largest not above.
function boundHolds(stated, found, isExact, direction) {
  if (stated === undefined) return true;
  if (found === undefined) return false;
  const difference = order(found, stated) * direction;
  return isExact === false ? difference >= 0 : difference === 0;
}

// Whether counts and bounds are those of the values.
function isOf(seen, statistics, column, rows) {
  if (seen.values !== rows) return false;
  if (!statistics) return true;
  const { field_3: nulls, field_5: max, field_6: min, field_7: maxIsExact, field_8: minIsExact } = statistics;
  // A list that is missing or empty is no null, and looks like one here.
  const nullsHold = nulls === undefined || (column.isList ? nulls <= seen.nulls : Number(nulls) === seen.nulls);
  if (!nullsHold) return false;
  return (
    boundHolds(bound(min, column), seen.smallest, minIsExact, 1) &&
    boundHolds(bound(max, column), seen.largest, maxIsExact, -1)
  );
}

function chunkHolds(bytes, chunk, statistics, column, rows, seeDictionary) {
  const seen = summarise(bytes, chunk, column, seeDictionary);
  return !seen.damage && isOf(seen, statistics, column, rows);
}

// The rows of a row group that a footer describes, up to the first page that is damaged in any column: {rows, contradicts}, of which the
// latter says that its pages are whole, and not those that it describes. `described` is as readHistory() has it, `rowGroup` as metadata.
export function rowsThatHold(bytes, described, rowGroup, columns) {
  let { rows } = described;
  let contradicts = false;
  rowGroup.columns.forEach(({ meta_data: chunk }, i) => {
    const statistics = described.fields.field_1[i].field_3.field_12;
    const seen = summarise(bytes, chunk, columns[i]);
    const isOther = !seen.damage && !isOf(seen, statistics, columns[i], described.rows);
    contradicts ||= isOther && rows === described.rows;
    rows = isOther ? 0 : Math.min(rows, seen.values);
  });
  return { rows, contradicts };
}

// A dictionary that only a record names may be that of an earlier file, in place: records of earlier versions do not tell them apart.
function dictionaryIsKnown(chunk, before, inPlace) {
  if (!chunk.dictionary_page_offset || !inPlace) return true;
  return before.some((each) => each.dictionary_page_offset === chunk.dictionary_page_offset);
}

// `described` is the row group as readHistory() has it, `rowGroup` as metadata, `before` those of `described.before`.
export function recordHolds(bytes, described, rowGroup, before, columns, inPlace) {
  const chunks = described.fields.field_1;
  const chunksBefore = (i) => before.map(({ columns: each }) => each[i].meta_data);
  const isSaid = described.dictionariesCrc !== undefined;
  let dictionariesCrc = 0;
  const seeDictionary = (crc) => {
    dictionariesCrc = continueCrc(dictionariesCrc, new Uint8Array(Uint32Array.of(crc).buffer));
  };
  try {
    const chunksHold = rowGroup.columns.every(
      ({ meta_data: chunk }, i) =>
        (isSaid || dictionaryIsKnown(chunk, chunksBefore(i), inPlace)) &&
        chunkHolds(bytes, chunk, chunks[i].field_3.field_12, columns[i], described.rows, seeDictionary),
    );
    return chunksHold && (!isSaid || dictionariesCrc === described.dictionariesCrc);
  } catch (error) {
    if (error instanceof Missing) throw error;
    return false;
  }
}
