// What the values of a part of a column are together.

// {count, mean, deviation, least, most} of the values in [begin, end); undefined: there are none. `deviation` is that of all of them.
export function sumsOf(values, begin, end) {
  const sums = { count: 0, mean: 0, squares: 0, least: Infinity, most: -Infinity };
  for (let row = begin; row < end; ++row) {
    const value = values[row];
    if (Number.isFinite(value)) join(sums, { count: 1, mean: value, squares: 0, least: value, most: value });
  }
  return finished(sums);
}

// Of a column that keeps blocks of rows, those in [begin, end) of its values, of which a block has two.
export function sumsOfBlocks({ values, counts, means, squares }, begin, end) {
  const sums = { count: 0, mean: 0, squares: 0, least: Infinity, most: -Infinity };
  for (let block = begin >> 1; block < (end + 1) >> 1; ++block) {
    const [a, b] = [values[2 * block], values[2 * block + 1]];
    const part = { count: counts[block], mean: means[block], squares: squares[block] };
    if (part.count > 0) join(sums, { ...part, least: Math.min(a, b), most: Math.max(a, b) });
  }
  return finished(sums);
}

function join(sums, part) {
  const count = sums.count + part.count;
  const difference = part.mean - sums.mean;
  sums.mean += (difference * part.count) / count;
  sums.squares += part.squares + (difference * difference * sums.count * part.count) / count;
  sums.count = count;
  if (part.least < sums.least) sums.least = part.least;
  if (part.most > sums.most) sums.most = part.most;
}

function finished({ count, mean, squares, least, most }) {
  return count === 0 ? undefined : { count, mean, least, most, deviation: Math.sqrt(squares / count) };
}
