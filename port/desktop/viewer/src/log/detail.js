// Rows of a session that are read again: all of a part of a table that keeps only some.
import { dateRows } from "./boot_clocks.js";
import { readersOfTime } from "./numbers.js";
import { readRows } from "./rows.js";
import { Clock, offsetsOf } from "./timing.js";

export const MOST_DETAIL = 1 << 18; // rows

// {begin, end, x, times, values}: the rows from `begin`, which is kept in the table, up to `end`, and `values` by numbers of columns.
export async function readDetail(table, numbers, begin, end) {
  const { session, rowStep } = table;
  const rows = end - begin;
  const readers = new Map(numbers.map((i) => [i, session.numberReader(i, rows)]));
  const values = new Map([...readers].map(([i, reader]) => [i, reader.values]));
  const damage = []; // is known already
  if (!table.hasTimes) {
    await readRows(session.logs, readers, damage, { begin, end });
    return { begin, end, values, x: Float64Array.from({ length: rows }, (_, i) => begin + i) };
  }
  const ofTime = readersOfTime(session.time, rows);
  for (const reader of ofTime.all) readers.set(session.columns.indexOf(reader.column), reader);
  await readRows(session.logs, readers, damage, { begin, end });
  const read = ofTime.together();
  dateDetail(table, read, begin, end);
  const times = read.values;
  const kept = begin / rowStep;
  const from = { row: begin, offset: Number(table.times[kept] - table.firstTime), place: table.timing.places[kept] };
  const clock = new Clock(table.timing.habits, table.time, from);
  const x = offsetsOf(times, table.firstTime);
  for (let i = 0; i < rows; ++i) {
    const place = i === 0 ? from.place : clock.add(x[i]);
    x[i] = (place + table.begin) / table.time.unitsPerSecond;
  }
  return { begin, end, values, x, times };
}

function dateDetail({ session, datedBy }, times, begin, end) {
  if (!datedBy) return;
  session.files().forEach(({ at, rows }, i) => {
    const [from, to] = [Math.max(at, begin), Math.min(at + rows, end)];
    const boots = datedBy[i];
    if (to > from) dateRows(times, from - begin, to - from, boots, session.time, () => {}, from - at);
  });
}
