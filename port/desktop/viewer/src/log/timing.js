// How regularly rows were taken, and which are missing: the arithmetic of `mpq info`.
const MOST_SAMPLED = 1 << 19; // rows that show how the clock goes
const MOST_OTHERS = 0.1; // of the intervals of a log that is regular
const FAR = 1_000; // times as much is no gap
const DAY = 86_400;
const HOUR = 3_600;

// Offsets of times from the first one, in units, exact up to 2^53 of them.
export function offsetsOf(times) {
  const offsets = new Float64Array(times.length);
  if (times.length === 0) return offsets;
  const low = new Uint32Array(times.buffer, times.byteOffset, 2 * times.length);
  const high = new Int32Array(times.buffer, times.byteOffset, 2 * times.length);
  const [low0, high0] = [low[0], high[1]];
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
function habitsOf(offsets, kind) {
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

// Returns the timing of offsets in units: {interval, isNewestFirst, isRegular, gaps, missing, longest, stepsBack, restarts, sets,
// runs, places}. `interval` is the median from row to row, and a gap, in `gaps` the row after it, more than one and a half of it;
// `missing` are the rows that the gaps have place for. Only where nine of ten intervals are the usual one, `isRegular`, do gaps mean
// something. `places` are the offsets on an axis on which the runs of a clock that begins again, or is set, follow each other: `runs`
// are their first rows. Of a log with the newest row first `offsets` are reversed, and so is all that is returned.
export function timingOf(offsets, time = { kind: "from start", unitsPerSecond: 1, wrapsAt: 0 }) {
  const { interval: usual, isNewestFirst, isInOrder, largest } = habitsOf(offsets, time.kind);
  const timing = { interval: usual, isNewestFirst, isRegular: false, gaps: [], missing: 0, longest: 0 };
  Object.assign(timing, { stepsBack: 0, restarts: 0, sets: 0, runs: [], places: new Float64Array(offsets.length) });
  if (isNewestFirst) offsets.reverse();
  const { places } = timing;
  let runFirst = (places[0] = offsets[0] ?? 0);
  let near = 0;
  for (let i = 1; i < offsets.length; ++i) {
    let interval = unwrapped(offsets[i] - offsets[i - 1], time, usual);
    const isFarBack = interval < 0 && (places[i - 1] + interval <= runFirst || interval <= -2 * usual);
    if (interval < 0) ++timing.stepsBack;
    if (isInOrder && (isFarBack || interval > largest)) {
      ++timing[interval < 0 ? "restarts" : "sets"];
      timing.runs.push(i);
      interval = usual;
      runFirst = places[i - 1] + interval;
    } else if (interval >= 0 && usual > 0) {
      if (interval - usual > usual / 2) {
        timing.gaps.push(i);
        timing.missing += Math.round(interval / usual) - 1;
        timing.longest = Math.max(timing.longest, interval);
      } else if (usual - interval <= usual / 2) ++near;
    }
    places[i] = places[i - 1] + interval;
  }
  timing.isRegular = usual > 0 && near >= (1 - MOST_OTHERS) * (offsets.length - 1 - timing.runs.length);
  return timing;
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
