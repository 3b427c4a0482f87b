// Reads the pages of chosen columns from a file before they are wanted: many row groups at once, what lies near in one piece.
import { Missing } from "../file/ranges.js";
import { placesOf } from "./chunk.js";

const MOST_GAP = 16 << 10; // bytes that are read for nothing rather than asked for around
const MOST_BYTES = 2 << 20; // that are kept
const MOST_PAGE_BYTES = 4 << 20; // of a chunk that is read ahead; the pages of larger ones are, one by one

// None of a chunk that is not inside the file: who reads it says so.
export function safePlaces(chunk, fileBytes) {
  try {
    return placesOf(chunk, fileBytes);
  } catch {
    return [];
  }
}

export class ReadAhead {
  // Of the row groups whose numbers are `wanted`, in order.
  constructor({ bytes, rowGroups }, columns, wanted) {
    this.bytes = bytes;
    const placesIn = (number) => columns.flatMap((i) => safePlaces(rowGroups.chunk(number, i), bytes.length));
    this.groups = new Map(wanted.map((number) => [number, placesIn(number).map(firstBytes)]));
  }

  // Reads what this row group needs, and as much of the next ones as there is room for.
  async load(number) {
    const { bytes } = this;
    if (this.groups.get(number).every((place) => bytes.has(place))) return;
    const wanted = [];
    let room = MOST_BYTES;
    for (const [next, places] of this.groups) {
      if (next < number) continue;
      room -= places.reduce((sum, { begin, end }) => sum + end - begin, 0);
      if (next > number && room < 0) break;
      wanted.push(...places);
    }
    bytes.release();
    await Promise.all(joined(wanted).map((place) => bytes.loadExactly(place)));
  }
}

function firstBytes({ begin, end }) {
  return { begin, end: Math.min(end, begin + MOST_PAGE_BYTES) };
}

function joined(places) {
  const runs = [];
  for (const { begin, end } of places.sort((a, b) => a.begin - b.begin)) {
    const last = runs.at(-1);
    if (last && begin - last.end <= MOST_GAP) last.end = Math.max(last.end, end);
    else runs.push({ begin, end });
  }
  return runs;
}

// The values of the next page, of bytes that may have to be read; those of pages before are forgotten then.
export async function nextPage(bytes, pages) {
  for (;;) {
    try {
      return pages.next();
    } catch (error) {
      if (!(error instanceof Missing)) throw error;
      bytes.forget(); // the dictionary may have views of it
      const end = Math.max(error.end, Math.min(pages.end(), error.begin + MOST_PAGE_BYTES));
      await bytes.loadExactly({ begin: error.begin, end });
    }
  }
}
