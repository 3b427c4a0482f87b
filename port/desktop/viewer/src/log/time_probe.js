// The first values of columns that may be times.
import { Missing } from "../file/ranges.js";
import { readChunk } from "./chunk.js";
import { integerIn } from "./numbers.js";

const ROWS = 4096;
const enough = Symbol("enough");

function middleOf(values) {
  return values.length ? Float64Array.from(values).sort()[values.length >> 1] : 0;
}

export class ProbedValues {
  // `values` are numbers, and `others` values that are none; `isAll`: the column has no more, but for what `varyLater` says of them.
  constructor(values, isAll = true, varyLater = false, others = 0) {
    Object.assign(this, { values, others });
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

// {found, others}: numbers, and how many values are none.
function firstValues(bytes, rowGroups, column, i) {
  const found = [];
  let others = 0;
  try {
    for (let group = 0; group < rowGroups.length; ++group) {
      readChunk(bytes, rowGroups.chunk(group, i), column, (values, count) => {
        for (let row = 0; row < count && found.length < ROWS; ++row) {
          const value = values[row] ?? undefined;
          const number = value === undefined ? NaN : Number(integerIn(value) ?? NaN);
          if (Number.isFinite(number)) found.push(number);
          else if (value !== undefined) ++others;
        }
        if (found.length >= ROWS) throw enough;
      });
    }
  } catch (error) {
    if (error instanceof Missing) throw error;
    return { found, others }; // who reads the rows says what is wrong with them
  }
  return { found, others };
}

// probe(column) for findTimeColumn(), which Ranges of the log run.
export function probeOf(bytes, { rowGroups, columns }) {
  const known = new Map();
  return (column) => {
    if (!known.has(column)) {
      const i = columns.indexOf(column);
      const { found, others } = firstValues(bytes, rowGroups, column, i);
      known.set(column, new ProbedValues(found, found.length < ROWS, rowGroups.varies(i), others));
    }
    return known.get(column);
  };
}
