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
// order, before which a line does not continue: all of them, or where these are more than pixels, those wider than one.
export function envelope(x, y, begin, end, width, breaks = []) {
  const drawn = envelopes(x, [y], begin, end, width, breaks);
  return { x: drawn.x, y: drawn.ys[0] };
}

// The same of columns that are drawn together: {x, ys}.
export function envelopes(x, ys, begin, end, width, breaks) {
  const out = { x: [], ys: ys.map(() => []) };
  const step = Math.max(1, Math.ceil((end - begin) / width));
  const cuts = cutsIn(x, begin, end, width, breaks);
  let cut = 0;
  for (let at = begin; at < end;) {
    if (cuts[cut] === at) {
      out.x.push(x[at]);
      for (const y of out.ys) y.push(null);
      ++cut;
    }
    const to = Math.min(at + step, end, cuts[cut] ?? end);
    let rows = extremes(ys[0], at, to);
    for (let k = 1; k < ys.length; ++k) rows = rows.concat(extremes(ys[k], at, to));
    if (ys.length > 1) rows.sort((a, b) => a - b);
    let before = -1;
    for (const row of rows) {
      if (row === before) continue;
      out.x.push(x[row]);
      for (let k = 0; k < ys.length; ++k) out.ys[k].push(Number.isFinite(ys[k][row]) ? ys[k][row] : null);
      before = row;
    }
    at = to;
  }
  return out;
}

// Those of several axes on one, in the order of x; a place that is another's has undefined, over which a line leads, or null where
// none does.
export function merged(parts) {
  const out = { x: [], ys: parts.flatMap(({ ys }) => ys.map(() => [])) };
  const next = parts.map(() => 0);
  const columns = parts.flatMap(({ ys }, part) => ys.map((y) => ({ y, part })));
  for (;;) {
    let least = -1;
    parts.forEach(({ x }, k) => {
      if (next[k] < x.length && (least === -1 || x[next[k]] < parts[least].x[next[least]])) least = k;
    });
    if (least === -1) return out;
    out.x.push(parts[least].x[next[least]]);
    columns.forEach(({ y, part }, i) => {
      const value = y[next[part]];
      out.ys[i].push(part === least || value === null ? value : undefined);
    });
    ++next[least];
  }
}

function cutsIn(x, begin, end, width, breaks) {
  const [first, last] = [lowerBound(breaks, begin + 1), lowerBound(breaks, end)];
  const inside = breaks.slice(first, last);
  if (inside.length <= width) return inside;
  const pixel = (x[end - 1] - x[begin]) / width;
  return inside.filter((row) => x[row] - x[row - 1] > pixel);
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
