// How regularly rows were taken, and which are missing: the arithmetic of `mpq info`.
export const MOST_SAMPLED = 1 << 19; // rows that show how the clock goes
const MOST_OTHERS = 0.1; // of the intervals of a log that is regular
const MOST_GAPS = 1 << 20; // that are known by their places
const FAR = 1_000; // times as much is no gap
const DAY = 86_400;
const HOUR = 3_600;

// Offsets of times from the first one, or `first`, in units, exact up to 2^53 of them.
export function offsetsOf(times, first = times[0] ?? 0n, offsets = new Float64Array(times.length)) {
  const low = new Uint32Array(times.buffer, times.byteOffset, 2 * times.length);
  const high = new Int32Array(times.buffer, times.byteOffset, 2 * times.length);
  const low0 = Number(BigInt.asUintN(32, first));
  const high0 = Number(BigInt.asIntN(64, first) >> 32n);
  for (let i = 0; i < times.length; ++i) offsets[i] = (high[2 * i + 1] - high0) * 4294967296 + (low[2 * i] - low0);
  return offsets;
}

// The largest interval that is no step of the clock: what is a thousand times longer than all rows took till then is one.
function largestGap(sorted, usual) {
  if (usual <= 0) return Infinity;
  let own = 0;
  for (const interval of sorted) {
    if (interval > FAR * usual && interval > FAR * own) return interval - 1;
    if (interval > 0) own += interval;
  }
  return Infinity;
}

// How the clock of a log goes, as its first rows show: {interval, isNewestFirst, isInOrder, largest}.
export function habitsOf(offsets, kind) {
  const rows = Math.min(offsets.length, MOST_SAMPLED);
  const intervals = new Float64Array(Math.max(0, rows - 1));
  let [on, back] = [0, 0];
  for (let i = 0; i < intervals.length; ++i) {
    intervals[i] = offsets[i + 1] - offsets[i];
    if (intervals[i] > 0) ++on;
    if (intervals[i] < 0) ++back;
  }
  const isNewestFirst = back > on;
  if (isNewestFirst) for (let i = 0; i < intervals.length; ++i) intervals[i] = -intervals[i];
  intervals.sort();
  const interval = Math.max(0, intervals[intervals.length >> 1] ?? 0);
  const largest = kind === "time of day" ? Infinity : largestGap(intervals, interval);
  return { interval, isNewestFirst, isInOrder: Math.min(on, back) * 4 <= on + back, largest };
}

// A step of a time that went back because it began again at midnight, or at 0 after the largest number, as what it would be
// otherwise.
function unwrapped(step, { kind, unitsPerSecond, wrapsAt }, usual) {
  if (kind === "time of day") return step < -HOUR * unitsPerSecond ? step + DAY * unitsPerSecond : step;
  if (!wrapsAt || step >= 0) return step;
  const on = step + wrapsAt;
  return on >= 0 && on <= FAR * Math.max(usual, 1) ? on : step;
}

// Follows a clock from row to row, and finds its gaps and runs. `timing` is {interval, isNewestFirst, isRegular, gaps, bands, gapCount,
// missing, longest, stepsBack, restarts, sets, runs, runPlaces, firstStep, least, most}. `interval` is the median from row to row, and a
// gap, in `gaps` the row after it and in `bands` the places before and after, more than one and a half of it; `missing` are the rows
// that the gaps have place for. Only where nine of ten intervals are the usual one, `isRegular`, do gaps mean something. The runs of a
// clock that begins again, or is set, `firstStep` far the first time, follow each other: `runs` are their first rows, `runPlaces` the
// places of these. `least` and `most` are the rows with the first place and the last.
export class Clock {
  // `from` is {row, offset, place} of the first row, where it is not the first of the log.
  constructor({ interval, isNewestFirst, isInOrder, largest }, time, from) {
    Object.assign(this, { time, isInOrder, largest, row: from?.row ?? 0, near: 0 });
    this.timing = {
      interval,
      isNewestFirst,
      isRegular: false,
      gaps: [],
      bands: [],
      gapCount: 0,
      missing: 0,
      longest: 0,
    };
    Object.assign(this.timing, { stepsBack: 0, restarts: 0, sets: 0, runs: [], runPlaces: [], firstStep: 0 });
    if (from) this.begin(from.offset, from.place);
  }

  begin(offset, place) {
    Object.assign(this, { offset, place, runFirst: place });
    Object.assign(this.timing, { least: { row: this.row, place }, most: { row: this.row, place } });
    ++this.row;
    return place;
  }

  // Returns where the next row lies on an axis on which runs follow each other.
  add(offset) {
    if (this.place === undefined) return this.begin(offset, offset);
    const { timing } = this;
    const usual = timing.interval;
    let interval = unwrapped(offset - this.offset, this.time, usual);
    const isFarBack = interval < 0 && (this.place + interval <= this.runFirst || interval <= -2 * usual);
    if (interval < 0) ++timing.stepsBack;
    if (this.isInOrder && (isFarBack || interval > this.largest)) {
      ++timing[interval < 0 ? "restarts" : "sets"];
      timing.firstStep ||= offset - this.offset;
      timing.runs.push(this.row);
      interval = usual;
      this.runFirst = this.place + interval;
      timing.runPlaces.push(this.place, this.runFirst);
    } else if (interval >= 0 && usual > 0) {
      if (interval - usual > usual / 2) this.addGap(interval);
      else if (usual - interval <= usual / 2) ++this.near;
    }
    this.offset = offset;
    this.place += interval;
    if (this.place < timing.least.place) timing.least = { row: this.row, place: this.place };
    if (this.place > timing.most.place) timing.most = { row: this.row, place: this.place };
    ++this.row;
    return this.place;
  }

  addGap(interval) {
    const { timing, row, place } = this;
    ++timing.gapCount;
    timing.missing += Math.round(interval / timing.interval) - 1;
    timing.longest = Math.max(timing.longest, interval);
    if (timing.gaps.length >= MOST_GAPS) return;
    timing.gaps.push(row);
    timing.bands.push(place, place + interval);
  }

  // The timing, after all rows.
  finish() {
    const { timing } = this;
    timing.isRegular = timing.interval > 0 && this.near >= (1 - MOST_OTHERS) * (this.row - 1 - timing.runs.length);
    return timing;
  }
}

// Returns the timing of offsets in units, with `places` of all rows. Of a log with the newest row first `offsets` are reversed, and so
// is all that is returned.
export function timingOf(offsets, time = { kind: "from start", unitsPerSecond: 1, wrapsAt: 0 }) {
  const habits = habitsOf(offsets, time.kind);
  if (habits.isNewestFirst) offsets.reverse();
  const clock = new Clock(habits, time);
  const places = offsets; // each is read before it is written
  for (let i = 0; i < offsets.length; ++i) places[i] = clock.add(offsets[i]);
  return Object.assign(clock.finish(), { places });
}

// How many numbers a counter of the rows has left out; undefined where it does not always rise.
export function numbersMissing(numbers) {
  let missing = 0;
  for (let i = 1; i < numbers.length; ++i) {
    if (!(numbers[i] > numbers[i - 1])) return undefined;
    missing += numbers[i] - numbers[i - 1] - 1;
  }
  return missing;
}
