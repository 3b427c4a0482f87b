// What the name of a column says of time. The words are those of tests/programs/data/times.json, by which mpq goes, too.
const wordsOf = (text) => text.split(" ");
const mapOf = (lists) =>
  new Map(Object.entries(lists).flatMap(([key, text]) => wordsOf(text).map((word) => [word, key])));

const UNITS = mapOf({
  ns: "ns nsec nsecs nano nanos nanosec nanosecs nanosecond nanoseconds",
  us: "us usec usecs micro micros microsec microsecs microsecond microseconds",
  ms: "ms msec msecs milli millis millisec millisecs millisecond milliseconds millisekunden",
  s: "s sec secs sek second seconds sekunden segundos secondes",
  min: "min mins minute minutes minuten",
  h: "h hr hrs hour hours stunden",
  d: "d day days",
  excel: "excel",
  excel1904: "excel1904",
});
const PARTS = mapOf({
  year: "year yr yyyy yy jahr",
  month: "month mon mo monat",
  day: "day dd dy tag",
  hour: "hour hours hr hh stunde",
  minute: "minute minutes min mins mn",
  second: "ss sekunde",
  "day of year": "doy",
  "clock minutes": "hhmm",
  "clock digits": "hhmmss",
});
// The words of which one makes a name one of times.
const TIMES = new Set(
  wordsOf(
    "time times timestamp timestamps tmstamp stamp datetime t ts clock epoch unix unixtime posix posixtime utc gmt uptime runtime elapsed walltime systime zeit zeitstempel uhrzeit tiempo temps tempo hora heure tid zeitpunkt hhmm hhmmss",
  ),
);
// Words that may stand beside these.
const BESIDE = new Set(
  wordsOf(
    "date day datum fecha rtc gps gnss log logger logged local loc system sys device dev host boot since from start of in the and at recorded received relative rel absolute abs run total record header tv msg message field ymd yyyymmdd yyyyddd",
  ),
);
const FROM_START = new Set(wordsOf("elapsed uptime runtime boot since start relative rel run"));
// Words of which one makes a name one of dates.
const DAYS = new Set(wordsOf("date datum fecha datetime ymd yyyymmdd yyyyddd"));
// Words for dates and times of day, of which two columns of one time have one each.
const DATES = new Set(wordsOf("date datum fecha day time zeit uhrzeit hora heure clock tid stamp tiempo temps"));
// In a name these may as well be a smallest value, a letter or a date's part.
const IN_BRACKETS_ONLY = new Set(["min", "h", "d", "day", "hour", "minute"]);
const PART_OF_UNIT = { ns: "nanos", us: "micros", ms: "millis", s: "second" };
const COUNTED = ["ns", "us", "ms", "s"];

export const NANOS_IN = { ns: 1, us: 1e3, ms: 1e6, s: 1e9, min: 60e9, h: 3600e9, d: 86_400e9 };
// Days as spreadsheets count them: from 1970 to the day 0, 1899-12-30 or 1904-01-01.
export const FIRST_DAY = { excel: -25_569, excel1904: -24_107 };

// "MM" is a month beside days, "mm" a minute beside hours; numbered where it comes again, as in files of buoys.
const PART_BY_CASE = { MM: "month", mm: "minute", MM_2: "minute" };

// Names of several words that have one part.
const PART_OF_WORDS = mapOf({
  "day of year": "dayofyear julianday jday yday yearday",
  "clock minutes": "hourminute",
});

// The words of a name, which capitals, too, part: "rtcTime", "TimeUS". The micro sign is a u.
function split(name) {
  const words = [];
  let isInBrackets = false;
  for (const [piece] of name.replace(/[µμ]/g, "u").matchAll(/[([]|[)\]]|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g)) {
    if (/[([]/.test(piece)) isInBrackets = true;
    else if (/[)\]]/.test(piece)) isInBrackets = false;
    else words.push({ word: piece.toLowerCase(), isInBrackets });
  }
  return words;
}

// A unit as people write it: "ms", "µs", "[s]"; undefined: it is none of time.
export function clockUnit(text) {
  const words = split(text ?? "");
  return words.length > 2 ? undefined : UNITS.get(words.map(({ word }) => word).join(""));
}

// {isTime, isPlain, isDate, mentions, isFromStart, unit, part, about}, as in time_name.h.
export function timeName(name) {
  const words = split(name);
  const found = { isPlain: true, isFromStart: false, unit: undefined, part: undefined };
  const about = [];
  let parts = 0;
  let hasTime = false;
  let hasDay = false;
  for (const { word, isInBrackets } of words) {
    const unit = word === "excel" && words.at(-1).word === "1904" ? "excel1904" : UNITS.get(word);
    const saysUnit = unit && (isInBrackets || !IN_BRACKETS_ONLY.has(word));
    const part = PARTS.get(word) ?? PART_OF_UNIT[unit];
    if (saysUnit) found.unit = unit;
    if (part) {
      found.part = part;
      ++parts;
    }
    hasTime ||= TIMES.has(word);
    hasDay ||= DAYS.has(word);
    found.isFromStart ||= FROM_START.has(word);
    found.isPlain &&= Boolean(saysUnit || part) || TIMES.has(word) || BESIDE.has(word) || /^[0-9]/.test(word);
    if (!unit && !DATES.has(word) && !part) about.push(word);
  }
  const isUnit = COUNTED.includes(found.unit) && words.length === 1 && words[0].word.length > 1;
  const mentions = hasTime || isUnit;
  found.isDate = found.isPlain && hasDay;
  const isTime = found.isPlain && (mentions || (found.unit !== undefined && found.isFromStart)) && name !== "T";
  if (Object.hasOwn(PART_BY_CASE, name))
    return { ...found, isTime: false, isPlain: true, mentions, about: "", part: PART_BY_CASE[name] };
  const ofWords = PART_OF_WORDS.get(words.map(({ word }) => word).join(""));
  if (ofWords) return { ...found, isTime, isPlain: true, mentions, about: about.join(" "), part: ofWords };
  return { ...found, isTime, mentions, about: about.join(" "), part: parts === 1 ? found.part : undefined };
}
