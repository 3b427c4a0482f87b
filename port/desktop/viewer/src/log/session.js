// Files that were written one after another: a session of a logger, in one table.
import { readChunk } from "./chunk.js";
import { offsetOf, scaleOf } from "./facts.js";
import { Failure } from "./failure.js";
import { NumberColumn, timesTogether, TimeValues } from "./numbers.js";
import { tableOf } from "./table.js";
import { findTimeColumn, proposeTimes } from "./time_column.js";
import { probeOf } from "./time_probe.js";

const MOST_BYTES = 1e9; // of values that a page keeps

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

// The table of a session's logs, see table.js; `damage` in it says what could not be read. Gives the page a turn after each row
// group: `turn(done, all)` is awaited. `request` is what somebody takes for the time, see time_column.js; without it the first log may
// say so, see intake.js.
export async function readSession(logs, turn = async () => {}, request = logs[0].timeRequest) {
  const rows = logs.reduce((sum, log) => sum + log.rows, 0);
  const columns = logs[0].columns;
  const keyValues = new Map(logs.flatMap((log) => [...log.keyValues]));
  const probe = probeOf(await logs[0].bytes(), logs[0]);
  const time = findTimeColumn(columns, keyValues, probe, request);
  const proposals = time ? [] : proposeTimes(columns, keyValues, probe);
  const sources = new Map(time?.sources.map((source) => [source.column, new TimeValues(source, rows)]));
  const readers = new Map();
  let room = MOST_BYTES;
  const left = [];
  columns.forEach((column, i) => {
    const bytes = rows * (column.element.type === "FLOAT" ? 4 : 8);
    if (sources.has(column)) readers.set(i, sources.get(column));
    else if (column.reason || bytes > room) left.push({ name: column.name, why: column.reason ?? "too many values" });
    else {
      room -= bytes;
      readers.set(i, new NumberColumn(column, rows, scaleOf(keyValues, column.name), offsetOf(keyValues, column.name)));
    }
  });
  const damage = [];
  let at = 0;
  const groups = logs.reduce((sum, log) => sum + log.metadata.row_groups.length, 0);
  let done = 0;
  const files = [];
  for (const log of logs) {
    const bytes = await log.bytes();
    files.push({ at, rows: log.rows, keyValues: log.keyValues });
    for (const group of log.metadata.row_groups) {
      for (const [i, reader] of readers) {
        readColumn(bytes, group.columns[i].meta_data, columns[i], reader, at, Number(group.num_rows), damage, done);
      }
      at += Number(group.num_rows);
      await turn(++done, groups);
    }
  }
  const times = time && timesTogether(time, [...sources.values()]);
  columns.forEach((column, i) => sources.has(column) && readers.delete(i));
  return { ...tableOf({ rows, columns, time, times, values: readers, left, damage, files }, keyValues), proposals };
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
