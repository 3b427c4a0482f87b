// Dates of the rows of boots whose device learned the time late: the key-values of include/microparquet/clock_anchors.h.
const KEY = /^clock\.(\d+)$/;
const VALUE = /^(\d+)((?: -?\d+=-?\d+)+)$/;
const MILLIS_OF_SECOND = 1_000n;

function bootOf(key, value) {
  const [, first] = KEY.exec(key) ?? [];
  const [, end, pairs] = (first && VALUE.exec(value)) ?? [];
  if (!end || Number(end) < Number(first)) return undefined;
  const anchors = pairs
    .trim()
    .split(" ")
    .map((pair) => pair.split("=").map(BigInt))
    .map(([tick, utcMs]) => ({ tick, utcMs }));
  const rise = anchors.every(
    ({ tick, utcMs }, i) => i === 0 || (tick > anchors[i - 1].tick && utcMs >= anchors[i - 1].utcMs),
  );
  return rise ? { firstRow: Number(first), endRow: Number(end), anchors } : undefined;
}

// The boots with anchors, in the order of their rows: rows `firstRow` to `endRow` - 1, and anchors whose ticks rise.
export function clocksOf(keyValues) {
  const boots = [...keyValues].map(([key, value]) => bootOf(key, value)).filter(Boolean);
  return boots.sort((a, b) => a.firstRow - b.firstRow);
}

// Whether they date all rows of a file.
export function dateAll(boots, rows) {
  let dated = 0;
  for (const { firstRow, endRow } of boots) if (firstRow <= dated) dated = Math.max(dated, endRow);
  return dated >= rows;
}

// A tick as a time since 1970, in units as it is: between two anchors by the clock's own rate, else by the usual one.
function instantOf({ anchors }, tick, unitsPerSecond) {
  const inUnits = ({ utcMs }) => (utcMs * BigInt(unitsPerSecond)) / MILLIS_OF_SECOND;
  const after = anchors.findIndex((anchor) => anchor.tick > tick);
  const from = after <= 0 ? (after === 0 ? anchors[0] : anchors.at(-1)) : anchors[after - 1];
  const base = inUnits(from);
  if (after <= 0) return base + tick - from.tick;
  const whole = anchors[after].tick - from.tick;
  const part = (tick - from.tick) * (inUnits(anchors[after]) - base);
  return base + (2n * part + whole) / (2n * whole);
}

// Dates the rows from `at` on, `rows` of one file, the first of which is its row `first`: all of them, or where `time` has ticks
// beside it, those without a time. `times` are those of readersOfTime(). Calls undated(row) for each that has none.
export function dateRows(times, at, rows, boots, time, undated, first = 0) {
  if (!time.ticks) return dateTicks(times.values, at, rows, boots, time.unitsPerSecond, undated, first);
  const { values, absent, ticks } = times;
  if (absent.indexOf(1, at) === -1) return undefined;
  const dated = ticks.values.slice(at, at + rows);
  const [from, to] = [BigInt(time.ticks.unitsPerSecond), BigInt(time.unitsPerSecond)];
  const without = new Set();
  dateTicks(dated, 0, rows, boots, time.ticks.unitsPerSecond, (row) => without.add(row), first);
  for (let row = 0; row < rows; ++row) {
    if (!absent[at + row]) continue;
    if (ticks.absent[at + row] || without.has(row)) undated(at + row);
    else values[at + row] = (dated[row] * to) / from;
  }
  return undefined;
}

// Turns ticks, from `at` on `rows` rows of one file, into times since 1970; the first of them is its row `first`. Calls undated(row)
// for each row that has none.
function dateTicks(times, at, rows, boots, unitsPerSecond, undated, first = 0) {
  let next = 0;
  for (let row = 0; row < rows; ++row) {
    while (next < boots.length && boots[next].firstRow <= first + row) ++next;
    const boot = boots[next - 1];
    if (boot && first + row < boot.endRow) times[at + row] = instantOf(boot, times[at + row], unitsPerSecond);
    else undated(at + row);
  }
}
