// Saves of a stream: what it would have written next, in one of two places (src/FORMAT.md, "Saves of a stream").
import { continueCrc } from "./crc32.js";
import { FORMAT_VERSION, SECTOR_BYTES, hasText, viewAt } from "./footer.js";

const HEAD_BYTES = 64;
const CRC_BYTES = 4;

// The two places for saves, [begin, end) each, that a footer names; none if it is not of a stream with saves, or they have no space
// for a save's bytes.
export function savePlaces({ columns, freeBegin, freeEnd, begin }) {
  if (columns !== 0 || freeBegin >= freeEnd || freeEnd > begin) return [];
  const most = Math.floor((freeEnd - freeBegin) / SECTOR_BYTES / 2) * SECTOR_BYTES;
  if (most <= SECTOR_BYTES) return [];
  return [freeBegin, freeBegin + most].map((at) => ({ begin: at, end: at + most }));
}

// The save whose head is at `at`, in a place of `most` bytes: {at, begin, end, bytes, rows, number}, of which [begin, end) is
// where its bytes belong; undefined: it is not whole, or of another footer.
function saveAt(bytes, at, most, footer) {
  if (at + most > bytes.length || !hasText(bytes, at, "mpqS")) return undefined;
  const place = bytes.subarray(at, at + most);
  const view = viewAt(place, 0, HEAD_BYTES);
  const word = (offset) => view.getUint32(offset, true);
  const saved = word(36);
  const begin = word(44) * SECTOR_BYTES;
  const isOurs = word(4) === FORMAT_VERSION && word(8) === footer.fileId && word(20) === footer.crc;
  const fits =
    saved <= most - SECTOR_BYTES &&
    begin >= footer.next &&
    begin + saved <= footer.segmentEnd &&
    begin + saved <= footer.begin;
  if (!isOurs || !fits || continueCrc(0, place.subarray(0, HEAD_BYTES - CRC_BYTES)) !== word(60)) return undefined;
  const data = place.subarray(SECTOR_BYTES, SECTOR_BYTES + saved).slice();
  if (continueCrc(0, data) !== word(40)) return undefined;
  return { at, begin, end: begin + saved, bytes: data, rows: Number(view.getBigUint64(48, true)), number: word(16) };
}

// The newest save that continues this footer; undefined: there is none.
export function streamSaveAfter(bytes, footer) {
  const saves = savePlaces(footer)
    .map(({ begin, end }) => saveAt(bytes, begin, end - begin, footer))
    .filter(Boolean);
  return saves.sort((a, b) => (b.number - a.number) | 0)[0];
}
