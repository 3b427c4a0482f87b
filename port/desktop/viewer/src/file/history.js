// Finds the row groups of a file of microparquet: those of a footer, and those of the records and heads after it (src/FORMAT.md).
// It follows the rules of `mpq recover`, which port/desktop/recovery/DESIGN.md gives with their reasons.
import { deserializeTCompactProtocol } from "hyparquet/src/thrift.js";
import { continueCrc } from "./crc32.js";
import { viewOf } from "./footer.js";
import { historiesOf } from "./histories.js";
import { OpenRowGroup, crcBeforeLast, isFollowedByTail } from "./open_row_group.js";
import { walkRowGroup } from "./thrift_walk.js";
import { TRAILER_BYTES, dictionariesCrcIn, slotBefore } from "./traces.js";

const PAGES_AND_TAIL = 2; // entries of a footer
const BLOCK_SIZES = [512, 1024, 2048, 4096];

// A RowGroup structure: its rows, and where it ends; undefined when it is malformed.
export function parseEntry(bytes) {
  try {
    const { rows, end } = walkRowGroup(bytes, 0);
    return rows === undefined ? undefined : { rows, length: end };
  } catch {
    return undefined;
  }
}

// All fields of one.
export function fieldsOf(entry) {
  try {
    return deserializeTCompactProtocol({ view: viewOf(entry), offset: 0 });
  } catch {
    return undefined;
  }
}

// Follows slots A, and slot B where they end.
class Chain {
  constructor(bytes, traces, historyOf, footer, rowGroups, places) {
    Object.assign(this, { bytes, traces, historyOf, places });
    this.fileId = footer.fileId;
    this.slotBytes = footer.slotBytes;
    this.inPlace = footer.columns !== 0;
    this.sequence = footer.sequence;
    this.crc = footer.entriesCrc;
    // Of the entries before those that a record may replace: the open one, or the stored pages and the tail.
    this.crcsBefore = footer.openBytes !== 0 ? [footer.finishedCrc, crcBeforeLast(rowGroups, 2)] : [];
    this.crcs = [this.crc]; // of the entries at the beginning and after each record
  }

  async follow() {
    const records = [];
    const next = () => this.bytes.run(() => this.nextRecord());
    for (let record = await next(); record; record = await next()) {
      this.places = [record.slot.next];
      this.crc = record.slot.crc;
      this.crcsBefore = [];
      this.sequence = record.slot.sequence;
      this.crcs.push(this.crc);
      records.push(record);
    }
    return records;
  }

  nextRecord() {
    for (const place of this.places.filter((each) => each !== 0)) {
      for (const number of this.inPlace ? [1, 2] : [1]) {
        const slot = slotBefore(this.bytes, place + number * this.slotBytes);
        const record = slot && this.believed(slot);
        if (record) return record;
      }
    }
    return this.nextAnywhere();
  }

  // A footer that is lost may have said where the next record is; but it shows itself by continuing the entries' CRC. Those of
  // earlier histories may be void. A file id of 0 was not chosen: another file may have had it.
  nextAnywhere() {
    if (this.fileId === 0 || this.traces.slots.length === 0) return undefined;
    const own = this.traces.slots.filter((slot) => slot.fileId === this.fileId);
    const last = own.reduce(
      (latest, slot) => Math.max(latest, this.historyOf(slot.sequence)),
      this.historyOf(this.sequence),
    );
    const records = own
      .filter((slot) => this.historyOf(slot.sequence) === last)
      .map((slot) => this.believed(slot))
      .filter(Boolean);
    // Slot A, which says what is next, before slot B; the later one of them.
    records.sort((a, b) => (b.slot.next !== 0) - (a.slot.next !== 0) || b.slot.sequence - a.slot.sequence);
    return records[0];
  }

  // The record in `slot`, when it continues what is known.
  believed(slot) {
    const begin = slot.end - this.slotBytes;
    if (slot.bytes === 0 || slot.fileId !== this.fileId || slot.sequence <= this.sequence || begin < 0)
      return undefined;
    if (slot.bytes > this.slotBytes - TRAILER_BYTES) return undefined;
    const entryEnd = begin + slot.bytes;
    const entry = this.bytes.subarray(begin, entryEnd).slice();
    const parsed = parseEntry(entry);
    if (!parsed || parsed.length !== entry.length) return undefined;
    const continues = (crc) => crc !== undefined && continueCrc(crc, entry) === slot.crc;
    const replaces = this.crcsBefore.findIndex(continues) + 1;
    if (replaces === 0 && !continues(this.crc)) return undefined;
    const dictionariesCrc = dictionariesCrcIn(this.bytes, slot, entryEnd);
    const fields = fieldsOf(entry);
    if (!fields) return undefined;
    const rowGroup = { entry, fields, rows: parsed.rows, source: "record", dictionariesCrc };
    return { slot, replaces, rowGroup };
  }
}

// The entries that a footer has, without the records after it.
function rowGroupsOf(bytes, footer) {
  const rowGroups = [];
  const begin = footer.begin + footer.entriesOffset;
  const end = begin + footer.entriesBytes + footer.openBytes;
  for (let at = begin; at < end;) {
    const parsed = parseEntry(bytes.subarray(at, end));
    if (!parsed) return undefined;
    const isOpen = at >= begin + footer.entriesBytes;
    const entry = bytes.subarray(at, at + parsed.length).slice();
    rowGroups.push({ entry, rows: parsed.rows, source: isOpen ? "open" : "footer" });
    at += parsed.length;
  }
  const isAsSaid = rowGroups.length === footer.finishedEntries + (footer.openBytes !== 0 ? 1 : 0);
  return isAsSaid && sumOfRows(rowGroups) === footer.rows ? rowGroups : undefined;
}

export function sumOfRows(rowGroups) {
  return rowGroups.reduce((sum, rowGroup) => sum + rowGroup.rows, 0);
}

// Finds the places that slot A of the first record after the footer may have.
function firstPlaces(traces, footer) {
  if (footer.columns === 0) return [footer.next || footer.end];
  if (footer.next === 0) return [segmentBehind(traces, footer)];
  return footer.segmentEnd >= footer.end ? [footer.next, segmentBehind(traces, footer)] : [footer.next];
}

// The first footer of a file in place names no place, and one that closed the file stands inside the segment that it names: the
// next segment begins with the next block. A footer that stood there may have given way to another segment.
function segmentBehind(traces, footer) {
  for (const block of BLOCK_SIZES) {
    const begin = Math.ceil(footer.end / block) * block;
    const isThere = (slot) =>
      slot.fileId === footer.fileId &&
      (slot.end - begin === footer.slotBytes || slot.end - begin === 2 * footer.slotBytes);
    if (traces.slots.some(isThere)) return begin;
  }
  return footer.end;
}

// Whether some history of the file is later than the footer's; after how many records of the chain, whose entries have `crcs`, it
// began, if it did there; and whether it is proved to have begun at an earlier footer.
async function findLater(bytes, traces, historyOf, footer, crcs) {
  const isLater = (trace) => trace.fileId === footer.fileId && historyOf(trace.sequence) > historyOf(footer.sequence);
  const earlier = traces.footers.filter((each) => each.fileId === footer.fileId && each.sequence < footer.sequence);
  const later = { any: traces.footers.some(isLater), beganAfter: undefined, beganBefore: false };
  for (const slot of traces.slots.filter(isLater)) {
    later.any = true;
    const here = crcs.indexOf(slot.crc);
    if (slot.bytes === 0 && here !== -1) later.beganAfter = here;
    else if (!later.beganBefore)
      later.beganBefore = await bytes.run(() => earlier.some((each) => beginsAt(bytes, slot, each)));
  }
  return later;
}

// Whether the history of a slot begins at the footer: it was emptied then, or has the first record after it. Rows that were open then are
// finished as they were.
function beginsAt(bytes, slot, { slotBytes, entriesCrc }) {
  if (slot.bytes === 0) return slot.crc === entriesCrc;
  const begin = slot.end - slotBytes;
  if (begin < 0 || slot.bytes > slotBytes - TRAILER_BYTES) return false;
  return continueCrc(entriesCrc, bytes.subarray(begin, begin + slot.bytes)) === slot.crc;
}

// Puts what describes the last `count` row groups with more rows in their place.
function replaceLast(rowGroups, count, rowGroup) {
  const before = rowGroups.splice(rowGroups.length - count, count);
  rowGroups.push({ ...rowGroup, before });
}

function rowsInLast(rowGroups, count) {
  return sumOfRows(count === 0 ? [] : rowGroups.slice(-count));
}

// Adds the records after the footer, and has the open row group pass them.
function addRecords(rowGroups, records, open) {
  // The footer has more rows of the row group than the record before, which is of the stored pages alone.
  let footerHasTail = false;
  for (const record of records) {
    const { rowGroup, slot } = record;
    const replaces = footerHasTail ? 1 : record.replaces;
    open?.pass(record);
    footerHasTail = false;
    if (replaces === 0 || replaces > rowGroups.length) rowGroups.push({ ...rowGroup, before: [] });
    else if (rowGroups.at(-1).source !== "open") continue;
    else if (rowGroup.rows >= rowsInLast(rowGroups, replaces))
      replaceLast(rowGroups, replaces, rowGroup); // it only grows
    else footerHasTail = record.replaces === PAGES_AND_TAIL && isFollowedByTail(slot);
  }
}

// The row groups with what a head tells of the last ones; undefined: it tells of none.
function withHead(rowGroups, found) {
  if (!found || found.entries > rowGroups.length) return undefined;
  const all = [...rowGroups];
  replaceLast(all, found.entries, { head: found.head, rows: found.head.rows, source: "save" });
  return all;
}

// Footer and records, and the head after them: {rowGroups, found}.
async function afterRecords(bytes, described, records, open, traces) {
  const rowGroups = [...described];
  addRecords(rowGroups, records, open);
  const found = await bytes.run(() => open?.headAfterRecords(traces, (count) => rowsInLast(rowGroups, count)));
  return { rowGroups, found };
}

// The number of records after the footer that lead to the entries that a save counts; undefined: they do not.
function recordsToSave(footer, saved, crcs) {
  const count = saved && footer.openBytes === 0 ? saved.rowGroups - footer.finishedEntries : -1;
  return count >= 0 && crcs[count] === saved.crc ? count : undefined;
}

// The records that count, {records, mayBeVoid}, by what is known of later histories; undefined: the footer is void. Where a later
// history began is not always known: at this footer, which makes the records after it void, or at an earlier one, which makes this footer
// void. A save names this footer: then it began at the save, or after it.
function recordsThatCount(records, { beganAfter, beganBefore, beganHere }, toSave, evenVoid) {
  if (!beganHere) {
    if (beganBefore && !evenVoid) return undefined;
    const bySave = toSave !== undefined && !beganBefore;
    return { records: records.slice(0, bySave ? toSave : 0), mayBeVoid: !bySave };
  }
  return { records: records.slice(0, beganAfter), mayBeVoid: false };
}

// The history that ends with `footer` and what follows it: {ways, mayBeVoid, hasSaved}. Its row groups are {entry, rows, source,
// before}, in order. `source` is "footer", "open", "record", or "save": then a head tells of it, `head`, and it has no entry. `before` is
// what else describes some of the rows of a record or save. `ways` has them in each way that they can be read, those with the most rows
// first, and before heads footer and records. Undefined when the footer is malformed or void: emptied slots or the first record of a later
// history say that this one began at an earlier footer. `evenVoid` takes such a footer, without records. `mayBeVoid`: nothing proves where
// a later history began. A save of a stream proves the records that lead to it, `saved`, if they do: `hasSaved`. `optional` says of each
// column whether it is.
export async function readHistory(bytes, traces, footer, optional, { evenVoid = false, saved } = {}) {
  const described = await bytes.run(() => rowGroupsOf(bytes, footer));
  if (!described) return undefined;
  const historyOf = historiesOf(traces, footer.fileId);
  const places = firstPlaces(traces, footer);
  const openGroup = () =>
    footer.columns !== 0 ? new OpenRowGroup(bytes, footer, described, places, optional) : undefined;
  const afterThose = (records) => afterRecords(bytes, described, records, openGroup(), traces);
  const chain = new Chain(bytes, traces, historyOf, footer, described, places);
  const records = await chain.follow();
  let after = await afterThose(records);
  const later = await findLater(bytes, traces, historyOf, footer, chain.crcs);
  const goneOn = records.some((record) => historyOf(record.slot.sequence) > historyOf(footer.sequence));
  if (goneOn) later.beganAfter = undefined;
  later.beganHere = !later.any || goneOn || later.beganAfter !== undefined || after.found?.provesFooter === true;
  const toSave = recordsToSave(footer, saved, chain.crcs);
  const counted = recordsThatCount(records, later, toSave, evenVoid);
  if (!counted) return undefined;
  if (counted.records.length < records.length) after = await afterThose(counted.records);
  const savedAfter = withHead(described, await bytes.run(() => openGroup()?.saveAfterFooter()));
  const headed = withHead(after.rowGroups, after.found);
  const ways = [after.rowGroups, savedAfter, headed].filter(Boolean).sort((a, b) => sumOfRows(b) - sumOfRows(a));
  return { ways, mayBeVoid: counted.mayBeVoid, hasSaved: toSave !== undefined };
}
