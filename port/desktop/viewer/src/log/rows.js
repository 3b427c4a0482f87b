// The rows of a session's files, column by column and page by page.
import { PageReader } from "./chunk.js";
import { Failure } from "./failure.js";
import { ReadAhead, nextPage } from "./read_ahead.js";

// Gives the readers, by the numbers of their columns, the values of the rows from `begin` to `end`, a row group at a time:
// beginGroup(at, rows) of those that have it, and then endGroup(), say where one begins and ends. What cannot be read is added to
// `damage`. After each row group turn(done, all) is awaited.
export async function readRows(logs, readers, damage, options = {}) {
  const { begin = 0, end = Infinity, turn = async () => {}, endGroup = () => {} } = options;
  const groups = logs.reduce((sum, log) => sum + log.rowGroups.length, 0);
  let at = 0;
  let done = 0;
  for (const log of logs) {
    const { rowGroups } = log;
    const ends = rowGroups.rows.map((rows) => (at += rows));
    const wanted = [...ends.keys()].filter((i) => ends[i] > begin && ends[i] - rowGroups.rows[i] < end);
    const ahead = new ReadAhead(log, [...readers.keys()], wanted);
    for (const number of wanted) {
      await ahead.load(number);
      const rows = rowGroups.rows[number];
      const place = { group: done + number, at: ends[number] - rows, rows, begin, end };
      for (const [i, reader] of readers) {
        reader.beginGroup?.(place.at, rows);
        await readColumn(log.bytes, rowGroups.chunk(number, i), log.columns[i], reader, place, damage);
      }
      endGroup();
      await turn(done + number + 1, groups);
    }
    done += rowGroups.length;
    log.bytes.release();
  }
}

async function readColumn(bytes, chunk, column, reader, place, damage) {
  let seen = 0;
  try {
    const pages = new PageReader(bytes, chunk, column);
    while (place.at + seen < place.end) {
      const values = await nextPage(bytes, pages);
      if (!values) break;
      const count = Math.min(values.length, place.rows - seen);
      give(reader, values, count, place, seen);
      seen += count;
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    damage.push({ group: place.group, column: column.name, why: error.message });
  }
  const missing = Math.min(place.rows, place.end - place.at) - seen;
  if (missing > 0 && "missing" in reader) reader.missing += missing;
}

// Those of a page that are wanted.
function give(reader, values, count, { at, begin, end }, seen) {
  const first = at + seen;
  const from = Math.max(0, begin - first);
  const to = Math.min(count, end - first);
  if (to <= from) return;
  reader.take(to - from < values.length ? values.slice(from, to) : values, to - from, first + from - begin);
}
