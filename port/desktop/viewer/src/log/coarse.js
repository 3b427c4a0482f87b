// Sessions of more rows than a page keeps. Of each some rows there are two values, the smallest and the largest, and two times; who comes
// near enough to see single rows has them read again, see detail.js.
import { dateRows } from "./boot_clocks.js";
import { NumberColumn, TimeValues, readersOfTime } from "./numbers.js";
import { Clock, MOST_SAMPLED, habitsOf, offsetsOf } from "./timing.js";

const MOST_ROWS = 1 << 21;
const MOST_VALUES = 1 << 18;

// Rows that one value of a column stands for; 1: each has its own.
export function rowStepOf(rows) {
  let step = 1;
  if (rows > MOST_ROWS) while (rows / step > MOST_VALUES) step *= 2;
  return step;
}

// Finds the extremes of a column, for values that come in order.
export class CoarseColumn {
  constructor(column, rows, rowStep, scale, offset) {
    Object.assign(this, { rowsOfBlock: 2 * rowStep, block: 0, isRising: true, before: undefined, left: 0 });
    this.makeScratch = (count) => new NumberColumn(column, count, scale, offset);
    this.scratch = this.makeScratch(0);
    const blocks = Math.ceil(rows / this.rowsOfBlock);
    const isFloat = this.scratch.values instanceof Float32Array;
    this.values = new (isFloat ? Float32Array : Float64Array)(2 * blocks).fill(NaN);
    this.counts = new Uint32Array(blocks);
    this.means = new Float64Array(blocks);
    this.squares = new Float64Array(blocks); // of the differences from the mean
  }

  take(values, count, at) {
    if (this.scratch.values.length < count) this.scratch = this.makeScratch(count);
    this.scratch.take(values, count, 0);
    const numbers = this.scratch.values;
    for (let i = 0; i < count; ++i) this.add(numbers[i], Math.floor((at + i) / this.rowsOfBlock));
  }

  add(number, block) {
    this.count(number);
    if (!Number.isFinite(number)) return;
    const { values, counts, means } = this;
    const [first, second] = [2 * block, 2 * block + 1];
    const count = ++counts[block];
    const difference = number - means[block];
    means[block] += difference / count;
    this.squares[block] += difference * (number - means[block]);
    if (count === 1) values[first] = values[second] = number;
    else if (number < Math.min(values[first], values[second])) this.place(first, second, number, -1);
    else if (number > Math.max(values[first], values[second])) this.place(first, second, number, 1);
  }

  // The newest extreme is the second one; the other kind of extreme stays.
  place(first, second, number, kind) {
    const { values } = this;
    const other = kind * values[first] <= kind * values[second] ? values[first] : values[second];
    values[first] = other;
    values[second] = number;
  }

  count(number) {
    if (this.before !== undefined) {
      this.isRising &&= number > this.before;
      this.left += number - this.before - 1;
    }
    this.before = number;
  }

  // How many numbers a counter of the rows has left out; undefined where it does not always rise.
  missingNumbers() {
    return this.isRising ? this.left : undefined;
  }
}

// A source of times that are looked at a row group at a time.
class GroupTimes {
  constructor(source, saysWhich) {
    Object.assign(this, { source, saysWhich, column: source.column });
  }

  beginGroup(at, rows) {
    this.at = at;
    if (!this.part || this.part.whole.length < rows) {
      this.part = new TimeValues(this.source, rows, this.saysWhich);
      this.part.whole = this.part.values;
    }
    this.part.values = this.part.whole.subarray(0, rows); // the memory of the one before
    this.part.absent?.fill(1);
    this.part.missing = 0;
  }

  take(values, count, at) {
    this.part.take(values, count, at - this.at);
  }

  set missing(rows) {
    this.part.missing = rows;
  }

  get missing() {
    return this.part.missing;
  }
}

// The times of such a session: `places` and `times` of each `rowStep`th row, and the timing of all.
export class CoarseTimes {
  // `clocks` are the boots of each file, where they date rows.
  constructor(time, rows, rowStep, files, clocks) {
    Object.assign(this, { time, rowStep, files, clocks, file: 0, row: 0, missing: 0, waiting: [], waitingRows: 0 });
    this.readers = readersOfTime(time, rows, (source, saysWhich) => new GroupTimes(source, saysWhich));
    const kept = Math.ceil(rows / rowStep);
    this.places = new Float64Array(kept);
    this.times = new BigInt64Array(kept);
  }

  // When all columns of a row group were read.
  endGroup() {
    const [{ at }] = this.readers.all;
    const times = this.readers.together();
    const { values } = times;
    let { missing } = times;
    while (this.file + 1 < this.files.length && at >= this.files[this.file + 1].at) ++this.file;
    if (this.clocks) {
      const first = at - this.files[this.file].at;
      if (this.time.ticks) missing = 0;
      dateRows(times, 0, values.length, this.clocks[this.file], this.time, () => ++missing, first);
    }
    this.missing += missing;
    this.first ??= values[0];
    if (this.clock) this.follow(values);
    else this.wait(values);
  }

  // The first rows show how the clock goes.
  wait(values) {
    this.waiting.push(values.slice());
    this.waitingRows += values.length;
    if (this.waitingRows < MOST_SAMPLED) return;
    const sampled = new Float64Array(this.waitingRows);
    let at = 0;
    for (const each of this.waiting) {
      sampled.set(offsetsOf(each, this.first), at);
      at += each.length;
    }
    this.habits = { ...habitsOf(sampled, this.time.kind), isNewestFirst: false };
    this.clock = new Clock(this.habits, this.time);
    for (const each of this.waiting) this.follow(each);
    this.waiting = [];
  }

  follow(values) {
    if (!(this.offsets?.length >= values.length)) this.offsets = new Float64Array(values.length);
    const offsets = offsetsOf(values, this.first, this.offsets);
    const { least, most } = this.clock.timing;
    for (let i = 0; i < values.length; ++i, ++this.row) {
      const place = this.clock.add(offsets[i]);
      if (this.row % this.rowStep === 0) {
        this.places[this.row / this.rowStep] = place;
        this.times[this.row / this.rowStep] = values[i];
      }
    }
    const { timing } = this.clock;
    const timeOf = ({ row }) => values[row - (this.row - values.length)];
    if (timing.least !== least) this.firstTime = timeOf(timing.least);
    if (timing.most !== most) this.lastTime = timeOf(timing.most);
  }

  // What tableOf() makes of all rows' times.
  finish() {
    if (!this.clock) return undefined;
    const timing = Object.assign(this.clock.finish(), { places: this.places, habits: this.habits });
    return { timing, times: this.times, ends: { first: this.firstTime, last: this.lastTime }, missing: this.missing };
  }
}
