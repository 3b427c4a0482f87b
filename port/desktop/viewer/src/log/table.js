// The rows of a session, as they are drawn.
import { instantOf } from "./facts.js";
import { isNumberColumn } from "./time_column.js";
import { numbersMissing, offsetsOf, timingOf } from "./timing.js";

const SECONDS_OF_DAY = 86_400n;
const NANOS = 1_000_000_000n;

// `read` is {rows, columns, time, values, left, damage}, with the values of columns by their index; `keyValues` say when the
// clock's time 0 was, where it counts from another one than 1970. The table is
// {rows, columns, left, damage, time, times, start, lastTime, timesMissing, timing, hasTimes, x, numbersMissing}: `columns` are
// those to draw, `start` what is to be added to `times`, and `x` seconds, or row numbers where no column has times in order.
export function tableOf(read, keyValues) {
  const { rows, columns, values, left, damage } = read;
  const times = read.time && values.get(columns.indexOf(read.time.column));
  const table = { rows, left, damage, columns: [], time: read.time, times: times?.values, start: 0n };
  for (const [i, each] of values) {
    if (each !== times) table.columns.push({ ...columns[i], values: each.values });
  }
  if (times) setStart(table, keyValues);
  const offsets = times && times.missing === 0 && rows > 0 ? offsetsOf(times.values) : undefined;
  table.timing = offsets && timingOf(offsets);
  table.hasTimes = offsets !== undefined && table.timing.stepsBack === 0;
  table.lastTime = latest(table.times);
  table.timesMissing = times?.missing ?? 0;
  table.x = table.hasTimes ? secondsOf(offsets, table) : Float64Array.from({ length: rows }, (_, i) => i);
  const numbers = table.columns.find(isNumberColumn);
  table.numbersMissing = numbers && numbersMissing(numbers.values);
  return table;
}

function setStart(table, keyValues) {
  const startedAt = table.time.since1970 ? undefined : instantOf(keyValues.get("started_at"));
  if (startedAt === undefined) return;
  table.start = startedAt / (NANOS / BigInt(table.time.unitsPerSecond));
  table.time = { ...table.time, since1970: true, isUtc: true };
}

function latest(times) {
  if (!times?.length) return undefined;
  let last = times[times.length - 1];
  for (const time of times) if (time > last) last = time;
  return last;
}

// Seconds as the clock has them; since the first row's midnight where the date is known, so that the axis has round hours and
// loses no digit.
function secondsOf(offsets, { time, times, start }) {
  const day = SECONDS_OF_DAY * BigInt(time.unitsPerSecond);
  const first = times[0] + start;
  const begin = Number(time.since1970 ? ((first % day) + day) % day : first);
  for (let i = 0; i < offsets.length; ++i) offsets[i] = (offsets[i] + begin) / time.unitsPerSecond;
  return offsets;
}
