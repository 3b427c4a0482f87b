// Values of a column as numbers to draw: a typed array that grows by pages. NaN stands for no value.
import { dayNumber } from "./day_number.js";
import { formOfBoth, timeTextIn } from "./time_text.js";

const WORDS_OF_INT64 = 2;
const TWO_TO_32 = 4294967296;

// Copies the values of a page as numbers. Beyond 53 bits an integer is rounded.
function toNumbers(values, into, at) {
  if (values instanceof BigInt64Array || values instanceof BigUint64Array) {
    const isSigned = values instanceof BigInt64Array;
    const low = new Uint32Array(values.buffer, values.byteOffset, values.length * WORDS_OF_INT64);
    const high = new (isSigned ? Int32Array : Uint32Array)(values.buffer, values.byteOffset, low.length);
    for (let i = 0; i < values.length; ++i) into[at + i] = high[2 * i + 1] * TWO_TO_32 + low[2 * i];
  } else if (Array.isArray(values)) {
    for (let i = 0; i < values.length; ++i) {
      const value = values[i];
      into[at + i] = value === null || value === undefined ? NaN : Number(value);
    }
  } else {
    into.set(values, at);
  }
}

const CALENDAR = ["DATE", "TIME", "TIMESTAMP"];

export class NumberColumn {
  // Its values are multiplied with `scale`, and `offset` is added; those of dates and times are as they are.
  constructor(column, rows, scale = 1, offset = 0) {
    const isCalendar = CALENDAR.includes(column.logical?.type);
    this.scale = isCalendar ? 1 : scale;
    this.offset = isCalendar ? 0 : offset;
    // Decimals in byte arrays come with their digits after the point.
    this.divisor = column.element.type.startsWith("INT") ? 10 ** column.scale : 1;
    this.isStored = this.divisor === 1 && this.scale === 1 && this.offset === 0;
    const isFloat = column.element.type === "FLOAT" && this.isStored;
    this.values = isFloat ? new Float32Array(rows) : new Float64Array(rows);
    this.values.fill(NaN);
  }

  take(values, count, at) {
    toNumbers(values, this.values, at);
    if (this.isStored) return;
    for (let i = at; i < at + count; ++i) this.values[i] = (this.values[i] / this.divisor) * this.scale + this.offset;
  }
}

// A value as it is, or the integer that its text is, such as "07"; undefined: it is another text.
export function integerIn(value) {
  if (typeof value !== "string" && !(value instanceof Uint8Array)) return value;
  const text = typeof value === "string" ? value : new TextDecoder().decode(value);
  return /^-?\d{1,18}$/.test(text) ? BigInt(text) : undefined;
}

// A source of times, see time_column.js, as integers of the time's units: none of their digits is lost. Where a row has no time,
// `missing` counts it; with `saysWhich`, `absent` is 1 there.
export class TimeValues {
  constructor({ column, factor, offset = 0, form }, rows, saysWhich = false) {
    this.column = column;
    this.values = new BigInt64Array(rows);
    this.absent = saysWhich ? new Uint8Array(rows).fill(1) : undefined;
    this.missing = 0;
    this.isFloat = column.element.type === "FLOAT" || column.element.type === "DOUBLE";
    this.factor = factor;
    this.offset = offset;
    this.form = form;
  }

  // A value before it is scaled; undefined: it is none.
  valueIn(value) {
    if (!this.form) return integerIn(value);
    const text = timeTextIn(value);
    return text && formOfBoth(this.form, text.form) === this.form ? text.nanos : undefined;
  }

  take(values, count, at) {
    if (values instanceof BigInt64Array || values instanceof BigUint64Array) {
      this.values.set(
        values instanceof BigInt64Array ? values : new BigInt64Array(values.buffer, values.byteOffset, count),
        at,
      );
      this.absent?.fill(0, at, at + count);
      this.scale(at, at + count);
      return;
    }
    for (let i = 0; i < count; ++i) {
      const value = values[i] === null || values[i] === undefined ? undefined : this.valueIn(values[i]);
      if (value === undefined || Number.isNaN(value)) {
        ++this.missing;
        continue;
      }
      this.values[at + i] = this.isFloat ? BigInt(Math.round(value * this.factor) + this.offset) : BigInt(value);
      if (this.absent) this.absent[at + i] = 0;
    }
    if (!this.isFloat) this.scale(at, at + count);
  }

  scale(begin, end) {
    if (this.factor === 1) return;
    const [factor, offset] = [BigInt(this.factor), BigInt(this.offset)];
    for (let i = begin; i < end; ++i) this.values[i] = this.values[i] * factor + offset;
  }
}

// What a source's value, which was multiplied with its factor, adds to a time.
function unitsOf(kind, value, factor) {
  if (kind === "count" || kind === "text") return value;
  const digits = value / factor;
  const [high, middle, low] = [digits / 10_000n, (digits / 100n) % 100n, digits % 100n];
  switch (kind) {
    case "year day digits":
      return BigInt(dayNumber(Number(digits / 1_000n), 1, Number(digits % 1_000n))) * 86_400n * factor;
    case "date digits":
      return BigInt(dayNumber(Number(high), Number(middle), Number(low))) * 86_400n * factor;
    case "clock digits":
      return (high * 3_600n + middle * 60n + low) * factor + (value % factor);
    default: // clock minutes
      return ((digits / 100n) * 3_600n + low * 60n) * factor;
  }
}

// The readers of a time's columns: `all` of them, and together() makes times of what they have read. Each is made by `make`, as a
// TimeValues is.
export function readersOfTime(time, rows, make = (source, saysWhich) => new TimeValues(source, rows, saysWhich)) {
  const { sources, ticks } = time;
  const all = [...sources, ...(ticks ? [ticks] : [])].map((source) => make(source, Boolean(ticks)));
  const valuesIn = (reader) => reader.part ?? reader;
  const together = () => {
    const times = timesTogether(time, all.slice(0, sources.length).map(valuesIn));
    return ticks ? { ...times, absent: valuesIn(all[0]).absent, ticks: valuesIn(all.at(-1)) } : times;
  };
  return { all, together };
}

// The times whose sources, in the order of `time.sources`, have these TimeValues: {values, missing}.
function timesTogether(time, parts) {
  if (parts.length === 1) return { values: parts[0].values, missing: parts[0].missing };
  const values = new BigInt64Array(parts[0].values.length);
  const missing = Math.max(...parts.map((part) => part.missing));
  const of = (kind) => parts[time.sources.findIndex((source) => source.kind === kind)]?.values;
  const [years, months, days, daysOfYear] = [of("year"), of("month"), of("day"), of("day of year")];
  if (years) {
    const day = BigInt(86_400 * time.unitsPerSecond);
    for (let i = 0; i < values.length; ++i)
      values[i] = daysOfYear
        ? BigInt(dayNumber(Number(years[i]), 1, 0)) * day + daysOfYear[i]
        : BigInt(dayNumber(Number(years[i]), Number(months[i]), Number(days[i]))) * day;
  }
  time.sources.forEach(({ kind, factor }, at) => {
    if (["year", "month", "day", "day of year"].includes(kind)) return;
    const part = parts[at].values;
    const by = BigInt(factor);
    for (let i = 0; i < values.length; ++i) values[i] += unitsOf(kind, part[i], by);
  });
  return { values, missing };
}
