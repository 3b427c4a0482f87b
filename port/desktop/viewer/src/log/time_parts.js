// Times that stand in several columns: a date and a time of day, the parts of a date, seconds and a fraction.
const NANOS = 1_000_000_000;
const PER_SECOND = { millis: 1_000, micros: 1_000_000, nanos: NANOS };
const SECONDS = { hour: 3_600, minute: 60 };
const PARTS = ["year", "month", "day", "hour", "minute", "second", "millis", "micros", "nanos"];
const CALENDAR = ["year", "month", "day"];
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
const isTimeOfDay = (each) => isOf("TIME")(each) && !each.name.isFromStart;

// A date and a time of day: the only ones, or the first whose names differ in just these words.
export function dateAndTime(all) {
  const dates = all.filter(isOf("DATE"));
  const times = all.filter(isTimeOfDay);
  if (dates.length === 1 && times.length === 1) return [dates[0], times[0]];
  for (const date of dates) {
    const time = times.find(({ name }) => name.about === date.name.about);
    if (time) return [date, time];
  }
  return [];
}

// Parts are numbers, or text for the zeros that they begin with.
export function mayBePart(column) {
  return isNumber(column) || (!column.isNested && column.logical?.type === "STRING");
}

// The year, the month and the day, or a date, and what there is of smaller parts, the largest first.
export function partsOfDate(all, probe) {
  const parts = new Map();
  for (const each of all) {
    const { part, isPlain } = each.name;
    if (mayBePart(each.column) && part && isPlain && !parts.has(part)) parts.set(part, each);
  }
  const isWithin = (part, least, most) => parts.has(part) && probe(parts.get(part).column).liesWithin(least, most);
  const smaller = [];
  for (const part of PARTS.slice(CALENDAR.length).filter((each) => parts.has(each))) {
    const before = smaller.at(-1)?.name.part;
    const follows = before ? before === "second" || PARTS.indexOf(before) + 1 === PARTS.indexOf(part) : part === "hour";
    const most = part === "hour" ? 24 : 60 * (PER_SECOND[part] ?? 1);
    if (follows && isWithin(part, 0, most)) smaller.push(parts.get(part));
  }
  const dates = all.filter(isOf("DATE"));
  if (dates.length === 1 && smaller.length > 0) return [dates[0], ...smaller];
  if (!isWithin("year", 0, 2_100) || !isWithin("month", 1, 12) || !isWithin("day", 1, 31)) return [];
  return [...CALENDAR.map((part) => parts.get(part)), ...smaller];
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
function neededUnits({ column, name }) {
  if (column.unitsPerSecond) return column.unitsPerSecond;
  return isFloating(column) || column.element.type === "INT96" ? NANOS : (PER_SECOND[name.part] ?? 1);
}

function sourceOf({ column, name }, perSecond) {
  if (column.element.type === "INT96") return { column, kind: "count", factor: 1 };
  if (column.logical?.type === "DATE") return { column, kind: "count", factor: 86_400 * perSecond };
  if (column.unitsPerSecond) return { column, kind: "count", factor: perSecond / column.unitsPerSecond };
  if (CALENDAR.includes(name.part)) return { column, kind: name.part, factor: 1 };
  const factor = (perSecond * (SECONDS[name.part] ?? 1)) / (PER_SECOND[name.part] ?? 1);
  return { column, kind: "count", factor };
}

// Whether the values are dates as numbers such as 20240331, or times of day such as 235959.
function areDates(values) {
  const isDate = (value) => {
    const [month, day] = [Math.floor(value / 100) % 100, value % 100];
    return Number.isInteger(value) && month >= 1 && month <= 12 && day >= 1 && day <= 31;
  };
  return values.liesWithin(19_700_101, 20_991_231) && values.values.every(isDate);
}

function areClocks(values) {
  const isClock = (value) => Math.floor(value / 100) % 100 < 60 && Math.floor(value) % 100 < 60;
  return values.liesWithin(0, 240_000) && !values.liesWithin(0, 99) && values.values.every(isClock);
}

// A date and a time of day as numbers of their digits; undefined: there are none.
export function timeOfDigits(all, probe) {
  const parts = all.filter(({ column }) => mayBePart(column));
  const date = parts.find(({ column, name }) => name.isDate && areDates(probe(column)));
  const clock = parts.find(({ column, name, said }) => name.isTime && !(said ?? name.unit) && areClocks(probe(column)));
  if (!date || !clock) return undefined;
  const unitsPerSecond = isFloating(clock.column) ? NANOS : 1;
  const kind = probe(clock.column).liesWithin(0, 2_359) ? "clock minutes" : "clock digits";
  return {
    sources: [
      { column: date.column, kind: "date digits", factor: unitsPerSecond },
      { column: clock.column, kind, factor: unitsPerSecond },
    ],
    ...{ kind: "since 1970", unitsPerSecond, isUtc: false, wrapsAt: 0 },
    assumed: `${nameOfTime({ sources: [date, clock] })} are taken together, as digits of a date and a time of day`,
  };
}

// The time of these columns.
export function timeFrom(columns, probe) {
  const ofDigits = columns.length === 2 && timeOfDigits(columns, probe);
  if (ofDigits) return ofDigits;
  const perSecond = Math.max(...columns.map(neededUnits));
  const hasDate = columns.some(
    ({ column, name }) =>
      ["DATE", "TIMESTAMP"].includes(column.logical?.type) ||
      column.element.type === "INT96" ||
      (mayBePart(column) && CALENDAR.includes(name.part)),
  );
  const hasClock = columns.some(({ column, name }) => column.logical?.type === "TIME" || name.part === "hour");
  const [first] = columns;
  const isNear = !hasDate && !hasClock && first.name.part === "second" && isNearNow(probe(first.column).median);
  return {
    sources: columns.map((each) => sourceOf(each, perSecond)),
    kind: hasDate || isNear ? "since 1970" : hasClock ? "time of day" : "from start",
    unitsPerSecond: perSecond,
    isUtc:
      isNear || columns.some(({ column }) => column.logical?.isAdjustedToUTC && column.logical.type === "TIMESTAMP"),
    wrapsAt: 0,
    assumed: `${nameOfTime({ sources: columns })} are taken together`,
  };
}
