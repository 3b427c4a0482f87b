// Files that were written one after another: a session of a logger, in one table.
import { PageReader } from "./chunk.js";
import { offsetOf, scaleOf } from "./facts.js";
import { Failure } from "./failure.js";
import { NumberColumn, timesTogether, TimeValues } from "./numbers.js";
import { ReadAhead, nextPage, safePlaces } from "./read_ahead.js";
import { addColumns, tableOf } from "./table.js";
import { findTimeColumn, proposeTimes } from "./time_column.js";
import { probeOf } from "./time_probe.js";

const MOST_BYTES = 512 << 20; // of values that a page keeps
const MOST_AT_FIRST = 12; // columns
const MOST_BYTES_AT_FIRST = 48 << 20;

function sameColumns(a, b) {
  return a.length === b.length && a.every(({ name, type }, i) => name === b[i].name && type === b[i].type);
}

// Logs in the order of their files, in lists of those that follow each other: of one folder, with the same columns, where
// device and session are the same, and neither is unknown.
export function sessionsOf(logs) {
  const sessions = [];
  for (const log of logs) {
    const last = sessions.at(-1)?.at(-1);
    const follows =
      last &&
      last.folder === log.folder &&
      log.keyValues.has("session") &&
      ["device_id", "session"].every((key) => last.keyValues.get(key) === log.keyValues.get(key)) &&
      sameColumns(last.columns, log.columns);
    if (follows) sessions.at(-1).push(log);
    else sessions.push([log]);
  }
  return sessions;
}

// Columns to draw before anybody chooses: the first ones.
export function firstChoice(logs, ofTime = new Set()) {
  const chosen = new Set();
  let bytes = 0;
  for (const [i, column] of logs[0].columns.entries()) {
    if (column.reason || ofTime.has(i)) continue;
    bytes += bytesOf(logs, i);
    if (chosen.size >= MOST_AT_FIRST || (chosen.size > 0 && bytes > MOST_BYTES_AT_FIRST)) break;
    chosen.add(i);
  }
  return chosen;
}

// Bytes that a column has in the files.
export function bytesOf(logs, i) {
  let bytes = 0;
  for (const { metadata, bytes: file } of logs) {
    for (const { columns } of metadata.row_groups)
      for (const { begin, end } of safePlaces(columns[i].meta_data, file.length)) bytes += end - begin;
  }
  return bytes;
}

// The table of a session's logs, see table.js; `damage` in it says what could not be read. Of the columns it has those whose numbers
// are in `choice`, and read() adds others. Gives the page a turn after each row group: `turn(done, all)` is awaited. `request` is what
// somebody takes for the time, see time_column.js; without it the first log may say so, see intake.js.
export async function readSession(logs, { turn, request = logs[0].timeRequest, choice } = {}) {
  const columns = logs[0].columns;
  const keyValues = new Map(logs.flatMap((log) => [...log.keyValues]));
  const { time, proposals } = await timeIn(logs[0], keyValues, request);
  const rows = logs.reduce((sum, log) => sum + log.rows, 0);
  const session = new Session(logs, rows, keyValues, time);
  const sources = time?.sources.map((source) => new TimeValues(source, rows)) ?? [];
  const readers = new Map(time?.sources.map(({ column }, k) => [columns.indexOf(column), sources[k]]));
  const damage = [];
  const left = session.left();
  const wanted = choice ?? firstChoice(logs, session.ofTime);
  const values = session.readersOf([...wanted].filter((i) => session.isDrawable(i)));
  for (const [i, reader] of values) readers.set(i, reader);
  await readRows(logs, readers, damage, turn);
  const times = time && timesTogether(time, sources);
  const files = session.files();
  const table = tableOf({ rows, columns, time, times, values, left, damage, files }, keyValues);
  return Object.assign(table, { proposals, session });
}

async function timeIn(log, keyValues, request) {
  const probe = probeOf(log.bytes, log);
  const found = await log.bytes.run(() => {
    const time = findTimeColumn(log.columns, keyValues, probe, request);
    return { time, proposals: time ? [] : proposeTimes(log.columns, keyValues, probe) };
  });
  log.bytes.release();
  return found;
}

// What a table is read from.
class Session {
  constructor(logs, rows, keyValues, time) {
    Object.assign(this, { logs, rows, keyValues, columns: logs[0].columns });
    this.ofTime = new Set(time?.sources.map(({ column }) => this.columns.indexOf(column)));
  }

  isDrawable(i) {
    return !this.columns[i].reason && !this.ofTime.has(i);
  }

  drawable() {
    return [...this.columns.keys()].filter((i) => this.isDrawable(i));
  }

  left() {
    const isLeft = ({ reason }, i) => reason && !this.ofTime.has(i);
    return this.columns.filter(isLeft).map(({ name, reason }) => ({ name, why: reason }));
  }

  files() {
    let at = 0;
    return this.logs.map(({ rows, keyValues }) => {
      const file = { at, rows, keyValues };
      at += rows;
      return file;
    });
  }

  // Columns whose values a page has room for.
  mostColumns() {
    return Math.max(1, Math.floor(MOST_BYTES / 8 / Math.max(1, this.rows)));
  }

  readersOf(indices) {
    return new Map(
      indices.map((i) => {
        const column = this.columns[i];
        const { name } = column;
        return [i, new NumberColumn(column, this.rows, scaleOf(this.keyValues, name), offsetOf(this.keyValues, name))];
      }),
    );
  }

  // Adds columns to the table.
  async read(table, indices, turn) {
    const values = this.readersOf(indices);
    await readRows(this.logs, values, table.damage, turn);
    addColumns(table, this.columns, values);
  }
}

// Gives the readers, by the numbers of their columns, the values of all rows.
async function readRows(logs, readers, damage, turn = async () => {}) {
  const groups = logs.reduce((sum, log) => sum + log.metadata.row_groups.length, 0);
  let at = 0;
  let done = 0;
  for (const log of logs) {
    const ahead = new ReadAhead(log, [...readers.keys()]);
    for (const [number, group] of log.metadata.row_groups.entries()) {
      await ahead.load(number);
      for (const [i, reader] of readers) {
        const place = { group: done, at, rows: Number(group.num_rows) };
        await readColumn(log.bytes, group.columns[i].meta_data, log.columns[i], reader, place, damage);
      }
      at += Number(group.num_rows);
      await turn(++done, groups);
    }
    log.bytes.release();
  }
}

async function readColumn(bytes, chunk, column, reader, { group, at, rows }, damage) {
  let seen = 0;
  try {
    const pages = new PageReader(bytes, chunk, column);
    for (;;) {
      const values = await nextPage(bytes, pages);
      if (!values) break;
      const taken = Math.min(values.length, rows - seen);
      reader.take(taken < values.length ? values.slice(0, taken) : values, taken, at + seen);
      seen += taken;
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    damage.push({ group, column: column.name, why: error.message });
  }
  if (seen < rows && reader instanceof TimeValues) reader.missing += rows - seen;
}
