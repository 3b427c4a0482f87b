// The row group that was open when a file was cut off, and the heads in its places that tell more of it than footer and records
// do: saves, and what a footer that is lost described (src/FORMAT.md, "Tails"). The rules are those of `mpq recover`.
import { continueCrc } from "./crc32.js";
import { headsAt, pagesHold } from "./heads.js";

// CRC of all entries but the last `count`; undefined: there are fewer.
export function crcBeforeLast(rowGroups, count) {
  if (rowGroups.length < count) return undefined;
  return rowGroups.slice(0, rowGroups.length - count).reduce((crc, { entry }) => continueCrc(crc, entry), 0);
}

// Whether the record in a slot is of the stored pages alone: that of the tail is in the slot after it.
export function isFollowedByTail({ end, next }) {
  return next === end;
}

export class OpenRowGroup {
  // As `footer`, which has `rowGroups`, leaves it. Its slots may be at one of `places`. `optional` says of each column whether it is.
  constructor(bytes, footer, rowGroups, places, optional) {
    Object.assign(this, { bytes, footer, places, optional });
    this.sequence = footer.sequence;
    this.crc = footer.entriesCrc;
    this.hasRecords = false;
    // What may be known of it: the CRC of the entries before it, the number of those that describe it, and of its stored pages, if
    // a tail follows them, the length of their entry and the CRC up to that one.
    this.states = footer.openBytes === 0 ? [this.stateOf(footer.entriesCrc, 0)] : [this.stateOf(footer.finishedCrc, 1)];
    if (footer.openBytes !== 0 && rowGroups.length > 1) {
      this.states.push(this.stateOf(crcBeforeLast(rowGroups, 2), 2, rowGroups.at(-2).entry.length, footer.finishedCrc));
    }
  }

  stateOf(crc, entries, listedBytes = 0, listedCrc = 0) {
    return { crc, entries, listedBytes, listedCrc, lacksTail: false };
  }

  // A record of the chain after the footer, which replaces the last `replaces` entries.
  pass({ slot, replaces }) {
    const { slotBytes } = this.footer;
    const at = slot.end - slotBytes;
    const before = this.states.find((state) => replaces !== 0 && state.entries === replaces)?.crc ?? this.crc;
    const [state] = this.states;
    this.crc = slot.crc;
    this.sequence = slot.sequence;
    this.hasRecords = true;
    if (isFollowedByTail(slot)) {
      this.places = [at];
      this.states = [{ ...this.stateOf(before, 1, slot.bytes, slot.crc), lacksTail: true }];
    } else if (slot.next !== 0) {
      this.places = [slot.next]; // it is finished
      this.states = [this.stateOf(slot.crc, 0)];
    } else if (replaces === 0 && this.states.length === 1 && state.lacksTail && at === this.places[0] + slotBytes) {
      this.states = [{ ...state, entries: 2, lacksTail: false }];
    } else if (replaces !== 1) {
      this.places = [at - slotBytes];
      this.states = [this.stateOf(before, 1)];
    }
  }

  // The newest ones first.
  heads() {
    const { fileId, sequence, slotBytes } = this.footer;
    return this.places
      .flatMap((place) => headsAt(this.bytes, place + 2 * slotBytes, this.optional))
      .filter((head) => head.fileId === fileId && head.sequence >= sequence && pagesHold(this.bytes, head))
      .sort((a, b) => b.number - a.number);
  }

  // The newest save that continues the footer: {head, entries}, `entries` of which it replaces.
  saveAfterFooter() {
    if (this.footer.openBytes === 0) return undefined;
    for (const head of this.heads()) {
      const state = this.states.find(({ crc }) => crc === head.finishedCrc);
      if (state && head.isSave && head.continues === this.footer.crc) return { head, entries: state.entries };
    }
    return undefined;
  }

  // The newest head after the records: a save after a footer that is lost; or the head of such a footer, if a slot states its CRC.
  // The latter proves that the footer was on the medium, with all records before it: `provesFooter`. A file id of 0
  // was not chosen: an earlier file may have had it. `rowsInLast(n)` are the rows of the last n row groups.
  headAfterRecords(traces, rowsInLast) {
    if (this.footer.fileId === 0) return undefined;
    const heads = this.heads();
    for (const state of this.states) {
      const { entries } = state;
      const save = heads.find(
        (head) => head.isSave && this.isOfState(head, state) && head.describedRows === rowsInLast(entries),
      );
      if (save && this.hasRecords) return { head: save, entries };
      const ofFooter = heads.find(
        (head) =>
          head.continues !== this.footer.entriesCrc &&
          !head.isSave &&
          head.finishedCrc === state.crc &&
          this.isStated(head, traces),
      );
      if (ofFooter) return { head: saveAfter(heads, ofFooter) ?? ofFooter, entries, provesFooter: true };
    }
    return undefined;
  }

  // Whether the head continues what describes the row group.
  isOfState(head, state) {
    return (
      state.entries !== 0 &&
      !state.lacksTail &&
      head.sequence >= this.sequence &&
      head.finishedCrc === state.crc &&
      head.listedBytes === state.listedBytes &&
      (head.listedBytes === 0 || head.listedCrc === state.listedCrc)
    );
  }

  // Whether a slot of the row group states the CRC of all entries of the head's footer: it is the record of the tail, or was
  // emptied by a writer that continued that footer.
  isStated(head, traces) {
    const { slotBytes } = this.footer;
    return traces.slots.some(
      (slot) =>
        slot.fileId === head.fileId &&
        slot.crc === head.continues &&
        this.places.some((place) => slot.end === place + slotBytes || slot.end === place + 2 * slotBytes),
    );
  }
}

// The newest save after the footer of which `ofFooter` tells.
function saveAfter(heads, ofFooter) {
  return heads.find(
    (head) =>
      head.isSave &&
      head.number > ofFooter.number &&
      head.livePlace === ofFooter.place &&
      head.finishedCrc === ofFooter.finishedCrc &&
      head.listedBytes === ofFooter.listedBytes &&
      head.listedCrc === ofFooter.listedCrc &&
      head.describedRows === ofFooter.rows &&
      head.sequence >= ofFooter.sequence,
  );
}
