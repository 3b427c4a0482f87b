// Files that were written one after another: a session of a logger, in one table.
import { readChunk } from "./chunk.js";
import { Failure } from "./failure.js";
import { NumberColumn, TimeValues } from "./numbers.js";
import { findTimeColumn } from "./time_column.js";
import { offsetsOf, timingOf } from "./timing.js";

const MOST_VALUES = 200_000_000; // that a page keeps

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

// One table of the logs of a session: {rows, columns, time, times, lastTime, x, timing, damage}. `columns` are those to draw,
// with their `values`; `x` are seconds, or row numbers where no column has times in order. `damage` says what could not be read.
// Gives the page a turn after each row group: `turn(done, all)` is awaited.
export async function readSession(logs, turn = async () => {}) {
  const rows = logs.reduce((sum, log) => sum + log.rows, 0);
  const columns = logs[0].columns;
  const time = findTimeColumn(columns);
  const readers = new Map();
  let room = MOST_VALUES;
  const left = [];
  columns.forEach((column, i) => {
    if (column === time?.column) readers.set(i, new TimeValues(column, rows));
    else if (!column.reason && (room -= rows) >= 0) readers.set(i, new NumberColumn(column, rows));
    else left.push({ name: column.name, why: column.reason ?? "too many values for a page" });
  });
  const damage = [];
  let at = 0;
  const groups = logs.reduce((sum, log) => sum + log.metadata.row_groups.length, 0);
  let done = 0;
  for (const log of logs) {
    const bytes = await log.bytes();
    for (const group of log.metadata.row_groups) {
      for (const [i, reader] of readers) {
        readColumn(bytes, group.columns[i].meta_data, columns[i], reader, at, Number(group.num_rows), damage, done);
      }
      at += Number(group.num_rows);
      await turn(++done, groups);
    }
  }
  return tableOf(rows, columns, time, readers, left, damage);
}

function readColumn(bytes, chunk, column, reader, at, rows, damage, group) {
  let seen = 0;
  try {
    readChunk(bytes, chunk, column, (values, count) => {
      const taken = Math.min(count, rows - seen);
      reader.take(taken < count ? values.slice(0, taken) : values, taken, at + seen);
      seen += taken;
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    damage.push({ group, column: column.name, why: error.message });
  }
  if (seen < rows && reader instanceof TimeValues) reader.missing += rows - seen;
}

function tableOf(rows, columns, time, readers, left, damage) {
  const times = time && readers.get(columns.indexOf(time.column));
  const table = { rows, time, left, damage, columns: [], times: times?.values };
  for (const [i, reader] of readers) {
    if (reader !== times) table.columns.push({ ...columns[i], values: reader.values });
  }
  const offsets = times && times.missing === 0 && rows > 0 ? offsetsOf(times.values) : undefined;
  table.timing = offsets && timingOf(offsets);
  table.hasTimes = offsets !== undefined && table.timing.stepsBack === 0;
  table.lastTime = latest(times?.values);
  table.timesMissing = times?.missing ?? 0;
  table.x = table.hasTimes
    ? secondsOf(offsets, times.values[0], time)
    : Float64Array.from({ length: rows }, (_, i) => i);
  return table;
}

function latest(times) {
  if (!times?.length) return undefined;
  let last = times[times.length - 1];
  for (const time of times) if (time > last) last = time;
  return last;
}

const SECONDS_OF_DAY = 86_400n;

// Seconds as the clock has them; since the first row's midnight where the date is known, so that the axis has round hours and
// loses no digit.
function secondsOf(offsets, first, time) {
  const day = SECONDS_OF_DAY * BigInt(time.unitsPerSecond);
  const begin = Number(time.since1970 ? ((first % day) + day) % day : first);
  const x = offsets;
  for (let i = 0; i < x.length; ++i) x[i] = (x[i] + begin) / time.unitsPerSecond;
  return x;
}
