// Divides the bytes of a file into row groups, records, heads of tails, footers, and room that nothing refers to.
import { headsIn } from "../file/heads.js";
import { findTraces } from "../file/traces.js";
import { safePlaces } from "./read_ahead.js";

const WINDOW_BYTES = 1 << 20; // a multiple of a sector

export const KINDS = {
  rows: "rows",
  recorded: "rows after the last footer",
  record: "records",
  head: "heads of tails",
  footer: "last footer",
  old: "earlier footers",
  room: "room and dead bytes",
};

// The slots of microparquet: [begin, end) of each that has a record.
function recordsIn(traces, slotBytes) {
  return traces.slots
    .filter((slot) => slot.bytes !== 0)
    .map(({ end }) => ({ begin: end - slotBytes, end, kind: "record" }));
}

// The open pages after a head are rows, or dead bytes where another head has taken its place.
async function tailHeadsIn(bytes, log) {
  if (!log.footer?.columns) return [];
  const optional = log.columns.map(({ isOptional }) => isOptional);
  const heads = [];
  for (let at = 0; at < bytes.length; at += WINDOW_BYTES) {
    heads.push(...(await bytes.run(() => headsIn(bytes, optional, at, at + WINDOW_BYTES))));
    bytes.release();
  }
  return heads.map(({ begin, end }) => ({ begin, end, kind: "head" }));
}

function footersIn(traces, log, fileBytes) {
  if (!log.footer) {
    const begin = fileBytes - log.footerBytes;
    return [{ begin, end: fileBytes, kind: "footer" }];
  }
  return traces.footers.map(({ begin, end }) => ({
    begin,
    end,
    kind: begin === log.footer.begin ? "footer" : "old",
  }));
}

function chunksIn(log, fileBytes) {
  const { rowGroups, columns } = log;
  const parts = [];
  for (let group = 0; group < rowGroups.length; ++group) {
    const kind = ["record", "save"].includes(log.sources?.[group]) ? "recorded" : "rows";
    columns.forEach(({ name: column }, i) => {
      const places = safePlaces(rowGroups.chunk(group, i), fileBytes);
      parts.push(...places.map(({ begin, end }) => ({ begin, end, kind, group, column })));
    });
  }
  return parts;
}

// All parts of the file in the order of their bytes, without a gap and without an overlap: {begin, end, kind, group, column}.
export async function anatomyOf(bytes, log) {
  const traces = log.footer ? await findTraces(bytes) : { footers: [], slots: [] };
  const known = [
    ...chunksIn(log, bytes.length),
    ...recordsIn(traces, log.footer?.slotBytes ?? 0),
    ...(await tailHeadsIn(bytes, log)),
    ...footersIn(traces, log, bytes.length),
  ];
  known.sort((a, b) => a.begin - b.begin || a.end - b.end);
  const parts = [];
  let at = 0;
  for (const part of known) {
    const begin = Math.max(part.begin, at);
    if (part.end <= begin) continue;
    if (begin > at) parts.push({ begin: at, end: begin, kind: "room" });
    parts.push({ ...part, begin });
    at = part.end;
  }
  if (at < bytes.length) parts.push({ begin: at, end: bytes.length, kind: "room" });
  return parts;
}

// Bytes by kind.
export function sumsOf(parts) {
  const sums = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, 0]));
  for (const part of parts) sums[part.kind] += part.end - part.begin;
  return sums;
}
