// Finds the columns with the times of the rows, and the column that counts them. The rules are those of `mpq info`, a table of
// which is tests/programs/data/times.json.
import { clocksOf } from "./boot_clocks.js";
import { clockUnit, FIRST_DAY, NANOS_IN, timeName } from "./time_name.js";
export { nameOfTime } from "./time_parts.js";
import {
  dateAndTime,
  isFloating,
  isInteger,
  isNumber,
  isNearNow,
  isText,
  mayBePart,
  secondsAndFraction,
  partsOfDate,
  timeFrom,
  timeOfDigits,
} from "./time_parts.js";

const NANOS = 1_000_000_000;
const NUMBER_NAMES = ["number", "seq", "sequence", "counter", "sample", "sample_number"];
const OFTEN = 1_000; // seconds: whoever counts these has rows more often, or at whole minutes
const WAYS = [
  "called",
  "timestamp",
  "text",
  "parts",
  "near now",
  "unit",
  "floating",
  "time of day",
  "date",
  "rising",
  "constant",
];

function timeOf(column, kind, factor = 1, unitsPerSecond = NANOS) {
  return { sources: [{ column, kind: "count", factor }], kind, unitsPerSecond, isUtc: false, wrapsAt: 0, assumed: "" };
}

// A number as days since a date, in microseconds: a fraction of a day in floating point has no more.
function daysSince(first, column) {
  const perSecond = isFloating(column) ? 1_000_000 : 1;
  const factor = 86_400 * perSecond;
  const time = timeOf(column, "since 1970", factor, perSecond);
  time.sources[0].offset = first * factor;
  return time;
}

// A number as a count of `unit`; floating point is taken in nanoseconds.
function countOf(column, unit) {
  if (unit in FIRST_DAY) return daysSince(FIRST_DAY[unit], column);
  const nanos = NANOS_IN[unit];
  if (isFloating(column)) return timeOf(column, "from start", nanos);
  const time = timeOf(column, "from start", Math.max(1, nanos / NANOS), Math.max(1, NANOS / nanos));
  return { ...time, wrapsAt: unit === "ms" || unit === "us" ? 2 ** 32 : 0 };
}

// A time by a column's type alone; undefined: it is a number, or something else.
function typedTime(column) {
  if (column.isNested) return undefined;
  if (column.element.type === "INT96") return timeOf(column, "since 1970");
  switch (column.logical?.type) {
    case "DATE":
      return timeOf(column, "since 1970", 86_400, 1);
    case "TIMESTAMP":
      return {
        ...timeOf(column, "since 1970", 1, column.unitsPerSecond),
        isUtc: column.logical.isAdjustedToUTC === true,
      };
    case "TIME":
      return timeOf(column, "time of day", 1, column.unitsPerSecond);
    default:
      return undefined;
  }
}

// A time whose texts all have one form; undefined: it has no such texts.
function textTime(column, { form }) {
  if (!form) return undefined;
  const time = timeOf(column, form === "time of day" ? form : "since 1970");
  Object.assign(time.sources[0], { kind: "text", form });
  return { ...time, isUtc: form === "zoned", assumed: `${column.name} has its times as text` };
}

// The unit in which numbers lie near now, `known` if there is one.
function unitNearNow(values, known) {
  return ["s", "ms", "us", "ns"].find((unit) => {
    const mayBe = known || unit !== "s" || values.interval < OFTEN || values.areMultiplesOf(60);
    return (!known || known === unit) && isNearNow((values.median * NANOS_IN[unit]) / NANOS) && mayBe;
  });
}

// Whether the values may be the days of a spreadsheet from 2000 to 2040. Later ones may as well be Modified Julian Days of now.
function mayBeSerialDays({ values }) {
  return values.length > 0 && values.every((value) => value >= 36_526 && value < 51_544);
}

// They are where they are called dates and have parts of days: whole numbers may be a date's digits.
function serialDays({ column, name }, values) {
  if (!name.isDate || !isFloating(column) || values.areMultiplesOf(1) || !mayBeSerialDays(values)) return undefined;
  return { ...countOf(column, "excel"), assumed: `${column.name} counts days since 1899-12-30, as spreadsheets do` };
}

function numberTime({ column, name, said }, values, given, isAsked) {
  const unit = given ?? said ?? name.unit;
  const days = unit ? undefined : serialDays({ column, name }, values);
  if (days) return days;
  if (!isAsked && !name.isTime && !(unit in FIRST_DAY && name.isDate)) return undefined;
  const near = unitNearNow(values, unit);
  if (near) {
    const assumed = `${column.name} counts ${near} since 1970, as its values lie near now`;
    return { ...countOf(column, near), kind: "since 1970", isUtc: true, wrapsAt: 0, assumed };
  }
  if (unit) return countOf(column, unit);
  if (!isAsked && !isFloating(column)) return undefined;
  return { ...countOf(column, "s"), wrapsAt: 0, assumed: `${column.name} counts s, as nothing says its unit` };
}

// `columns` with what the file says of them as times.
function named(columns, keyValues) {
  return columns.map((column) => ({
    column,
    name: timeName(column.name),
    said: clockUnit(keyValues.get(`unit.${column.name}`)),
  }));
}

// Whether first values of it decide on whether it is a time.
function isAsked({ column, name, said }) {
  const isCalled = name.isTime || name.isDate || said || name.part;
  const isPart = mayBePart(column) && ((name.isPlain && isCalled) || (isText(column) && name.mentions));
  return Boolean(typedTime(column) || (isNumber(column) && isCalled) || isPart);
}

function wayOf({ column, name, said }, time) {
  if (column.logical?.type === "TIME") return "time of day";
  if (column.logical?.type === "DATE") return "date";
  if (!isNumber(column)) return name.isTime ? "called" : "timestamp";
  return time.kind === "since 1970" ? "near now" : (said ?? name.unit) ? "unit" : "floating";
}

// A time of texts, {time, way}; undefined: the column has none, or may have others.
function textCandidate({ column, name }, values) {
  const time = isText(column) ? textTime(column, values) : undefined;
  const isClear = ["local", "zoned"].includes(values.form);
  if (!time || !(isClear || name.isTime || name.isDate)) return undefined;
  return { time, way: !values.vary ? "constant" : isClear ? "text" : values.form };
}

function candidates(all, probe) {
  const found = all.map((each) => textCandidate(each, probe(each.column))).filter(Boolean);
  for (const each of all.filter(({ column }) => !isText(column))) {
    const values = probe(each.column);
    const number = isNumber(each.column) ? numberTime(each, values) : undefined;
    const time = typedTime(each.column) ?? number;
    const way = time && wayOf(each, time);
    if (time) found.push({ time, way: values.vary ? way : "constant" });
    else if (each.said && values.goOneWay) found.push({ time: countOf(each.column, each.said), way: "rising" });
  }
  const parts = [dateAndTime(all, probe), partsOfDate(all, probe), secondsAndFraction(all, probe)].find(
    (list) => list.length,
  );
  const together = parts ? timeFrom(parts, probe) : timeOfDigits(all, probe);
  if (together) found.push({ time: together, way: "parts" });
  return found;
}

function bareNumbers(all, probe) {
  return all.filter(
    ({ column, name, said }) => isNumber(column) && name.isTime && !(said ?? name.unit) && probe(column).vary,
  );
}

// The time of a column that somebody names, "NAME" or "NAME:us", or of several, ["DATE", "TIME"]; undefined: there is none.
function askedTime(columns, keyValues, probe, request) {
  if (Array.isArray(request)) {
    const together = named(columns, keyValues).filter(({ column }) => request.includes(column.name));
    together.sort((a, b) => request.indexOf(a.column.name) - request.indexOf(b.column.name));
    return together.length === request.length ? timeFrom(together, probe) : undefined;
  }
  const whole = columns.find(({ name }) => name === request);
  const [, begin, unit] = whole ? [] : (/^(.*):([^:]*)$/s.exec(request) ?? []);
  const column = whole ?? columns.find(({ name }) => name === begin);
  if (!column) return undefined;
  const typed = typedTime(column);
  const [each] = named([column], keyValues);
  if (isText(column)) return textTime(column, probe(column));
  return typed ?? (isNumber(column) ? numberTime(each, probe(column), clockUnit(unit), true) : undefined);
}

// {sources, kind, unitsPerSecond, isUtc, wrapsAt, assumed, ticks}: of each source the values times `factor` are to be added, or are a year,
// a month or a day; `kind` is "since 1970", "from start" or "time of day". `probe(column)` is ProbedValues of it, and `request` says
// who asks for which, see askedTime(). Undefined: there is none.
export function findTimeColumn(columns, keyValues, probe, request) {
  const all = named(columns, keyValues).filter(isAsked);
  const inOrder = () => candidates(all, probe).sort((a, b) => WAYS.indexOf(a.way) - WAYS.indexOf(b.way));
  const asked = request && askedTime(columns, keyValues, probe, request);
  if (asked) return withTicks(asked, inOrder, keyValues);
  const found = inOrder();
  if (!found.length || (found[0].way === "constant" && bareNumbers(all, probe).length)) return undefined;
  return withTicks(found[0].time, () => found, keyValues);
}

// Where clock anchors date what a column counts from the start of each boot, the rows of a timestamp that are null until the device
// learned the time have dates by it.
function withTicks(time, inOrder, keyValues) {
  const [{ column }] = time.sources;
  const isTimestamp = time.sources.length === 1 && column.logical?.type === "TIMESTAMP" && time.isUtc;
  if (!isTimestamp || !column.isOptional || clocksOf(keyValues).length === 0) return time;
  const isCount = ({ sources: [{ kind }], ...each }) => each.kind === "from start" && kind === "count";
  const counted = inOrder().find((each) => each.time.sources.length === 1 && isCount(each.time))?.time;
  return counted ? { ...time, ticks: { ...counted.sources[0], unitsPerSecond: counted.unitsPerSecond } } : time;
}

// Numbers that may be times, where none was found.
export function proposeTimes(columns, keyValues, probe) {
  const all = named(columns, keyValues).filter(isAsked);
  const isSerial = ({ column, name, said }) =>
    isNumber(column) && (name.isTime || name.isDate) && !(said ?? name.unit) && mayBeSerialDays(probe(column));
  const bare = [...new Set([...all.filter(isSerial), ...bareNumbers(all, probe)])];
  if (bare.length) return bare.map(({ column }) => column.name);
  const rising = columns.filter((column) => isInteger(column) && probe(column).countOn);
  return (rising.length < 3 ? rising : rising.filter(({ name }) => timeName(name).mentions)).map(({ name }) => name);
}

// Whether it numbers the rows when they are taken, so that missing ones show.
export function isNumberColumn(column) {
  return isInteger(column) && NUMBER_NAMES.includes(column.name.replace(/ /g, "_").toLowerCase());
}
