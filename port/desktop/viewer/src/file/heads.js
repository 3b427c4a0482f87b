// Heads of tails: what the writer says of the open row group in one of its places (src/FORMAT.md, "Tails").
import { continueCrc } from "./crc32.js";
import { FORMAT_VERSION, SECTOR_BYTES, hasText, viewAt } from "./footer.js";

const PLACES = 3; // of a row group
const IS_SAVE = 1;
const FIXED_BYTES = 64; // before the columns
const COLUMN_BYTES = 28;
const LEVELS_BYTES = 36; // of an optional column
const FORECAST_BYTES = [0, 8]; // of a column: files with optional columns or byte arrays have forecasts
const CRC_BYTES = 4;
const MOST_BYTES = 4 << 20; // of the places: what is made to cost time has more

// Where each column of a head begins, and the head's bytes.
function layoutOf(optional, forecastBytes, stateBytes) {
  let at = FIXED_BYTES;
  const begins = optional.map((isOptional) => {
    const begin = at;
    at += COLUMN_BYTES + forecastBytes + (isOptional ? LEVELS_BYTES : 0);
    return begin;
  });
  return { begins, bytes: at + stateBytes + CRC_BYTES };
}

// The head whose place is at `at`, when its checksum is right and it does not contradict itself; `optional` says of each column
// whether it is. A column has its stored pages in [begin, end) of `stored`, those before `firstRow`, and its open page in `open`.
export function headAt(bytes, at, optional) {
  if (at + FIXED_BYTES > bytes.length || !hasText(bytes, at, "mpqT")) return undefined;
  const fixed = viewAt(bytes, at, FIXED_BYTES);
  const placeBytes = (fixed.getUint32(60, true) >>> 16) * SECTOR_BYTES;
  const placesBegin = at - (fixed.getUint32(16, true) % PLACES) * placeBytes;
  const isOurs = fixed.getUint32(4, true) === FORMAT_VERSION;
  if (!isOurs || placeBytes === 0 || placesBegin < 0 || at + placeBytes > bytes.length) return undefined;
  const place = bytes.subarray(at, at + placeBytes);
  const view = viewAt(place, 0, placeBytes);
  const word = (offset) => view.getUint32(offset, true);
  for (const forecastBytes of FORECAST_BYTES) {
    const layout = layoutOf(optional, forecastBytes, word(60) & 0xffff);
    const crcAt = layout.bytes - CRC_BYTES;
    if (layout.bytes > placeBytes || continueCrc(0, place.subarray(0, crcAt)) !== word(crcAt)) continue;
    const head = { placesBegin, ...fixedOf(word), ...columnsOf(word, at, layout) };
    if (head.pagesEnd > at + placeBytes || !head.columns.every((column) => isConsistent(column, head)))
      return undefined;
    return head;
  }
  return undefined;
}

function fixedOf(word) {
  return {
    fileId: word(8),
    sequence: word(12),
    number: word(16),
    place: word(16) % PLACES,
    isSave: (word(20) & IS_SAVE) !== 0,
    livePlace: word(20) >>> 16,
    continues: word(24),
    finishedCrc: word(28),
    listedBytes: word(32),
    listedCrc: word(36),
    rows: word(40),
    describedRows: word(44),
    pagesCrc: word(56),
  };
}

// Whether the open pages have the checksum that their head states.
export function pagesHold(bytes, { end, pagesEnd, pagesCrc }) {
  return continueCrc(0, bytes.subarray(end, pagesEnd)) === pagesCrc;
}

// The open pages follow each other from the sector after the head on.
function columnsOf(word, at, { begins, bytes }) {
  const end = at + Math.ceil(bytes / SECTOR_BYTES) * SECTOR_BYTES;
  let page = end;
  const columns = begins.map((column) => {
    const begin = word(column) * SECTOR_BYTES;
    const open = { begin: page, end: page + word(column + 20) };
    page = open.end;
    const stored = { begin, end: begin + word(column + 8) };
    return { stored, extentEnd: begin + word(column + 4), firstRow: word(column + 12), open };
  });
  return { begin: at, end, pagesEnd: page, columns };
}

function isConsistent({ stored, extentEnd, firstRow, open }, { rows }) {
  return (
    firstRow <= rows &&
    (firstRow !== rows) === open.end > open.begin &&
    stored.end <= extentEnd &&
    (firstRow !== 0) === stored.end > stored.begin
  );
}

// The heads in the places that begin at `begin`.
export function headsAt(bytes, begin, optional) {
  return headsIn(bytes, optional, begin, begin + MOST_BYTES).filter((head) => head.placesBegin === begin);
}

// All heads in [begin, end), in order.
export function headsIn(bytes, optional, begin = 0, end = bytes.length) {
  const heads = [];
  for (let at = begin; at + SECTOR_BYTES <= Math.min(end, bytes.length); at += SECTOR_BYTES) {
    const head = headAt(bytes, at, optional);
    if (head) heads.push(head);
  }
  return heads;
}
