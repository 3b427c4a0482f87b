// Finds the traces of microparquet in a file beside its rows: footers, records and emptied slots (src/FORMAT.md).
import { continueCrc } from "./crc32.js";
import { FORMAT_VERSION, footerWithTag, hasText, viewOf } from "./footer.js";

export const TRAILER_BYTES = 36; // of a slot, with its CRC

// The slot that ends at `end`, when its trailer's CRC is right: it has a record, or is empty with 0 bytes.
export function slotBefore(bytes, end) {
  const at = end - TRAILER_BYTES;
  if (end > bytes.length || !hasText(bytes, at, "mpqR")) return undefined;
  const view = viewOf(bytes);
  const word = (offset) => view.getUint32(at + offset, true);
  if (word(4) !== FORMAT_VERSION || continueCrc(0, bytes.subarray(at, end - 4)) !== word(32)) return undefined;
  return {
    end,
    fileId: word(8),
    sequence: word(12),
    bytes: word(16),
    crc: word(20),
    next: Number(view.getBigUint64(at + 24, true)),
  };
}

// Returns the CRC of the CRCs of the dictionary pages in a record's entry, which ends at `entryEnd`; undefined: its writer has
// none, or did not store it. A seal binds it to the record.
export function dictionariesCrcIn(bytes, slot, entryEnd) {
  if (entryEnd + 8 + TRAILER_BYTES > slot.end) return undefined;
  const view = viewOf(bytes);
  const crc = view.getUint32(entryEnd, true);
  const seal = crc ^ slot.crc ^ slot.fileId ^ (slot.sequence - 1);
  return seal >>> 0 === view.getUint32(entryEnd + 4, true) ? crc : undefined;
}

// All of them in the file, by their places.
export function findTraces(bytes) {
  const footers = [];
  const slots = [];
  // Limits the bytes to sum: slots that claim more bytes than there are were made to cost time.
  let bytesToSum = 4 * bytes.length + (64 << 20);
  for (let at = bytes.indexOf(0x6d); at !== -1; at = bytes.indexOf(0x6d, at + 1)) {
    if (bytes[at + 1] !== 0x70 || bytes[at + 2] !== 0x71) continue;
    if (bytes[at + 3] === 0x52) {
      const slot = slotBefore(bytes, at + TRAILER_BYTES);
      if (slot) slots.push(slot);
    } else if (bytes[at + 3] === 0x46 && bytesToSum > 0) {
      const footer = footerWithTag(bytes, at);
      bytesToSum -= footer ? footer.end - footer.begin : bytes.length;
      if (footer) footers.push(footer);
    }
  }
  return { footers, slots };
}
