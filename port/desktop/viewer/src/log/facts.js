// Reads the facts about columns and times in key-values: their names are those of include/microparquet/facts.h.
const UNIT_OF = "unit.";
const SCALE_OF = "scale.";
const OFFSET_OF = "offset.";
const INSTANT =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?\s*(?:(Z|UTC)|([+-])(\d\d):?(\d\d))$/;

// ISO 8601 with its zone, as nanoseconds since 1970; undefined: it is something else.
export function instantOf(text) {
  const found = INSTANT.exec(text ?? "");
  if (!found) return undefined;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map((digits) => Number(digits ?? 0));
  const millis = Date.UTC(year, month - 1, day, hour, minute, second);
  const offset = (found[9] === "-" ? -1 : 1) * (Number(found[10] ?? 0) * 60 + Number(found[11] ?? 0));
  const nanos = BigInt((found[7] ?? "").padEnd(9, "0"));
  return BigInt(millis - offset * 60_000) * 1_000_000n + nanos;
}

export function unitOf(keyValues, column) {
  return keyValues.get(UNIT_OF + column) ?? "";
}

// Returns the factor of a column's values; 1 if the key-value has no sensible one.
export function scaleOf(keyValues, column) {
  const scale = Number(keyValues.get(SCALE_OF + column) || 1);
  return Number.isFinite(scale) && scale !== 0 ? scale : 1;
}

// Returns what is then added to them; 0 if the key-value has no sensible one.
export function offsetOf(keyValues, column) {
  const offset = Number(keyValues.get(OFFSET_OF + column) || 0);
  return Number.isFinite(offset) ? offset : 0;
}

// Whether a key stands beside a column already, or is of no use to a reader.
export function isShownElsewhere(key) {
  return (
    [UNIT_OF, SCALE_OF, OFFSET_OF, "step.", "clock."].some((prefix) => key.startsWith(prefix)) ||
    ["ARROW:schema", "health"].includes(key)
  );
}
