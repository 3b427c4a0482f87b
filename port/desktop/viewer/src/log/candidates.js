// The footer of microparquet that leads to a file's rows, by the rules of `mpq recover` (port/desktop/recovery/DESIGN.md). Where the file
// was cut off, several may.
import { continueCrc } from "../file/crc32.js";
import { footerWithEntries, hasText, lastFooter, withTail } from "../file/footer.js";
import { fieldsOf, readHistory, sumOfRows } from "../file/history.js";
import { streamSavesAfter, withoutSaves } from "../file/stream_save.js";
import { findTraces } from "../file/traces.js";
import { columnsOf } from "./columns.js";
import { parse } from "./metadata.js";
import { recordHolds, rowsThatHold } from "./recorded.js";
import { describeSave, saveHolds } from "./saved.js";

const MAGIC_BYTES = 4;
const VERSION_FIELD = 0x15; // header of FileMetaData's first field, an integer
const SCHEMA_FIELD = 0x19; // of the second one, a list
const FIRST_BYTES = 1 << 20; // in which a first footer ends
const LAST_BYTES = 1 << 17; // before a footer at the end, where the one before it is looked for, and of its last rows

// Metadata that describes row groups; those of saves are the last ones.
function describe({ bytes, footer, columns }, rowGroups) {
  const entries = rowGroups.map(({ entry }) => entry).filter(Boolean);
  const metadata = parse(footerWithEntries(bytes, footer, entries));
  const saves = rowGroups.filter(({ source }) => source === "save");
  metadata.row_groups.push(...saves.map(({ head }) => describeSave(head, columns)));
  return metadata;
}

// Whether the pages of a row group that no footer describes are there. `metadata` is its own.
function holds(history, group, metadata) {
  const { bytes, footer, columns } = history;
  if (group.source === "save") return saveHolds(bytes, group.head, metadata, columns);
  const before = describe(history, group.before).row_groups;
  return recordHolds(bytes, group, metadata, before, columns, footer.columns !== 0);
}

// What is there of a row group: itself, or what was described before. Its pages are forgotten when they were looked at.
async function believedOf(history, group) {
  if (!group.before) return [group];
  const { bytes } = history;
  const isThere = await bytes.run(() => holds(history, group, describe(history, [group]).row_groups[0]));
  bytes.release();
  if (isThere) return [group];
  const before = [];
  for (const each of group.before) before.push(...(await believedOf(history, each)));
  return before;
}

const isOfFooter = ({ source }) => source === "footer" || source === "open";

// What holds of the row groups that footers describe. What two of them describe was on the medium before the later one was written, and
// damage there costs both the same rows: only the others are read, and the first one, which tells whether the footer is of an earlier file.
class Described {
  constructor(footers) {
    Object.assign(this, { footers, known: new Set() });
  }

  // The rows that hold of those that the history's footer describes, and whether the pages of the first row group contradict it.
  async held(history, believed) {
    const { bytes, footer } = history;
    const groups = believed.filter(isOfFooter);
    const { crcs, first } = this.unknown(footer, groups);
    const result = { rows: 0, contradicts: false };
    for (const [i, group] of groups.entries()) {
      const isRead = i === 0 || (i >= first && this.footers.length > 1);
      const found = isRead ? await bytes.run(() => look(history, group)) : group;
      if (isRead) bytes.release();
      result.rows += found.rows;
      if (i === 0) result.contradicts = found.contradicts;
    }
    crcs.forEach((each, i) => this.known.add(`${i} ${each}`));
    return result;
  }

  // CRCs of the entries up to each one, and the first row group that no other footer describes as this one does.
  unknown(footer, groups) {
    let crc = 0;
    const crcs = groups.map(({ entry }) => (crc = continueCrc(crc, entry)));
    const others = this.footers.filter(({ begin }) => begin !== footer.begin);
    const isKnown = (each, i) => this.known.has(`${i} ${each}`) || others.some((other) => endsWith(other, i + 1, each));
    let first = crcs.length;
    while (first > 0 && !isKnown(crcs[first - 1], first - 1)) --first;
    return { crcs, first };
  }

  // Whether those row groups hold that no other footer describes, at most the last ones.
  async lastOnesHold(history) {
    const { bytes } = history;
    const groups = history.way.believed;
    const { first } = this.unknown(history.footer, groups);
    let bytesLeft = LAST_BYTES;
    for (let i = groups.length - 1; i >= first && bytesLeft > 0; --i) {
      const { rows, pageBytes } = await bytes.run(() => look(history, groups[i]));
      if (rows !== groups[i].rows) return false;
      bytesLeft -= pageBytes;
    }
    return true;
  }
}

// What holds of a row group: {rows, contradicts, pageBytes}.
function look(history, group) {
  const [metadata] = describe(history, [group]).row_groups;
  const described = { ...group, fields: fieldsOf(group.entry) };
  const pageBytes = Number(metadata.total_byte_size);
  return { ...rowsThatHold(history.bytes, described, metadata, history.columns), pageBytes };
}

// Whether the first `count` entries of a footer, whose CRC that is, are all, or all finished ones.
function endsWith({ finishedEntries, finishedCrc, openBytes, entriesCrc }, count, crc) {
  return (
    (finishedEntries === count && finishedCrc === crc) ||
    (openBytes !== 0 && finishedEntries + 1 === count && entriesCrc === crc)
  );
}

// The row groups that are there if they are read in one way: {believed, rows, lostRows, held, contradicts}. `lostRows` are those of records
// and saves that are not there, `held` the rows that hold.
async function believe(history, rowGroups, described) {
  const believed = [];
  for (const group of rowGroups) believed.push(...(await believedOf(history, group)));
  const rows = sumOfRows(believed);
  const byFooter = believed.filter(isOfFooter);
  const found = described ? await described.held(history, believed) : { rows: sumOfRows(byFooter) };
  const held = rows - sumOfRows(byFooter) + found.rows;
  return { believed, rows, lostRows: sumOfRows(rowGroups) - rows, held, contradicts: found.contradicts };
}

const losesNone = ({ rows, lostRows, held }) => lostRows === 0 && held === rows;

// The way to read the row groups with which most rows hold; the one with the most rows before others.
async function bestWay(history, described) {
  let best;
  for (const rowGroups of history.ways) {
    const way = await believe(history, rowGroups, described);
    if (!best || way.held > best.held) best = way;
    if (losesNone(best)) break;
  }
  return best;
}

// What leads to a file's rows from one footer: {bytes, footer, footerWithoutRows, metadata, columns, way, mayBeVoid}, and of a stream's save
// {streamSave, rowsSaved}, which `bytes` show where it belongs; undefined: the footer is void.
class Candidates {
  constructor(bytes, traces, described) {
    Object.assign(this, { bytes, traces, described });
  }

  async of(footer, evenVoid) {
    const bytes = footer.lacksTail ? withTail(this.bytes, footer) : this.bytes;
    const footerWithoutRows = await bytes.run(() => footerWithEntries(bytes, footer, []));
    const metadata = parse(footerWithoutRows);
    const columns = columnsOf(metadata.schema);
    const own = { bytes, footer, footerWithoutRows, metadata, columns };
    const found = await this.read(own, this.traces, { evenVoid });
    return found && (await this.withSave(found, evenVoid));
  }

  async read(own, traces, options) {
    const optional = own.columns.map(({ isOptional }) => isOptional);
    const history = await readHistory(own.bytes, traces, own.footer, optional, options);
    if (!history || (options.saved && !history.hasSaved)) return undefined;
    const found = { ...own, ...history };
    const way = await bestWay(found, this.described);
    return way.contradicts ? undefined : { ...found, way }; // this footer is of a file that had these sectors before
  }

  // The same, or with what a stream has saved after the footer, if more rows hold then; `rowsSaved` are those of a save beyond the footer,
  // also where they are there without it. What was written after the save may be lost: it was not safe.
  async withSave(found, evenVoid) {
    const { bytes, footer, way } = found;
    const traces = withoutSaves(this.traces, footer);
    for (const save of await bytes.run(() => streamSavesAfter(bytes, footer))) {
      // The file as the next boot would make it.
      const shown = { ...found, bytes: bytes.withBytes(save.begin, save.bytes) };
      const saved = await this.read(shown, traces, { evenVoid, saved: save });
      if (!saved || saved.mayBeVoid) continue;
      if (save.rows <= way.held && losesNone(way)) return { ...found, rowsSaved: save.rows - footer.rows };
      if (!isBetter(saved.way, way)) continue;
      return { ...saved, rowsSaved: Math.min(save.rows, saved.way.rows) - footer.rows, streamSave: save };
    }
    return found;
  }
}

// Whether more rows hold; or as many, and none is lost.
function isBetter(way, other) {
  return way.held > other.held || (way.held === other.held && losesNone(way) && !losesNone(other));
}

// The rows of a stream's footer before one of which some rows are lost, if they hold and are more: before a size publishes a footer, a
// medium may keep it and not its rows.
async function betterBefore(candidates, before, { way }) {
  for (const footer of before) {
    const earlier = await candidates.of(footer, false);
    if (!earlier) continue;
    const isThere = !earlier.mayBeVoid && (earlier.streamSave || losesNone(earlier.way));
    return isThere && earlier.way.held > way.held ? earlier : undefined;
  }
  return undefined;
}

// Of `footers`, the last one first. A later history may have been written over the rows of one, or, if no size was published for it, over
// its tail: then an earlier footer may have more of them.
async function bestOf(candidates, footers, evenVoid) {
  let best;
  for (const [i, footer] of footers.entries()) {
    const found = await candidates.of(footer, evenVoid);
    if (!found) continue;
    const { way } = found;
    const isThere = losesNone(way);
    if (!found.mayBeVoid && (isThere || footer.openBytes === 0)) {
      if (best && best.way.held > way.held) return best;
      const mayBeUnpublished = !isThere && !found.streamSave && footer.columns === 0;
      return (mayBeUnpublished && (await betterBefore(candidates, footers.slice(i + 1), found))) || found;
    }
    if (!best || way.held > best.way.held) best = found;
    if (isThere) return best;
  }
  return best;
}

// By all footers and records that are there.
async function findAnywhere(bytes) {
  const traces = await findTraces(bytes);
  const fileId = traces.footers[0]?.fileId;
  const footers = traces.footers.filter((footer) => footer.fileId === fileId).sort((a, b) => b.sequence - a.sequence);
  const candidates = new Candidates(bytes, traces, new Described(footers));
  const found = (await bestOf(candidates, footers, false)) ?? (await bestOf(candidates, footers, true));
  return found && { ...found, isTorn: found.footer.lacksTail || found.footer.end !== bytes.length };
}

// Whether a footer at the end of the file was written after its rows, as far as the last ones tell: that of a stream, which no save and no
// record continues, may have come before them.
async function comesAfterRows(bytes, found) {
  const { footer, way } = found;
  if (footer.columns !== 0 || found.streamSave || way.believed.some(({ source }) => source !== "footer")) return true;
  const begin = Math.max(0, footer.begin - LAST_BYTES);
  const { footers } = await findTraces(bytes, begin, footer.begin);
  return new Described([...footers, footer]).lastOnesHold(found);
}

// Whether the file begins with a footer of microparquet, as its files do, without rows.
async function beginsAsOurs(bytes) {
  const isMetadata = ([first, , second]) => first === VERSION_FIELD && second === SCHEMA_FIELD; // no page begins so
  if (!(await bytes.run(() => isMetadata(bytes.subarray(MAGIC_BYTES, MAGIC_BYTES + 3))))) return false;
  const { footers } = await findTraces(bytes, 0, Math.min(FIRST_BYTES, bytes.length));
  return footers[0]?.begin === MAGIC_BYTES;
}

// The history of the last footer that is not void, as Candidates has it; undefined: there is none.
export async function findHistory(bytes) {
  const last = await bytes.run(() => lastFooter(bytes));
  const found = last && (await new Candidates(bytes, { footers: [last], slots: [] }).of(last));
  if (found && (await comesAfterRows(bytes, found))) return found;
  const endsWell = await bytes.run(() => hasText(bytes, bytes.length - MAGIC_BYTES, "PAR1"));
  return last || !endsWell || (await beginsAsOurs(bytes)) ? findAnywhere(bytes) : undefined;
}
