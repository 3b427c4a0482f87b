// Saves rows of a session: the times, and chosen columns, as they are stored.
import { cellText, csvCell } from "./cell_text.js";
import { ParquetFile } from "./parquet_file.js";
import { readRows } from "./rows.js";

const PIECE_ROWS = 1 << 16;

class RawValues {
  constructor(rows) {
    this.values = new Array(rows);
  }

  take(values, count, at) {
    for (let i = 0; i < count; ++i) {
      const value = values[i];
      this.values[at + i] = value instanceof Uint8Array ? value.slice() : value; // the file's bytes do not stay
    }
  }
}

// The numbers of the columns to save, in the order of the file.
function columnsToSave({ session, columns }) {
  const drawn = columns.map(({ number }) => number);
  const mark = session.mark === -1 ? [] : [session.mark];
  return [...new Set([...session.ofTime, ...drawn, ...mark])].sort((a, b) => a - b);
}

// Calls visit(values, rows) for the rows from `begin` to `end`, in pieces: arrays of the values of each column.
async function forPieces(table, numbers, begin, end, visit) {
  for (let at = begin; at < end; at += PIECE_ROWS) {
    const rows = Math.min(PIECE_ROWS, end - at);
    const readers = new Map(numbers.map((i) => [i, new RawValues(rows)]));
    await readRows(table.session.logs, readers, [], { begin: at, end: at + rows });
    visit(
      numbers.map((i) => readers.get(i).values),
      rows,
    );
  }
}

// Parts of a file of CSV.
export async function csvOf(table, begin, end) {
  const numbers = columnsToSave(table);
  const columns = numbers.map((i) => table.session.columns[i]);
  const parts = [columns.map(({ name }) => csvCell(name)).join() + "\n"];
  await forPieces(table, numbers, begin, end, (values, rows) => {
    const lines = [];
    for (let row = 0; row < rows; ++row) {
      lines.push(values.map((own, k) => csvCell(cellText(own[row], columns[k]))).join() + "\n");
    }
    parts.push(lines.join(""));
  });
  return parts;
}

// Parts of a Parquet file.
export async function parquetOf(table, begin, end) {
  const log = table.session.logs[0];
  const numbers = columnsToSave(table).filter((i) => ParquetFile.canHave(log.columns[i]));
  const file = new ParquetFile(log, numbers);
  await forPieces(table, numbers, begin, end, (values, rows) => file.addRows(values, rows));
  return file.finish();
}
