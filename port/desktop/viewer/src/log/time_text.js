// Times that a column has as text.
import { dayNumber } from "./day_number.js";

const DATE = /^(\d{4})([-/])(\d\d)\2(\d\d)(?:[Tt ](.*))?$/;
const DIGITS = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(.*)$/;
const CLOCK = /^(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9})\d*)?)?(.*)$/;
const ZONE = /^ ?(?:(Z|z|UTC)|([-+])(\d\d):?(\d\d)?)$/;
const DAY = 86_400n * 1_000_000_000n;

// The nanoseconds of "12:30:00.25", and what is left of the text; undefined: it is no time of day.
function clockIn(text) {
  const found = CLOCK.exec(text);
  if (!found) return undefined;
  const [hours, minutes, seconds] = [found[1], found[2], found[3] ?? 0].map(Number);
  if (hours > 24 || minutes > 59 || seconds > 59) return undefined;
  const whole = BigInt((hours * 60 + minutes) * 60 + seconds);
  const nanos = whole * 1_000_000_000n + BigInt((found[4] ?? "").padEnd(9, "0"));
  return nanos > DAY ? undefined : { nanos, left: found[5] };
}

// How far a zone is ahead; undefined: it is none.
function zoneIn(text) {
  const [, utc, sign, hours, minutes = 0] = ZONE.exec(text) ?? [];
  if (utc) return 0n;
  if (!sign || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const ahead = BigInt((Number(hours) * 60 + Number(minutes)) * 60) * 1_000_000_000n;
  return sign === "-" ? -ahead : ahead;
}

// {form, nanos}, nanoseconds since 1970 or midnight; `form` is "date", "local", "zoned" or "time of day". As time_text.h has it: by ISO
// 8601, with / in the date, a comma before the fraction, a space before the zone, UTC for Z. Undefined: it is another text.
export function timeTextIn(value) {
  const given = (typeof value === "string" ? value : new TextDecoder().decode(value)).trim();
  const text = given.replace(DIGITS, "$1-$2-$3T$4:$5:$6$7");
  const date = DATE.exec(text);
  const clock = clockIn(date ? (date[5] ?? "00:00") : text);
  if (!clock) return undefined;
  if (!date) return clock.left === "" ? { form: "time of day", nanos: clock.nanos } : undefined;
  const [year, month, day] = [date[1], date[3], date[4]].map(Number);
  const days = dayNumber(year, month, day);
  const isDate = new Date(days * 86_400_000).toISOString().slice(5, 10) === `${date[3]}-${date[4]}`;
  const nanos = BigInt(days) * DAY + clock.nanos;
  if (!isDate) return undefined;
  if (clock.left === "") return { form: date[5] === undefined ? "date" : "local", nanos };
  const ahead = zoneIn(clock.left);
  return ahead === undefined ? undefined : { form: "zoned", nanos: nanos - ahead };
}

// The form of a column that has texts of both; undefined: they are no times together. A date is a midnight among local times.
export function formOfBoth(a, b) {
  if (a === b) return a;
  const areLocal = [a, b].every((form) => form === "date" || form === "local");
  return areLocal ? "local" : undefined;
}
