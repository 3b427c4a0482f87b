// A file's bytes, of which those are read that somebody asks for. What looks at them is written as if all were there: where some are
// not, Missing is thrown, run() reads them, and the work is done again.
const STEP = 1 << 14; // least bytes of a request
const MOST_AHEAD = 1 << 22; // of requests that follow each other
// Each request leaves some kilobytes to the engine, which counts array buffers alone to find out when to look for garbage: after
// that many, one is asked for that nobody writes to.
const REQUESTS_KEPT = 512;
const PRESSURE = 96 << 20;
const MOST_AT_ONCE = 1 << 30;

export class Missing {
  constructor(begin, end) {
    Object.assign(this, { begin, end });
  }
}

// Bytes that were read of all files, for who looks at the page by a program.
export const counts = { bytesRead: 0, requests: 0 };

export class Ranges {
  // read(begin, end) gives a promise of bytes.
  constructor(length, read) {
    Object.assign(this, { length, read, pieces: [], ahead: STEP });
  }

  // All bytes of it are there.
  static of(bytes) {
    const ranges = new Ranges(bytes.length, async () => bytes);
    ranges.pieces.push({ begin: 0, end: bytes.length, bytes });
    ranges.isWhole = true;
    return ranges;
  }

  pieceWith(begin, end) {
    for (let i = this.pieces.length - 1; i >= 0; --i) {
      if (this.pieces[i].begin <= begin && this.pieces[i].end >= end) return this.pieces[i];
    }
    return undefined;
  }

  has({ begin, end }) {
    return this.pieceWith(begin, end) !== undefined;
  }

  // As of a Uint8Array.
  subarray(from, to = this.length) {
    const end = Math.min(to, this.length);
    const begin = Math.min(Math.max(from, 0), end);
    if (end <= begin) return new Uint8Array(0);
    const piece = this.pieceWith(begin, end);
    if (!piece) throw new Missing(begin, end);
    return piece.bytes.subarray(begin - piece.begin, end - piece.begin);
  }

  // Reads the bytes, and some after them if others were read that end there.
  async load(from, to) {
    if (to - from > MOST_AT_ONCE) throw new RangeError("out of memory");
    const goesOn = this.pieces.some(({ begin, end }) => begin <= from && end >= from);
    this.ahead = goesOn ? Math.min(2 * this.ahead, MOST_AHEAD) : STEP;
    const begin = Math.floor(from / STEP) * STEP;
    const end = Math.min(this.length, Math.max(to, goesOn ? from + this.ahead : Math.ceil(to / STEP) * STEP));
    await this.loadExactly({ begin, end });
  }

  async loadExactly({ begin, end }) {
    const bytes = await this.read(begin, end);
    if (bytes.length !== end - begin) throw new RangeError("the file has changed: open it again");
    counts.bytesRead += bytes.length;
    if (++counts.requests % REQUESTS_KEPT === 0) counts.pressure = new ArrayBuffer(PRESSURE);
    this.pieces.push({ begin, end, bytes });
  }

  // What `work` returns, with the bytes that it wants.
  async run(work) {
    for (;;) {
      try {
        return work();
      } catch (error) {
        if (!(error instanceof Missing)) throw error;
        await this.load(error.begin, error.end);
      }
    }
  }

  // Forgets what was read. What views of it are left stay, until the engine finds that there are none.
  forget() {
    if (!this.isWhole) this.pieces = [];
  }

  // Gives its memory back at once; nobody may have views of it.
  release() {
    if (!this.isWhole) for (const { bytes } of this.pieces) bytes.buffer.transfer?.(0);
    this.forget();
  }

  // The same bytes, but for these ones from `at` on, with which the file may become longer.
  withBytes(at, patch) {
    const end = at + patch.length;
    if (this.isWhole) {
      const bytes = new Uint8Array(Math.max(this.length, end));
      bytes.set(this.subarray(0, this.length));
      bytes.set(patch, at);
      return Ranges.of(bytes);
    }
    return new Ranges(Math.max(this.length, end), async (from, to) => {
      const bytes = new Uint8Array(to - from);
      const stored = Math.min(to, this.length);
      if (from < stored) bytes.set(await this.read(from, stored));
      for (let i = Math.max(at, from); i < Math.min(end, to); ++i) bytes[i - from] = patch[i - at];
      return bytes;
    });
  }
}

// The last place of a byte in [from, to); -1: it is not there.
export function lastIndexIn(bytes, byte, from, to) {
  for (let at = to; at > from; at -= STEP) {
    const begin = Math.max(from, at - STEP);
    const found = bytes.subarray(begin, at).lastIndexOf(byte);
    if (found !== -1) return begin + found;
  }
  return -1;
}
