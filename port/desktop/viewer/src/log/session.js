// Files that were written one after another: a session of a logger, in one table.
import { CoarseColumn, rowStepOf } from "./coarse.js";
import { offsetOf, scaleOf } from "./facts.js";
import { ListColumn } from "./lists.js";
import { NumberColumn, readersOfTime } from "./numbers.js";
import { safePlaces } from "./read_ahead.js";
import { Marks, markColumn } from "./marks.js";
import { readRows } from "./rows.js";
import { StateColumn } from "./states.js";
import { addColumns, coarseTable, coarseTimes, tableOf } from "./table.js";
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

// The columns of points by GeoParquet, which are bytes: {geometry}.
function geometryOf(keyValues) {
  try {
    return { geometry: JSON.parse(keyValues.get("geo") ?? "{}").columns };
  } catch {
    return {};
  }
}

// Columns to draw before anybody chooses: the first ones.
export function firstChoice(logs, ofTime = new Set()) {
  const chosen = new Set();
  const { geometry = {} } = geometryOf(logs[0].keyValues);
  let bytes = 0;
  for (const [i, column] of logs[0].columns.entries()) {
    if (column.reason || ofTime.has(i) || i === markColumn(logs[0].columns) || column.name in geometry) continue;
    bytes += bytesOf(logs, i);
    if (chosen.size >= MOST_AT_FIRST || (chosen.size > 0 && bytes > MOST_BYTES_AT_FIRST)) break;
    chosen.add(i);
  }
  return chosen;
}

// Bytes that a column has in the files.
export function bytesOf(logs, i) {
  let bytes = 0;
  for (const { rowGroups, bytes: file } of logs) {
    for (let group = 0; group < rowGroups.length; ++group)
      for (const { begin, end } of safePlaces(rowGroups.chunk(group, i), file.length)) bytes += end - begin;
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
  const { rowStep } = session;
  const damage = [];
  const left = session.left();
  const files = session.files();
  const coarse = rowStep > 1 && time ? coarseTimes(time, rows, rowStep, files) : undefined;
  const ofTime = coarse?.readers ?? (time && readersOfTime(time, rows));
  const readers = new Map(ofTime?.all.map((reader) => [columns.indexOf(reader.column), reader]));
  const wanted = choice ?? firstChoice(logs, session.ofTime);
  const values = session.readersOf([...wanted].filter((i) => session.isDrawable(i)));
  for (const [i, reader] of values) readers.set(i, reader);
  const marks = session.mark === -1 ? undefined : new Marks({ ...columns[session.mark], number: session.mark });
  if (marks) readers.set(session.mark, marks);
  await readRows(logs, readers, damage, { turn, endGroup: coarse && (() => coarse.endGroup()) });
  const read = { rows, columns, time, values, left, damage, files };
  const table =
    rowStep > 1
      ? coarseTable({ ...read, rowStep, times: coarse }, keyValues)
      : tableOf({ ...read, times: ofTime?.together() }, keyValues);
  marks?.arrange(table);
  return Object.assign(table, { proposals, session, marks });
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
    Object.assign(this, { logs, rows, keyValues, time, columns: logs[0].columns, rowStep: rowStepOf(rows) });
    const columnsOfTime = time ? [...time.sources, ...(time.ticks ? [time.ticks] : [])] : [];
    this.ofTime = new Set(columnsOfTime.map(({ column }) => this.columns.indexOf(column)));
    this.mark = markColumn(this.columns); // -1: there is none
  }

  isDrawable(i) {
    return !this.columns[i].reason && !this.ofTime.has(i) && i !== this.mark;
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
    return Math.max(1, Math.floor(MOST_BYTES / 8 / Math.max(1, this.rows / this.rowStep)));
  }

  inUnit({ name }) {
    return [scaleOf(this.keyValues, name), offsetOf(this.keyValues, name)];
  }

  numberReader(i, rows) {
    return new NumberColumn(this.columns[i], rows, ...this.inUnit(this.columns[i]));
  }

  readersOf(indices) {
    const readerOf = (i) => {
      const { kind } = this.columns[i];
      if (kind === "state") return new StateColumn(this.rows);
      if (kind === "list")
        return new ListColumn(this.columns[i], this.rows, this.rowStep, ...this.inUnit(this.columns[i]));
      if (this.rowStep === 1) return this.numberReader(i, this.rows);
      return new CoarseColumn(this.columns[i], this.rows, this.rowStep, ...this.inUnit(this.columns[i]));
    };
    return new Map(indices.map((i) => [i, readerOf(i)]));
  }

  // What `work` returns, when all that was begun before is done: nobody else reads the files meanwhile.
  alone(work) {
    const result = (this.last ?? Promise.resolve()).then(work);
    this.last = result.catch(() => {});
    return result;
  }

  // Adds columns to the table.
  read(table, indices, turn) {
    return this.alone(async () => {
      const values = this.readersOf(indices);
      await readRows(this.logs, values, table.damage, { turn });
      addColumns(table, this.columns, values);
    });
  }
}
