// Divides the bytes of a file into row groups, records, heads of tails and saves, footers, places for saves, and room that nothing
// refers to.
import { SECTOR_BYTES } from "../file/footer.js";
import { headsIn } from "../file/heads.js";
import { savePlaces } from "../file/stream_save.js";
import { findTraces } from "../file/traces.js";
import { safePlaces } from "./read_ahead.js";

const WINDOW_BYTES = 1 << 20; // a multiple of a sector

export const KINDS = {
  rows: "rows",
  recorded: "rows after the last footer",
  record: "records",
  head: "heads of tails and saves",
  footer: "last footer",
  old: "earlier footers",
  place: "places for saves",
  room: "room and dead bytes",
};

// The slots of microparquet: [begin, end) of each that has a record.
function recordsIn(traces, { footer, streamSave }) {
  return traces.slots
    .filter((slot) => slot.bytes !== 0)
    .map(({ end }) => ({ begin: end - footer.slotBytes, end, kind: "record" }))
    .filter((record) => !isSaved(record, streamSave));
}

// Whether a stream's save has what `bytes` of the log show there.
function isSaved({ begin }, save) {
  return save !== undefined && begin >= save.begin && begin < save.end;
}

// Where the file has it.
function storedAt(part, save) {
  const offset = isSaved(part, save) ? save.at + SECTOR_BYTES - save.begin : 0;
  return { begin: part.begin + offset, end: part.end + offset };
}

function saveHeadIn({ streamSave }) {
  return streamSave ? [{ begin: streamSave.at, end: streamSave.at + SECTOR_BYTES, kind: "head" }] : [];
}

// What is left of the bytes from `begin` to `end`: of the places for saves, and others.
function restOf(begin, end, places) {
  const bounds = places.flatMap((place) => [place.begin, place.end]).filter((at) => at > begin && at < end);
  return [...new Set(bounds), end].map((stop, i, stops) => {
    const at = i === 0 ? begin : stops[i - 1];
    return {
      begin: at,
      end: stop,
      kind: places.some((place) => place.begin <= at && at < place.end) ? "place" : "room",
    };
  });
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
      parts.push(...places.map((each) => ({ ...storedAt(each, log.streamSave), kind, group, column })));
    });
  }
  return parts;
}

// All parts of the file in the order of their bytes, without a gap and without an overlap: {begin, end, kind, group, column}.
export async function anatomyOf(bytes, log) {
  const traces = log.footer ? await findTraces(bytes) : { footers: [], slots: [] };
  const known = [
    ...chunksIn(log, bytes.length),
    ...recordsIn(traces, log),
    ...(await tailHeadsIn(bytes, log)),
    ...saveHeadIn(log),
    ...footersIn(traces, log, bytes.length),
  ];
  known.sort((a, b) => a.begin - b.begin || a.end - b.end);
  const places = log.footer ? savePlaces(log.footer) : [];
  const parts = [];
  let at = 0;
  for (const part of known) {
    const begin = Math.max(part.begin, at);
    if (part.end <= begin) continue;
    if (begin > at) parts.push(...restOf(at, begin, places));
    parts.push({ ...part, begin });
    at = part.end;
  }
  if (at < bytes.length) parts.push(...restOf(at, bytes.length, places));
  return parts;
}

// Bytes by kind.
export function sumsOf(parts) {
  const sums = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, 0]));
  for (const part of parts) sums[part.kind] += part.end - part.begin;
  return sums;
}
