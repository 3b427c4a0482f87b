// The times of rows, by the rules that all programs share: tests/programs/data/times.json.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { columnsOf } from "../src/log/columns.js";
import { NumberColumn, readersOfTime } from "../src/log/numbers.js";
import { endsOf, spanOf, tableOf } from "../src/log/table.js";
import { findTimeColumn, nameOfTime, proposeTimes } from "../src/log/time_column.js";
import { numbersIn, ProbedValues } from "../src/log/time_probe.js";
import { timeText } from "../src/page/text.js";

const rules = JSON.parse(readFileSync(process.env.MICROPARQUET_TIMES, "utf8"));
const UNITS = { ms: "MILLIS", us: "MICROS", ns: "NANOS" };
const PHYSICAL = {
  double: "DOUBLE",
  float: "FLOAT",
  date: "INT32",
  int96: "INT96",
  int32: "INT32",
  int64: "INT64",
  uint32: "INT32",
};

// An element of a schema, of a type as mpq has it.
function elementOf({ name, type, values }) {
  const [, kind, unit, utc] = /^(timestamp|time)\[(..)(, UTC)?\]$/.exec(type) ?? [];
  const element = {
    name,
    repetition_type: values.some(([first]) => first === null) ? "OPTIONAL" : "REQUIRED",
    type: PHYSICAL[type] ?? (type === "time[ms]" ? "INT32" : "INT64"),
  };
  if (kind) element.logical_type = { type: kind.toUpperCase(), unit: UNITS[unit], isAdjustedToUTC: utc !== undefined };
  if (type === "string") Object.assign(element, { type: "BYTE_ARRAY", logical_type: { type: "STRING" } });
  if (type === "date") element.logical_type = { type: "DATE" };
  if (type === "uint32") element.logical_type = { type: "INTEGER", bitWidth: 32, isSigned: false };
  return element;
}

// "07"; or a time as text.
function textOf(value, { form, other }) {
  if (!form) return String(value).padStart(2, "0");
  const [, ...parts] = /^(....)-(..)-(..)T(..):(..):(..)/.exec(new Date(value * 1000).toISOString());
  return value ? form.replace(/%([YmdHMS])/g, (_, letter) => parts["YmdHMS".indexOf(letter)]) : other;
}

function valuesOf(column) {
  const { type, values } = column;
  const isFloat = type === "double" || type === "float";
  const all = values.flatMap(([first, step, count]) =>
    Array.from({ length: count }, (_, i) =>
      first === null ? null : isFloat ? first + step * i : BigInt(first) + BigInt(step) * BigInt(i),
    ),
  );
  if (type === "string") return all.map((value) => textOf(Number(value), column));
  if (all.includes(null)) return all;
  return isFloat ? Float64Array.from(all) : BigInt64Array.from(all);
}

// What the page would know of a case's file.
function read({ columns: given, keys = {}, options = [] }) {
  const columns = columnsOf([{ name: "schema", num_children: given.length }, ...given.map(elementOf)]);
  const units = given.filter(({ unit }) => unit).map(({ name, unit }) => [`unit.${name}`, unit]);
  const keyValues = new Map([...Object.entries(keys), ...units]);
  const values = given.map(valuesOf);
  const probe = (column) => {
    const first = [...values[columns.indexOf(column)].slice(0, 4096)].filter((value) => value !== null);
    const { found, others, form } = numbersIn(first);
    return new ProbedValues(found, true, false, others, form);
  };
  const [option, text] = options;
  const request = option === "--time-from" ? text.split(",") : text;
  const time = findTimeColumn(columns, keyValues, probe, request);
  if (!time) return { proposals: proposeTimes(columns, keyValues, probe) };
  const rows = values[0].length;
  const parts = readersOfTime(time, rows);
  for (const reader of parts.all) reader.take(values[columns.indexOf(reader.column)].slice(), rows, 0);
  const number = new NumberColumn({ element: { type: "DOUBLE" }, scale: 0 }, rows);
  const shown = given.findIndex(({ type }) => type !== "string");
  const drawn = new Map(shown < 0 ? [] : [[shown, number]]);
  return {
    table: tableOf({ rows, columns, time, times: parts.together(), values: drawn, left: [], damage: [] }, keyValues),
  };
}

// As mpq info writes times: without zeros at the end.
function asMpq(text) {
  const found = /^(.*?)(\.\d+)? ?(UTC|s)?$/.exec(text.replace(/^(\d{4}-\d\d-\d\d) /, "$1T"));
  const [, whole, fraction = "", unit] = found;
  if (unit === "s") return `${Number(whole + fraction).toFixed(3)} s`;
  const digits = fraction.slice(1).replace(/(000)+$/, "");
  return whole + (digits ? `.${digits}` : "") + (unit ? "Z" : "");
}

for (const each of rules.cases) {
  test(each.what, () => {
    const { table, proposals } = read(each);
    if (!each.time) {
      assert.equal(table, undefined);
      const names = (each.try ?? []).map((option) => /^--time '?(.*):[a-z0-9]+'?$/.exec(option)[1]);
      assert.deepEqual(proposals.slice(0, 1), names.slice(0, 1));
      return;
    }
    assert.ok(table, `none is found; there may be ${proposals}`);
    const { time, timing, start } = table;
    const { first, last } = endsOf(table);
    const said = {
      column: nameOfTime(time),
      assumed: time.assumed || null,
      first: asMpq(timeText(first + start, time)),
      last: asMpq(timeText(last + start, time)),
      restarts: timing.restarts,
      clock_sets: timing.sets,
      steps_back: timing.stepsBack,
      newest_first: timing.isNewestFirst,
      gaps: timing.gapCount,
      missing_rows: timing.missing,
      rows_without_date: table.undated,
    };
    const numbers = { seconds: spanOf(table), interval_seconds: timing.interval / time.unitsPerSecond };
    for (const [key, value] of Object.entries(each.time)) {
      if (!(key in numbers)) assert.equal(said[key], value, key);
      else if (value !== null)
        assert.ok(Math.abs(numbers[key] - value) <= 1e-9 * Math.max(1, value), `${key} ${numbers[key]}`);
    }
    if (table.origin !== undefined)
      assert.equal(
        Math.round((table.x.at(-1) + table.origin) * 1000),
        Math.round(Number(last + start) / (time.unitsPerSecond / 1000)),
        "the last row's date",
      );
    if (timing.restarts > 0) assert.equal(table.origin, undefined, "runs that begin again have no dates on the axis");
    if (table.hasTimes)
      assert.ok(
        table.x.every((x, i) => i === 0 || x >= table.x[i - 1]),
        "the axis rises",
      );
  });
}

test("every word for a unit, for a time, and beside one", () => {
  const seconds = { ns: 1e-9, us: 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600, d: 86_400, excel: 86_400, excel1904: 86_400 };
  const names = [
    ...Object.entries(rules.units).map(([word, unit]) => [`Time (${word})`, unit]),
    ...rules.times.map((word) => [`${word}_ms`, "ms"]),
    ...rules.beside.map((word) => [`${word} Time (us)`, "us"]),
  ];
  for (const [name, unit] of names) {
    const { table } = read({ columns: [{ name, type: "int64", values: [[0, 7, 3]] }] });
    const found = table && table.timing.interval / table.time.unitsPerSecond;
    assert.ok(Math.abs(found - 7 * seconds[unit]) < 1e-9 * seconds[unit] + 1e-15, `${name}: ${found}`);
  }
});
