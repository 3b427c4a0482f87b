// Finds the traces of microparquet in a file beside its rows: footers, records and emptied slots (src/FORMAT.md).
import { continueCrc } from "./crc32.js";
import { FORMAT_VERSION, footerWithTag, hasText, viewAt } from "./footer.js";

export const TRAILER_BYTES = 36; // of a slot, with its CRC
const WINDOW_BYTES = 1 << 20;
const TAG_BYTES = 4;

// The slot that ends at `end`, when its trailer's CRC is right: it has a record, or is empty with 0 bytes.
export function slotBefore(bytes, end) {
  const at = end - TRAILER_BYTES;
  if (end > bytes.length || !hasText(bytes, at, "mpqR")) return undefined;
  const view = viewAt(bytes, at, TRAILER_BYTES);
  const word = (offset) => view.getUint32(offset, true);
  if (word(4) !== FORMAT_VERSION || continueCrc(0, bytes.subarray(at, end - 4)) !== word(32)) return undefined;
  return {
    end,
    fileId: word(8),
    sequence: word(12),
    bytes: word(16),
    crc: word(20),
    next: Number(view.getBigUint64(24, true)),
  };
}

// Returns the CRC of the CRCs of the dictionary pages in a record's entry, which ends at `entryEnd`; undefined: its writer has
// none, or did not store it. A seal binds it to the record.
export function dictionariesCrcIn(bytes, slot, entryEnd) {
  if (entryEnd + 8 + TRAILER_BYTES > slot.end) return undefined;
  const view = viewAt(bytes, entryEnd, 8);
  const crc = view.getUint32(0, true);
  const seal = crc ^ slot.crc ^ slot.fileId ^ (slot.sequence - 1);
  return seal >>> 0 === view.getUint32(4, true) ? crc : undefined;
}

// All of them in [begin, end) of the file, by their places. What was read of it is forgotten on the way.
export async function findTraces(bytes, begin = 0, end = bytes.length) {
  const traces = { footers: [], slots: [] };
  // Limits the bytes to sum: slots that claim more bytes than there are were made to cost time.
  const limit = { bytesToSum: 4 * (end - begin) + (64 << 20) };
  for (let at = begin; at < end; at += WINDOW_BYTES) {
    const windowEnd = Math.min(at + WINDOW_BYTES, end);
    const loaded = { begin: at, end: Math.min(windowEnd + TAG_BYTES, bytes.length) };
    if (!bytes.has(loaded)) {
      bytes.release();
      await bytes.loadExactly(loaded);
    }
    for (const tag of tagsIn(bytes.subarray(loaded.begin, loaded.end), windowEnd - at)) {
      await bytes.run(() => addTrace(bytes, at + tag, traces, limit));
    }
  }
  return traces;
}

// The places of "mpq" that begin before `end`.
function tagsIn(window, end) {
  const tags = [];
  for (let at = window.indexOf(0x6d); at !== -1 && at < end; at = window.indexOf(0x6d, at + 1)) {
    if (window[at + 1] === 0x70 && window[at + 2] === 0x71) tags.push(at);
  }
  return tags;
}

function addTrace(bytes, at, { footers, slots }, limit) {
  if (hasText(bytes, at + 3, "R")) {
    const slot = slotBefore(bytes, at + TRAILER_BYTES);
    if (slot) slots.push(slot);
  } else if (hasText(bytes, at + 3, "F") && limit.bytesToSum > 0) {
    const footer = footerWithTag(bytes, at);
    limit.bytesToSum -= footer ? footer.end - footer.begin : bytes.length;
    if (footer) footers.push(footer);
  }
}
