// Footers of microparquet: the extension, field 32766 of FileMetaData (src/FORMAT.md), which says where the records after the
// footer begin, and how long a row group's entry is.
import { continueCrc } from "./crc32.js";
import { lastIndexIn } from "./ranges.js";

export const FORMAT_VERSION = 1;
const EXTENSION_BYTES = 68;
const CRC_BYTES = 4;
const EXTENT_BYTES = 8;
const TAIL_BYTES = 9; // the stop byte, the footer's length, PAR1
const FIELD_HEADERS = [
  [0x09, 0xfc, 0xff, 0x03, 0xf3], // of a list of bytes, field 32766
  [0x08, 0xfe, 0xff, 0x03], // of a binary, field 32767, in earlier files
];
const MOST_BEFORE = 9; // bytes of a field header and a varint
export const SECTOR_BYTES = 512;
const COUNT_BYTES = 5; // of the varint that counts the entries
const HEAD_BYTES = 16; // that tell where a footer may begin
const MOST_PLACES = 64;
const MOST_BYTES = 16 << 20; // between the entries of a footer whose length is missing, and its end
const MOST_FOOTER_BYTES = 256 << 20;

export function viewOf(bytes) {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

// Of bytes that may be Ranges.
export function viewAt(bytes, at, length) {
  return viewOf(bytes.subarray(at, at + length));
}

export function hasText(bytes, at, text) {
  if (at < 0 || at + text.length > bytes.length) return false;
  const found = bytes.subarray(at, at + text.length);
  for (let i = 0; i < text.length; ++i) if (found[i] !== text.charCodeAt(i)) return false;
  return true;
}

const endsAt = (header, bytes, end) =>
  end >= header.length && header.every((byte, i) => bytes[end - header.length + i] === byte);

// The length of the extension whose bytes begin at `tag`: a varint after the header of its field.
function lengthBefore(bytes, tag) {
  const before = bytes.subarray(Math.max(0, tag - MOST_BEFORE), tag);
  let length = 0;
  for (let size = 1; size <= 4; ++size) {
    const varint = before.length - size;
    if (varint < 0 || (size > 1 && !(before[varint] & 0x80))) return undefined;
    length = (length << 7) | (before[varint] & 0x7f);
    if (FIELD_HEADERS.some((header) => endsAt(header, before, varint))) return length;
  }
  return undefined;
}

function readExtension(bytes, at) {
  const view = viewAt(bytes, at, EXTENSION_BYTES);
  const word = (offset) => view.getUint32(offset, true);
  return {
    version: word(4),
    fileId: word(8),
    sequence: word(12),
    rows: Number(view.getBigUint64(16, true)),
    slotBytes: word(24),
    entriesOffset: word(28),
    finishedEntries: word(32),
    entriesBytes: word(36),
    finishedCrc: word(40),
    openBytes: word(44),
    entriesCrc: word(48),
    next: word(52) * SECTOR_BYTES,
    segmentEnd: word(56) * SECTOR_BYTES,
    freeBegin: word(60) * SECTOR_BYTES,
    freeEnd: word(64) * SECTOR_BYTES,
  };
}

// Returns the claims of the extension that begins at `tag`, when lengths and checksums are right: the footer's place [begin,
// end) with its PAR1, and how many columns it has free extents of: 0 in the forward layout.
export function footerWithTag(bytes, tag) {
  const length = lengthBefore(bytes, tag);
  const least = EXTENSION_BYTES + CRC_BYTES;
  if (length === undefined || length < least || (length - least) % EXTENT_BYTES !== 0) return undefined;
  const stop = tag + length;
  if (stop > bytes.length) return undefined;
  const extension = readExtension(bytes, tag);
  if (extension.version !== FORMAT_VERSION) return undefined;
  const entriesEnd = extension.entriesOffset + extension.entriesBytes + extension.openBytes;
  const footerFrom = (begin, lacksTail) => {
    if (begin < 0 || begin + entriesEnd > stop - length || stop - begin > MOST_FOOTER_BYTES) return undefined;
    const columns = (length - least) / EXTENT_BYTES;
    const crc = viewAt(bytes, stop - CRC_BYTES, CRC_BYTES).getUint32(0, true);
    const footer = { begin, end: stop + TAIL_BYTES, columns, crc, lacksTail, ...extension };
    return isGenuine(bytes, footer) ? footer : undefined;
  };
  if (hasText(bytes, stop + 5, "PAR1")) {
    const footer = footerFrom(stop + 1 - viewAt(bytes, stop + 1, 4).getUint32(0, true), false);
    if (footer) return footer;
  }
  return placesOfHead(bytes, stop - length - entriesEnd).reduce(
    (found, begin) => found ?? footerFrom(begin, true),
    undefined,
  );
}

// Finds places at which a footer may begin whose length is missing, the last places before `end` first: all footers of a file
// begin as the first one does.
function placesOfHead(bytes, end) {
  const first = 4;
  const places = [];
  const head = bytes.subarray(first, first + HEAD_BYTES);
  const least = Math.max(first + 1, end - MOST_BYTES);
  if (end < least) return places;
  const found = bytes.subarray(least, end + HEAD_BYTES); // in one piece: no step back is a request
  for (let at = end - least; at >= 0 && places.length < MOST_PLACES; --at) {
    at = found.lastIndexOf(head[0], at);
    if (at >= 0 && head.every((byte, i) => byte === found[at + i])) places.push(least + at);
  }
  return places;
}

// The file with all bytes of a footer that lacks some of the last ones.
export function withTail(bytes, footer) {
  const stop = footer.end - TAIL_BYTES;
  const tail = new Uint8Array(TAIL_BYTES);
  viewOf(tail).setUint32(1, stop + 1 - footer.begin, true);
  tail.set(new TextEncoder().encode("PAR1"), 5);
  return bytes.withBytes(stop, tail);
}

function isGenuine(bytes, footer) {
  const entries = footer.begin + footer.entriesOffset;
  const finished = entries + footer.entriesBytes;
  const entriesEnd = finished + footer.openBytes;
  const crcAt = footer.end - TAIL_BYTES - CRC_BYTES;
  const head = continueCrc(0, bytes.subarray(footer.begin, entries));
  const finishedCrc = continueCrc(0, bytes.subarray(entries, finished));
  return (
    continueCrc(head, bytes.subarray(entriesEnd, crcAt)) === footer.crc &&
    finishedCrc === footer.finishedCrc &&
    continueCrc(finishedCrc, bytes.subarray(finished, entriesEnd)) === footer.entriesCrc
  );
}

// The footer of microparquet that ends the file; undefined: another writer's, or none.
export function lastFooter(bytes) {
  if (bytes.length < TAIL_BYTES || !hasText(bytes, bytes.length - 4, "PAR1")) return undefined;
  const begin = bytes.length - 8 - viewAt(bytes, bytes.length - 8, 4).getUint32(0, true);
  const least = Math.max(0, begin);
  bytes.subarray(least); // in one piece
  for (let tag = bytes.length - TAIL_BYTES + 1; tag > least;) {
    tag = lastIndexIn(bytes, 0x6d, least, tag);
    if (tag > least && hasText(bytes, tag, "mpqF")) {
      const footer = footerWithTag(bytes, tag);
      if (footer?.end === bytes.length) return footer;
    }
  }
  return undefined;
}

// The footer's bytes, up to its PAR1, as if it described these entries: for a reader of Parquet.
export function footerWithEntries(bytes, footer, entries) {
  const from = footer.begin + footer.entriesOffset;
  const head = bytes.subarray(footer.begin, from).slice();
  for (let i = 0, rest = entries.length; i < COUNT_BYTES; ++i, rest >>>= 7) {
    head[head.length - COUNT_BYTES + i] = (rest & 0x7f) | (i < COUNT_BYTES - 1 ? 0x80 : 0);
  }
  const tail = bytes.subarray(from + footer.entriesBytes + footer.openBytes, footer.end);
  const joined = new Uint8Array(head.length + entries.reduce((sum, entry) => sum + entry.length, 0) + tail.length);
  let at = 0;
  for (const part of [head, ...entries, tail]) {
    joined.set(part, at);
    at += part.length;
  }
  viewOf(joined).setUint32(joined.length - 8, joined.length - 8, true);
  return joined;
}
