// Columns of arrays of numbers: a row of them for each row of the table, or for some rows the largest ones.

const MOST_ELEMENTS = 1_024; // of a row
const MOST_VALUES = 1 << 23; // that are kept
export const MOST_LINES = 8; // elements that are drawn as lines

export class ListColumn {
  // A row of numbers for each `rowStep` rows or more.
  constructor({ element, scale }, rows, rowStep, factor, offset) {
    const divisor = element.type.startsWith("INT") ? 10 ** scale : 1;
    Object.assign(this, { rows, rowsOfBlock: rowStep, factor: factor / divisor, offset });
    Object.assign(this, { size: 0, isFixed: true, isCut: false, least: Infinity, most: -Infinity });
    this.values = new Float32Array(0);
  }

  take(lists, count, at) {
    for (let i = 0; i < count; ++i) this.takeRow(lists[i] ?? [], at + i);
  }

  takeRow(list, row) {
    if (list.length > this.size) this.grow(Math.min(MOST_ELEMENTS, list.length), row === 0);
    if (list.length !== this.size) this.isFixed = false;
    this.isCut ||= list.length > this.size;
    const first = this.placeOf(row);
    for (let k = 0; k < Math.min(list.length, this.size); ++k) {
      if (list[k] === null || list[k] === undefined) continue;
      const value = Number(list[k]) * this.factor + this.offset;
      if (!(this.values[first + k] >= value)) this.values[first + k] = value;
      if (value < this.least) this.least = value;
      if (value > this.most) this.most = value;
    }
  }

  // Makes place for longer rows.
  grow(size, isFirst) {
    if (!isFirst) this.isFixed = false;
    const { values, size: before } = this;
    while (isFirst && Math.ceil(this.rows / this.rowsOfBlock) * size > MOST_VALUES) this.rowsOfBlock *= 2;
    const blocks = Math.ceil(this.rows / this.rowsOfBlock);
    const most = Math.max(1, Math.floor((2 * MOST_VALUES) / blocks));
    this.size = Math.min(size, Math.max(before, most));
    this.values = new Float32Array(blocks * this.size).fill(NaN);
    for (let block = 0; before > 0 && block < blocks; ++block)
      this.values.set(values.subarray(block * before, (block + 1) * before), block * this.size);
  }

  placeOf(row) {
    return Math.floor(row / this.rowsOfBlock) * this.size;
  }

  at(row, k) {
    return this.values[this.placeOf(row) + k];
  }

  // Whether each element is a signal of its own, as x, y and z are.
  isOfLines() {
    return this.isFixed && this.size > 0 && this.size <= MOST_LINES;
  }

  // An element of the rows whose numbers `rowOf(i)` says.
  element(k, count, rowOf) {
    return Float32Array.from({ length: count }, (_, i) => this.at(rowOf(i), k));
  }
}

// {step, unit} of what lies between two elements, by the key-value kStepOf of include/microparquet/facts.h.
export function stepOf(keyValues, column) {
  const [, number, unit] = /^\s*([-+.\deE]+)\s*(.*)$/.exec(keyValues.get(`step.${column}`) ?? "") ?? [];
  const step = Number(number);
  return Number.isFinite(step) && step !== 0 ? { step, unit } : { step: 1, unit: "" };
}
