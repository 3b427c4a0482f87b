// How regularly rows were taken, and which are missing: the arithmetic of `mpq info`.
const MOST_SAMPLED = 1 << 20; // intervals, of which the median is taken
const MOST_OTHERS = 0.1; // of the intervals of a log that is regular

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

function median(offsets) {
  const intervals = new Float64Array(Math.min(offsets.length - 1, MOST_SAMPLED));
  for (let i = 0; i < intervals.length; ++i) intervals[i] = offsets[i + 1] - offsets[i];
  return intervals.sort()[intervals.length >> 1];
}

// Returns the timing of offsets in units: {interval, isRegular, gaps, missing, longest, stepsBack}. `interval` is the median
// from row to row, and a gap, in `gaps` the row after it, one and a half of it or more; `missing` are the rows that the gaps
// have place for. Only where nine of ten intervals are the usual one, `isRegular`, do gaps mean something.
export function timingOf(offsets) {
  const timing = { interval: 0, isRegular: false, gaps: [], missing: 0, longest: 0, stepsBack: 0 };
  if (offsets.length < 2) return timing;
  timing.interval = median(offsets);
  const usual = timing.interval;
  let near = 0;
  for (let i = 1; i < offsets.length; ++i) {
    const interval = offsets[i] - offsets[i - 1];
    if (interval < 0) ++timing.stepsBack;
    if (usual <= 0) continue;
    if (interval - usual > usual / 2) {
      timing.gaps.push(i);
      timing.missing += Math.round(interval / usual) - 1;
      timing.longest = Math.max(timing.longest, interval);
    } else if (usual - interval <= usual / 2) {
      ++near;
    }
  }
  timing.isRegular = usual > 0 && near >= (1 - MOST_OTHERS) * (offsets.length - 1);
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
