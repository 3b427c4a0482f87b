// Saves of a stream: what it would have written next, in one of two places (src/FORMAT.md, "Saves of a stream").
import { continueCrc } from "./crc32.js";
import { FORMAT_VERSION, SECTOR_BYTES, hasText, viewAt } from "./footer.js";

const HEAD_BYTES = 64;
const CRC_BYTES = 4;

// The two places for saves, [begin, end) each, that a footer names; none if it is not of a stream with saves, or they have no space
// for a save's bytes.
export function savePlaces({ columns, freeBegin, freeEnd, begin, lacksTail }) {
  if (columns !== 0 || lacksTail || freeBegin >= freeEnd || freeEnd > begin) return [];
  const most = Math.floor((freeEnd - freeBegin) / SECTOR_BYTES / 2) * SECTOR_BYTES;
  if (most <= SECTOR_BYTES) return [];
  return [freeBegin, freeBegin + most].map((at) => ({ begin: at, end: at + most }));
}

// The save whose head is at `at`, in a place of `most` bytes: {at, begin, end, bytes, rows, number, rowGroups, crc}, of which [begin,
// end) is where its bytes belong, and `crc` that of the entries of the file's row groups with its own; undefined: it is not whole, or of
// another footer.
function saveAt(bytes, at, most, footer) {
  if (at + most > bytes.length || !hasText(bytes, at, "mpqS")) return undefined;
  const place = bytes.subarray(at, at + most);
  const view = viewAt(place, 0, HEAD_BYTES);
  const word = (offset) => view.getUint32(offset, true);
  const saved = word(36);
  const begin = word(44) * SECTOR_BYTES;
  const rows = Number(view.getBigUint64(48, true));
  const isOurs = word(4) === FORMAT_VERSION && word(8) === footer.fileId && word(20) === footer.crc;
  const fits =
    saved <= most - SECTOR_BYTES &&
    footer.next < footer.segmentEnd &&
    footer.segmentEnd <= footer.begin &&
    begin >= footer.next &&
    begin + saved <= footer.segmentEnd &&
    rows >= footer.rows;
  if (!isOurs || !fits || continueCrc(0, place.subarray(0, HEAD_BYTES - CRC_BYTES)) !== word(60)) return undefined;
  const data = place.subarray(SECTOR_BYTES, SECTOR_BYTES + saved).slice();
  if (continueCrc(0, data) !== word(40)) return undefined;
  const counts = { rows, number: word(16), rowGroups: word(24), crc: word(32) };
  return { at, begin, end: begin + saved, bytes: data, ...counts };
}

// The saves that continue this footer and are whole, the newest first. One counts if the records lead to it.
export function streamSavesAfter(bytes, footer) {
  const saves = savePlaces(footer)
    .map(({ begin, end }) => saveAt(bytes, begin, end - begin, footer))
    .filter(Boolean);
  return saves.sort((a, b) => (b.number - a.number) | 0);
}

// The traces without the records in the places for saves: one there is that of a save, which counts whole or not at all.
export function withoutSaves({ footers, slots }, footer) {
  const places = savePlaces(footer);
  const isInside = ({ end }) => places.some((place) => end > place.begin && end <= place.end);
  return { footers, slots: slots.filter((slot) => !isInside(slot)) };
}
