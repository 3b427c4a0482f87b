// Numbers and times as they are read.
const SPACE = "\u202f"; // narrow, no line end

export function grouped(number) {
  return number.toLocaleString("en-US");
}

export function byteText(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  const units = ["kB", "MB", "GB"];
  let value = bytes;
  let unit = -1;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    ++unit;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)}${SPACE}${units[unit]}`;
}

export function counted(number, one, many = `${one}s`) {
  return `${grouped(number)} ${number === 1 ? one : many}`;
}

// Seconds with a unit of their size.
export function duration(seconds) {
  const size = Math.abs(seconds);
  if (size >= 2 * 86_400) return `${grouped(Number((seconds / 86_400).toPrecision(4)))} days`;
  if (size >= 7200) return `${grouped(Number((seconds / 3600).toPrecision(4)))} h`;
  if (size >= 120) return `${Number((seconds / 60).toPrecision(4))} min`;
  if (size >= 1 || size === 0) return `${Number(seconds.toPrecision(4))} s`;
  if (size >= 1e-3) return `${Number((seconds * 1e3).toPrecision(4))} ms`;
  return `${Number((seconds * 1e6).toPrecision(4))} µs`;
}

export function valueText(value) {
  if (typeof value !== "number") return String(value);
  if (Number.isNaN(value)) return "–";
  return Number.isInteger(value) ? grouped(value) : String(Number(value.toPrecision(7)));
}

const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 6 });

// A label beside a plot: as short as it can be.
export function labelText(value) {
  if (Math.abs(value) >= 1e5 && Math.abs(value) < 1e15) return compact.format(value);
  return Math.abs(value) < 1e5 && Number.isInteger(value) ? grouped(value) : String(Number(value.toPrecision(6)));
}

function padded(number, digits) {
  return String(number).padStart(digits, "0");
}

// The digits after the point of a count of parts of a second.
function fraction(parts, unitsPerSecond) {
  return unitsPerSecond === 1 ? "" : "." + padded(parts, String(unitsPerSecond).length - 1);
}

// A BigInt of `time.unitsPerSecond` with all of its digits: a date and time of day, a time of day, or seconds since the device started.
export function timeText(value, time) {
  const units = BigInt(time.unitsPerSecond);
  const parts = ((value % units) + units) % units;
  const seconds = (value - parts) / units;
  if (time.kind === "from start") {
    const isNegative = value < 0n;
    const size = isNegative ? -value : value;
    const digits = fraction(size % units, time.unitsPerSecond).replace(/^(\.\d{3})(\d*?)(000)+$/, "$1$2");
    return `${isNegative ? "−" : ""}${size / units}${digits} s`;
  }
  const date = new Date(Number(seconds) * 1000);
  if (Number.isNaN(date.getTime())) return `${seconds} s after 1970`;
  const whole = date.toISOString().slice(0, -5).replace("T", " ");
  const text = time.kind === "time of day" ? whole.slice(-8) : whole;
  return text + fraction(parts, time.unitsPerSecond) + (time.isUtc ? " UTC" : "");
}

// A label of an axis: x of readSession(), `step` from one label to the next; `origin` are seconds since 1970 where x is 0. A
// label of the day of the one `before` has no date.
export function axisText(x, step, time, origin, before) {
  const digits = step >= 1 ? 0 : Math.min(9, Math.ceil(-Math.log10(step) - 1e-9));
  if (!time || time.kind === "from start") return Number(x.toFixed(digits)).toString();
  const whole = Math.floor(x + 10 ** -digits / 2);
  const clock = [Math.floor(whole / 3600) % 24, Math.floor(whole / 60) % 60, whole % 60].map((n) => padded(n, 2));
  const days = Math.floor(whole / 86400);
  const rest = digits
    ? Math.abs(x - whole)
        .toFixed(digits)
        .slice(1)
    : "";
  const midnight = new Date((origin + days * 86_400) * 1000);
  const date = Number.isNaN(midnight.getTime()) ? undefined : midnight.toISOString().slice(0, 10);
  if (date && step >= 86_400) return date;
  const isSameDay = date ? days === Math.floor((before ?? 0) / 86400) : days === 0;
  const day = isSameDay ? "" : date ? `${date.slice(5)} ` : `+${days}d `;
  return day + (step >= 60 ? clock.slice(0, 2) : clock).join(":") + rest;
}

const MICROS = 1_000_000;

// A value of a column: dates and times as such, to the microsecond.
export function columnText(value, { logical, unitsPerSecond }) {
  if (!Number.isFinite(value)) return valueText(value);
  if (logical?.type === "DATE")
    return timeText(BigInt(value) * 86_400n, { unitsPerSecond: 1, kind: "since 1970" }).slice(0, 10);
  if (logical?.type !== "TIMESTAMP") return valueText(value);
  const perSecond = Math.min(unitsPerSecond, MICROS);
  const units = BigInt(Math.floor(value / (unitsPerSecond / perSecond)));
  return timeText(units, { unitsPerSecond: perSecond, kind: "since 1970", isUtc: logical.isAdjustedToUTC });
}
