// Chooses the values of a column to draw: if more rows than pixels are seen, the smallest and the largest value of each pixel,
// and no spike is lost.

// The first index from `from` on whose x is not below `value`; x ascends.
export function lowerBound(x, value, from = 0) {
  let [low, high] = [from, x.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (x[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The rows of [begin, end) that are drawn for `width` pixels, as {x, y} for uPlot: null is no value. `breaks` are rows, in
// order, before which a line does not continue.
export function envelope(x, y, begin, end, width, breaks = []) {
  const out = { x: [], y: [] };
  const add = (row) => {
    out.x.push(x[row]);
    out.y.push(Number.isFinite(y[row]) ? y[row] : null);
  };
  const step = Math.max(1, Math.ceil((end - begin) / width));
  let nextBreak = lowerBound(breaks, begin + 1);
  for (let at = begin; at < end;) {
    const isBroken = nextBreak < breaks.length && breaks[nextBreak] <= at;
    if (isBroken) {
      out.x.push(x[at]);
      out.y.push(null);
      while (nextBreak < breaks.length && breaks[nextBreak] <= at) ++nextBreak;
    }
    let to = Math.min(at + step, end);
    if (nextBreak < breaks.length && step <= 4) to = Math.min(to, breaks[nextBreak]);
    const [first, second] = extremes(y, at, to);
    add(first);
    if (second !== first) add(second);
    at = to;
  }
  return out;
}

// The rows of the smallest and the largest value, in their order; of values that are none the first row.
function extremes(y, begin, end) {
  let smallest = begin;
  let largest = begin;
  for (let row = begin + 1; row < end; ++row) {
    const value = y[row];
    if (!(value >= y[smallest]) && value === value) smallest = row;
    if (!(value <= y[largest]) && value === value) largest = row;
  }
  return smallest < largest ? [smallest, largest] : [largest, smallest];
}
