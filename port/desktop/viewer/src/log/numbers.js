// Values of a column as numbers to draw: a typed array that grows by pages. NaN stands for no value.
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

export class NumberColumn {
  // Its values are multiplied with `scale`.
  constructor(column, rows, scale = 1) {
    const isFloat = column.element.type === "FLOAT";
    this.values = isFloat ? new Float32Array(rows) : new Float64Array(rows);
    this.values.fill(NaN);
    // Decimals in byte arrays come with their digits after the point.
    this.divisor = column.element.type.startsWith("INT") ? 10 ** column.scale : 1;
    this.scale = scale;
  }

  take(values, count, at) {
    toNumbers(values, this.values, at);
    if (this.divisor === 1 && this.scale === 1) return;
    for (let i = at; i < at + count; ++i) this.values[i] = (this.values[i] / this.divisor) * this.scale;
  }
}

// Times, as integers of the column's units: none of their digits is lost. Where a row has no time, `missing` counts it.
export class TimeValues {
  constructor(column, rows) {
    this.values = new BigInt64Array(rows);
    this.missing = 0;
    this.isFloat = column.element.type === "FLOAT" || column.element.type === "DOUBLE";
  }

  take(values, count, at) {
    if (values instanceof BigInt64Array || values instanceof BigUint64Array) {
      this.values.set(
        values instanceof BigInt64Array ? values : new BigInt64Array(values.buffer, values.byteOffset, count),
        at,
      );
      return;
    }
    for (let i = 0; i < count; ++i) {
      const value = values[i];
      if (value === null || value === undefined || Number.isNaN(value)) ++this.missing;
      else this.values[at + i] = typeof value === "bigint" ? value : this.integer(value);
    }
  }

  // Floating point counts seconds, which become nanoseconds.
  integer(value) {
    return BigInt(this.isFloat ? Math.round(value * 1e9) : value);
  }
}
