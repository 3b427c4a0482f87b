// A file that was opened: its columns, key-values and row groups, those that only records and saves tell of among them.
import { hasText, viewAt } from "../file/footer.js";
import { sumOfRows } from "../file/history.js";
import { findRowGroups } from "../file/thrift_walk.js";
import { findHistory } from "./candidates.js";
import { columnsOf } from "./columns.js";
import { Failure } from "./failure.js";
import { parse } from "./metadata.js";
import { RowGroups } from "./row_groups.js";
import { describeSave } from "./saved.js";

const MAGIC_BYTES = 4;
// How other files begin that people take for logs, in the words of mpq.
const OTHER_KINDS = [
  ["\x1f\x8b", "compressed by gzip: unpack it by gunzip first"],
  ["<!DOCTYPE", "a web page, as sites give without a login: download the file itself"],
  ["<html", "a web page, as sites give without a login: download the file itself"],
  ["version https://git-lfs", "a pointer of Git LFS to a file: fetch that by git lfs pull"],
  ["\0".repeat(16), "zeros: its bytes never reached the disk, or were lost there; copy it again"],
];
function notParquet(bytes) {
  if (bytes.length === 0) return "it is empty";
  if (hasText(bytes, 0, "PARE") || hasText(bytes, bytes.length - MAGIC_BYTES, "PARE")) return "it is encrypted";
  const kind = OTHER_KINDS.find(([begin]) => hasText(bytes, 0, begin));
  return kind ? `it is ${kind[1]}` : "it is no Parquet file: drop one that ends in .parquet";
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
  return logOfHistory(history);
}

function rowsOfSaves(rowGroups) {
  const saves = rowGroups.filter(({ source }) => source === "save");
  return sumOfRows(saves) - sumOfRows(saves.flatMap(({ before }) => before));
}

function logOfHistory(history) {
  const { believed, rows, lostRows } = history.way;
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
