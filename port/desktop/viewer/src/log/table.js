// The rows of a session, as they are drawn.
import { CoarseTimes } from "./coarse.js";
import { clocksOf, dateAll, dateRows } from "./boot_clocks.js";
import { instantOf } from "./facts.js";
import { isNumberColumn } from "./time_column.js";
import { numbersMissing, offsetsOf, timingOf } from "./timing.js";

const SECONDS_OF_DAY = 86_400n;
const NANOS = 1_000_000_000n;

// `read` is {rows, columns, time, times, values, left, damage, files}, with the values of columns by their index; `keyValues` say
// when the clock's time 0 was, where it counts from another one than 1970, and `files`, {at, rows, keyValues} of each file, when boots
// were. The table is {rows, columns, left, damage, time, times, start, timesMissing, timing, hasTimes, x, numbersMissing, rowNumbers,
// undated}: `columns` are those to draw, `start` what is to be added to `times`, and `x` seconds, or row numbers where no column has
// times in order. Where the newest row is the first, all is reversed. Where some boots have dates, the `undated` rows of others are
// left out, and `rowNumbers` are those of the rest.
export function tableOf(read, keyValues) {
  const { columns, values, left, damage, times, files = [{ at: 0, rows: read.rows, keyValues }] } = read;
  const table = { rows: read.rows, left, damage, columns: [], time: read.time, times: times?.values, start: 0n };
  table.undated = 0;
  if (times) setDates(table, files, times);
  if (times) setStart(table, keyValues);
  const { rows } = table;
  const isTimed = times && times.missing === 0 && rows > 0;
  table.timing = isTimed ? timingOf(offsetsOf(table.times), table.time) : undefined;
  if (table.timing?.isNewestFirst) table.times.reverse();
  table.timesMissing = times?.missing ?? 0;
  table.allRows = rows;
  return drawnOf(table, columns, values);
}

// The table with its axis and its columns.
function drawnOf(table, columns, values) {
  const { rows, rowStep = 1, timing } = table;
  table.hasTimes = timing !== undefined && timing.stepsBack === timing.restarts;
  table.x = table.hasTimes ? secondsOf(table) : Float64Array.from({ length: rows }, (_, i) => i * rowStep);
  addColumns(table, columns, values);
  return table;
}

// Adds the values of columns, by their numbers, to those that the table has, in the order of the file.
export function addColumns(table, columns, values) {
  for (const [i, reader] of values) {
    if (columns[i].kind === "state") {
      reader.finish();
      const runs = reader.arranged(table.isDated, table.timing?.isNewestFirst);
      table.columns.push({ ...columns[i], number: i, runs });
      continue;
    }
    if (columns[i].kind === "list") {
      table.columns.push({ ...columns[i], number: i, list: reader });
      continue;
    }
    const dated = table.isDated ? reader.values.filter(table.isDated) : reader.values;
    if (table.timing?.isNewestFirst) dated.reverse();
    table.columns.push({ ...columns[i], number: i, values: dated, reader });
  }
  table.columns.sort((a, b) => a.number - b.number);
  const numbers = table.columns.find(isNumberColumn);
  table.numbersMissing =
    numbers && (numbers.reader.missingNumbers ? numbers.reader.missingNumbers() : numbersMissing(numbers.values));
}

// The readers of the times of a session of which each `rowStep`th row is kept; they have dates where all rows do.
export function coarseTimes(time, rows, rowStep, files) {
  const clocks = files.map((file) => clocksOf(file.keyValues));
  const isCounted = time.kind === "from start" && files.every((file, i) => dateAll(clocks[i], file.rows));
  return new CoarseTimes(time, rows, rowStep, files, isCounted || time.ticks ? clocks : undefined);
}

// The table of such a session: its rows are those that are kept, of `allRows`, each `rowStep` of the files'.
export function coarseTable({ rows, rowStep, columns, times, values, left, damage }, keyValues) {
  const read = times?.finish();
  const kept = Math.ceil(rows / rowStep);
  const table = { rows: kept, allRows: rows, rowStep, left, damage, columns: [], start: 0n, undated: 0 };
  table.timesMissing = read?.missing ?? 0;
  table.time = times && (times.clocks ? { ...times.time, kind: "since 1970", isUtc: true, wrapsAt: 0 } : times.time);
  Object.assign(table, { times: read?.times, ends: read?.ends });
  if (table.time) setStart(table, keyValues);
  table.timing = table.timesMissing === 0 ? read?.timing : undefined;
  Object.assign(table, { firstTime: times?.first, datedBy: times?.clocks });
  return drawnOf(table, columns, values);
}

// Makes dates of the ticks of boots that know the time, and leaves out the rows of others, if there are both.
function setDates(table, files, read) {
  const { time, times } = table;
  const clocks = files.map((file) => clocksOf(file.keyValues));
  const isCounted = time.kind === "from start" && read.missing === 0;
  if (!(isCounted || time.ticks) || !clocks.some((boots) => boots.length)) return;
  const dated = times.slice();
  const undated = new Set();
  files.forEach(({ at, rows }, i) => {
    dateRows({ ...read, values: dated }, at, rows, clocks[i], time, (row) => undated.add(row));
  });
  if (undated.size === times.length) return;
  if (time.ticks) read.missing = 0;
  table.time = { ...time, kind: "since 1970", isUtc: true, wrapsAt: 0 };
  table.times = dated;
  if (undated.size === 0) return;
  const isDated = (_, row) => !undated.has(row);
  table.isDated = isDated;
  table.undated = undated.size;
  table.rowNumbers = Float64Array.from(times.keys(), (row) => row + 1).filter(isDated);
  table.rows = table.rowNumbers.length;
  table.times = dated.filter(isDated);
}

function setStart(table, keyValues) {
  const startedAt = table.time.kind === "from start" ? instantOf(keyValues.get("started_at")) : undefined;
  if (startedAt === undefined) return;
  table.start = startedAt / (NANOS / BigInt(table.time.unitsPerSecond));
  table.time = { ...table.time, kind: "since 1970", isUtc: true };
}

// The number of a row in its file, counted from 1.
export function numberOfRow({ rows, timing, rowNumbers, rowStep }, row) {
  if (rowStep) return row * rowStep + 1;
  const inOrder = timing?.isNewestFirst ? rows - 1 - row : row;
  return rowNumbers ? rowNumbers[inOrder] : inOrder + 1;
}

// Seconds from the first row to the last; of several runs of the clock the sum.
export function spanOf({ time, timing }) {
  const { least, most, interval, runs } = timing;
  return (most.place - least.place - interval * runs.length) / time.unitsPerSecond;
}

// The first time and the last, which are not those of the file's first and last row where rows changed places.
export function endsOf({ timing: { least, most }, times, ends }) {
  return ends ?? { first: times[least.row], last: times[most.row] };
}

// Seconds as the clock has them; since a midnight where the date or the time of day is known, so that the axis has round hours and
// loses no digit: of the newest rows for dates, as the clock may have been set, else of the first.
function secondsOf(table) {
  const { time, times, timing, start } = table;
  const day = SECONDS_OF_DAY * BigInt(time.unitsPerSecond);
  const { places } = timing;
  const isDate = time.kind === "since 1970";
  const last = places.length - 1;
  const first = isDate ? times[last] + start - BigInt(Math.round(places[last] - places[0])) : times[0] + start;
  const begin = Number(time.kind === "from start" ? first : ((first % day) + day) % day) - places[0];
  table.begin = begin;
  // Runs that begin again stand one after another: the axis has no dates then.
  if (isDate && timing.restarts === 0)
    table.origin = Number((first - (((first % day) + day) % day)) / BigInt(time.unitsPerSecond));
  const x = new Float64Array(places.length);
  for (let i = 0; i < places.length; ++i) x[i] = (places[i] + begin) / time.unitsPerSecond;
  return x;
}
