// Finds the column with the times of the rows, and the column that counts them. The rules are those of `mpq info`.
const UNITS = [
  ["_ms", 1_000],
  ["_us", 1_000_000],
  ["_ns", 1_000_000_000],
  ["_s", 1],
];
const NANOS = 1_000_000_000;
const NUMBER_NAMES = ["number", "seq", "sequence", "counter", "sample", "sample_number"];
const TIME_NAMES = ["time", "timestamp", "t", "ts", "epoch", "datetime", "uptime"];

// In small letters; a unit in brackets as if it came after an underscore: "Time (s)" is "time_s".
export function plainName(text) {
  return text
    .replace(/[)\]]/g, "")
    .replace(/[ ([_]+/g, "_")
    .replace(/^_/, "")
    .toLowerCase();
}

function isPlainInteger(column) {
  const isInteger = column.element.type === "INT32" || column.element.type === "INT64";
  return isInteger && (!column.logical || column.logical.type === "INTEGER");
}

// Takes a column as a time by its type, or else by its name: {column, unitsPerSecond, since1970, isUtc}.
function asTime(column) {
  if (column.isNested) return undefined;
  if (column.logical?.type === "TIMESTAMP" && column.unitsPerSecond) {
    const isUtc = column.logical.isAdjustedToUTC === true;
    return { column, unitsPerSecond: column.unitsPerSecond, since1970: true, isUtc };
  }
  let name = plainName(column.name);
  const unit = UNITS.find(([suffix]) => name.length > suffix.length && name.endsWith(suffix));
  if (unit) name = name.slice(0, -unit[0].length);
  if (!TIME_NAMES.includes(name)) return undefined;
  const perSecond = unit?.[1] ?? 1;
  if (["FLOAT", "DOUBLE"].includes(column.element.type) && perSecond === 1) {
    return { column, unitsPerSecond: NANOS, since1970: false, isUtc: false };
  }
  return isPlainInteger(column) && unit
    ? { column, unitsPerSecond: perSecond, since1970: false, isUtc: false }
    : undefined;
}

export function findTimeColumn(columns) {
  const times = columns.map(asTime).filter(Boolean);
  return times.find((time) => time.since1970) ?? times[0];
}

// Whether it numbers the rows when they are taken, so that missing ones show.
export function isNumberColumn(column) {
  return !column.isNested && isPlainInteger(column) && NUMBER_NAMES.includes(plainName(column.name));
}
