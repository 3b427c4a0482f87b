// Times that stand in several columns: a date and a time of day, the parts of a date, seconds and a fraction.
const NANOS = 1_000_000_000;
const PER_SECOND = { millis: 1_000, micros: 1_000_000, nanos: NANOS };
const SECONDS = { hour: 3_600, minute: 60 };
const SMALLER = ["hour", "minute", "second", "millis", "micros", "nanos"];
const CALENDAR = ["year", "month", "day", "day of year"];
const CLOCKS = ["clock minutes", "clock digits"];
const FRACTIONS = Object.keys(PER_SECOND);

// "time", "Date and Time".
export function nameOfTime({ sources }) {
  const names = sources.map(({ column }) => column.name);
  return names.length < 2 ? names[0] : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

export function isInteger(column) {
  const isIntegerType = column.element.type === "INT32" || column.element.type === "INT64";
  return !column.isNested && isIntegerType && (!column.logical || column.logical.type === "INTEGER");
}

export function isFloating(column) {
  return !column.isNested && ["FLOAT", "DOUBLE"].includes(column.element.type);
}

export function isNumber(column) {
  return isInteger(column) || isFloating(column);
}

// Whether that many seconds since 1970 lie in the years from 2000 to 2099.
export function isNearNow(seconds) {
  return seconds >= 946_684_800 && seconds < 4_102_444_800;
}

const isOf = (type) => (each) => !each.column.isNested && each.column.logical?.type === type;
const hasTexts = (each, form, probe) => isText(each.column) && probe(each.column).form === form;

// A date and a time of day: the only ones, or the first whose names differ in just these words.
export function dateAndTime(all, probe) {
  const dates = all.filter((each) => isOf("DATE")(each) || hasTexts(each, "date", probe));
  const isTimeOfDay = (each) => isOf("TIME")(each) || hasTexts(each, "time of day", probe);
  const times = all.filter((each) => isTimeOfDay(each) && !each.name.isFromStart);
  if (dates.length === 1 && times.length === 1) return [dates[0], times[0]];
  for (const date of dates) {
    const time = times.find(({ name }) => name.about === date.name.about);
    if (time) return [date, time];
  }
  return [];
}

// Parts are numbers, or text for the zeros that they begin with.
export function mayBePart(column) {
  return isNumber(column) || isText(column);
}

export function isText(column) {
  return !column.isNested && column.logical?.type === "STRING";
}

// Whether the values are dates as numbers such as 20240331, days of years such as 2024091, or times of day such as 235959.
function areDates(values) {
  const isDate = (value) => {
    const [month, day] = [Math.floor(value / 100) % 100, value % 100];
    return Number.isInteger(value) && month >= 1 && month <= 12 && day >= 1 && day <= 31;
  };
  return values.liesWithin(19_700_101, 20_991_231) && values.values.every(isDate);
}

function areYearDays(values) {
  const isDay = (value) => Number.isInteger(value) && value % 1_000 >= 1 && value % 1_000 <= 366;
  return values.liesWithin(1_970_001, 2_099_366) && values.values.every(isDay);
}

function areClocks(values) {
  const isClock = (value) => Math.floor(value / 100) % 100 < 60 && Math.floor(value) % 100 < 60;
  return values.liesWithin(0, 240_000) && values.values.every(isClock);
}

// Which digits of times of day a column has: by its name, or by the name of a time and its values; undefined: none.
function clockOf({ column, name, said }, probe) {
  if (!mayBePart(column) || (said ?? name.unit)) return undefined;
  const values = probe(column);
  const areMinutes = values.liesWithin(0, 2_400);
  const isMinutes = (value) => Number.isInteger(value) && value % 100 < 60;
  if (name.part === "clock minutes" && name.isPlain && areMinutes && values.values.every(isMinutes)) return name.part;
  const isNamed = name.part === "clock digits" && name.isPlain;
  if ((!isNamed && (!name.isTime || values.liesWithin(0, 99))) || !areClocks(values)) return undefined;
  return !isNamed && areMinutes ? "clock minutes" : "clock digits";
}

const withPart = (each, part) => ({ ...each, name: { ...each.name, part } });

// The first such column, whose part its name then says.
function clockDigits(all, probe) {
  const found = all.find((each) => clockOf(each, probe));
  return found ? [withPart(found, clockOf(found, probe))] : [];
}

// A date by its parts or its type, and the time of day beside it: its parts, the largest first, its digits, or the seconds of the day.
export function partsOfDate(all, probe) {
  const parts = new Map();
  for (const each of all) {
    const { part, isPlain } = each.name;
    if (mayBePart(each.column) && part && isPlain && !parts.has(part)) parts.set(part, each);
  }
  const isWithin = (part, least, most) => parts.has(part) && probe(parts.get(part).column).liesWithin(least, most);
  let smaller = [];
  for (const part of SMALLER.filter((each) => parts.has(each))) {
    const before = smaller.at(-1)?.name.part;
    const follows = before
      ? before === "second" || SMALLER.indexOf(before) + 1 === SMALLER.indexOf(part)
      : part === "hour";
    const most = part === "hour" ? 24 : 60 * (PER_SECOND[part] ?? 1);
    if (follows && isWithin(part, 0, most)) smaller.push(parts.get(part));
  }
  if (!smaller.length) smaller = clockDigits(all, probe);
  const isOfDay = !parts.has("hour") && !parts.has("minute") && isWithin("second", 0, 86_400);
  if (!smaller.length && isOfDay && !isWithin("second", 0, 60)) smaller = [parts.get("second")];
  const dates = all.filter(isOf("DATE"));
  if (dates.length === 1 && smaller.length > 0) return [dates[0], ...smaller];
  const date = dateOf(parts, isWithin);
  return date.length ? [...date, ...smaller] : [];
}

// The year and what says its day.
function dateOf(parts, isWithin) {
  if (!isWithin("year", 0, 2_100)) return [];
  const year = parts.get("year");
  if (isWithin("month", 1, 12) && isWithin("day", 1, 31)) return [year, parts.get("month"), parts.get("day")];
  if (isWithin("day of year", 1, 367)) return [year, parts.get("day of year")];
  // Days without a month are those of the year where one is beyond 31.
  if (!parts.has("month") && isWithin("day", 1, 367) && !isWithin("day", 1, 32))
    return [year, withPart(parts.get("day"), "day of year")];
  return [];
}

// Seconds and what is left of one, beside each other.
export function secondsAndFraction(all, probe) {
  for (let i = 0; i + 1 < all.length; ++i) {
    const [seconds, fraction] = [all[i], all[i + 1]];
    const areNamed =
      seconds.name.part === "second" &&
      FRACTIONS.includes(fraction.name.part) &&
      seconds.name.isPlain &&
      fraction.name.isPlain &&
      seconds.name.about === fraction.name.about;
    const most = PER_SECOND[fraction.name.part] - 1;
    if (
      areNamed &&
      isInteger(seconds.column) &&
      isInteger(fraction.column) &&
      probe(fraction.column).liesWithin(0, most)
    )
      return [seconds, fraction];
  }
  return [];
}

// Units a second that a column needs, for none of its values to lose anything.
function neededUnits({ column, name }, probe) {
  if (isText(column) && probe(column).form) return NANOS;
  if (column.unitsPerSecond) return column.unitsPerSecond;
  if (name.part === "day of year" && isFloating(column)) return 1_000_000; // a day's fraction in floating point has no more
  return isFloating(column) || column.element.type === "INT96" ? NANOS : (PER_SECOND[name.part] ?? 1);
}

function sourceOf({ column, name }, perSecond, probe) {
  if (isText(column) && probe(column).form) return { column, kind: "text", factor: 1, form: probe(column).form };
  if (column.element.type === "INT96") return { column, kind: "count", factor: 1 };
  if (column.logical?.type === "DATE") return { column, kind: "count", factor: 86_400 * perSecond };
  if (column.unitsPerSecond) return { column, kind: "count", factor: perSecond / column.unitsPerSecond };
  if (name.part === "day of year") return { column, kind: name.part, factor: 86_400 * perSecond };
  if (CALENDAR.includes(name.part)) return { column, kind: name.part, factor: 1 };
  if (CLOCKS.includes(name.part)) return { column, kind: name.part, factor: perSecond };
  const factor = (perSecond * (SECONDS[name.part] ?? 1)) / (PER_SECOND[name.part] ?? 1);
  return { column, kind: "count", factor };
}

// A date and a time of day as numbers of their digits; undefined: there are none.
export function timeOfDigits(all, probe) {
  const isDate = ({ column, name }) =>
    mayBePart(column) && name.isDate && (areDates(probe(column)) || areYearDays(probe(column)));
  const date = all.find(isDate);
  const [clock] = clockDigits(all, probe);
  if (!date || !clock || clock.column === date.column) return undefined;
  const unitsPerSecond = isFloating(clock.column) ? NANOS : 1;
  const kindOfDate = areDates(probe(date.column)) ? "date digits" : "year day digits";
  return {
    sources: [
      { column: date.column, kind: kindOfDate, factor: unitsPerSecond },
      { column: clock.column, kind: clock.name.part, factor: unitsPerSecond },
    ],
    ...{ kind: "since 1970", unitsPerSecond, isUtc: false, wrapsAt: 0 },
    assumed: `${nameOfTime({ sources: [date, clock] })} are taken together, as digits of a date and a time of day`,
  };
}

// What the values say of parts: digits of a time of day, and days of the year where there is no month.
function partsAskedFor(columns, probe) {
  const hasMonth = columns.some(({ name }) => name.part === "month");
  return columns.map((each) => {
    if (!mayBePart(each.column)) return each;
    if (each.name.part === "day" && !hasMonth && columns.length > 1) return withPart(each, "day of year");
    return each.name.part ? each : withPart(each, clockOf(each, probe));
  });
}

// The time of these columns.
export function timeFrom(given, probe) {
  const ofDigits = given.length === 2 && timeOfDigits(given, probe);
  if (ofDigits) return ofDigits;
  const columns = partsAskedFor(given, probe);
  const perSecond = Math.max(...columns.map((each) => neededUnits(each, probe)));
  const formOf = ({ column }) => (isText(column) ? probe(column).form : undefined);
  const hasDate = columns.some(
    ({ column, name }) =>
      ["date", "local", "zoned"].includes(formOf({ column })) ||
      ["DATE", "TIMESTAMP"].includes(column.logical?.type) ||
      column.element.type === "INT96" ||
      (mayBePart(column) && CALENDAR.includes(name.part)),
  );
  const isClock = ({ column, name }) =>
    column.logical?.type === "TIME" ||
    formOf({ column }) === "time of day" ||
    name.part === "hour" ||
    CLOCKS.includes(name.part);
  const hasClock = columns.some(isClock);
  const [first] = columns;
  const isNear = !hasDate && !hasClock && first.name.part === "second" && isNearNow(probe(first.column).median);
  return {
    sources: columns.map((each) => sourceOf(each, perSecond, probe)),
    kind: hasDate || isNear ? "since 1970" : hasClock ? "time of day" : "from start",
    unitsPerSecond: perSecond,
    isUtc:
      isNear || columns.some(({ column }) => column.logical?.isAdjustedToUTC && column.logical.type === "TIMESTAMP"),
    wrapsAt: 0,
    assumed: `${nameOfTime({ sources: columns })} are taken together`,
  };
}
