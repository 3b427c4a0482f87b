// The first values of columns that may be times.
import { Missing } from "../file/ranges.js";
import { readChunk } from "./chunk.js";
import { integerIn } from "./numbers.js";
import { formOfBoth, timeTextIn } from "./time_text.js";

const ROWS = 4096;
const enough = Symbol("enough");

function middleOf(values) {
  return values.length ? Float64Array.from(values).sort()[values.length >> 1] : 0;
}

export class ProbedValues {
  // `values` are numbers, and `others` how many values are none, of times that are texts all: `form` says which; `isAll`: the column has no more, but for what `varyLater` says of them.
  constructor(values, isAll = true, varyLater = false, others = 0, form = undefined) {
    Object.assign(this, { values, others, form });
    this.vary =
      values.some((value, i) => i > 0 && value !== values[i - 1]) || varyLater || (isAll && values.length === 1);
    this.intervals = values.slice(1).map((value, i) => value - values[i]);
    this.interval = middleOf(this.intervals.map(Math.abs));
    this.median = middleOf(values);
    const rises = this.intervals.every((step) => step >= 0);
    const falls = this.intervals.every((step) => step <= 0);
    this.goOneWay = rises !== falls;
    this.countOn = values.length > 2 && this.goOneWay && this.interval !== 0 && this.interval !== 1;
  }

  areMultiplesOf(step) {
    return this.values.every((value) => value % step === 0);
  }

  liesWithin(least, most) {
    return this.values.length > 0 && this.others === 0 && this.values.every((value) => value >= least && value <= most);
  }
}

// {found, others, form}: the numbers in these values and how many are none; or, where all are texts of times, their nanoseconds and form.
export function numbersIn(values) {
  const found = [];
  const texts = [];
  for (const value of values) {
    const number = Number(integerIn(value) ?? NaN);
    if (Number.isFinite(number)) found.push(number);
    else texts.push(value);
  }
  const isText = texts.every((value) => typeof value === "string" || value instanceof Uint8Array);
  const times = found.length || !isText ? [] : texts.map(timeTextIn);
  const form = times.length && times.every(Boolean) ? times.map((time) => time.form).reduce(formOfBoth) : undefined;
  return { found: form ? times.map(({ nanos }) => Number(nanos)) : found, others: texts.length, form };
}

function firstValues(bytes, rowGroups, column, i) {
  const first = [];
  try {
    for (let group = 0; group < rowGroups.length; ++group) {
      readChunk(bytes, rowGroups.chunk(group, i), column, (values, count) => {
        for (let row = 0; row < count && first.length < ROWS; ++row)
          if (values[row] !== null && values[row] !== undefined) first.push(values[row]);
        if (first.length >= ROWS) throw enough;
      });
    }
  } catch (error) {
    if (error instanceof Missing) throw error;
    return first; // who reads the rows says what is wrong with them
  }
  return first;
}

// probe(column) for findTimeColumn(), which Ranges of the log run.
export function probeOf(bytes, { rowGroups, columns }) {
  const known = new Map();
  return (column) => {
    if (!known.has(column)) {
      const i = columns.indexOf(column);
      const first = firstValues(bytes, rowGroups, column, i);
      const { found, others, form } = numbersIn(first);
      known.set(column, new ProbedValues(found, first.length < ROWS, rowGroups.varies(i), others, form));
    }
    return known.get(column);
  };
}
