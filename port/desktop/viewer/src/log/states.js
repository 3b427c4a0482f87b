// Columns of texts, of yes and no, and of flags, as states that hold from a row to another.
import { lowerBound } from "./envelope.js";

const MOST_STATES = 1_000; // that differ
const MOST_RUNS = 1 << 20;
const NONE = -1;

const FLAG_WORDS = /(^|[^a-z])(flags?|bits|bitmask|mask|bitfield)($|[^a-z])/i;

// How a column is drawn: as "number", "state" or "flags".
export function kindOf({ element, logical, name }) {
  const isText = element.type === "BYTE_ARRAY" || element.type === "FIXED_LEN_BYTE_ARRAY";
  if (element.type === "BOOLEAN") return "state";
  if (isText && !["DECIMAL", "FLOAT16"].includes(logical?.type)) return "state";
  const isWhole = element.type.startsWith("INT") && (!logical || logical.type === "INTEGER");
  return isWhole && FLAG_WORDS.test(name) ? "flags" : "number";
}

const decoder = new TextDecoder("utf-8", { fatal: true });

// A value in words: bytes that are no text in hexadecimal digits.
export function stateText(value) {
  if (value === true || value === false) return value ? "true" : "false";
  if (!(value instanceof Uint8Array)) return String(value);
  try {
    return decoder.decode(value);
  } catch {
    return "0x" + [...value].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }
}

function isSame(a, b) {
  if (a === b) return true;
  if (!(a instanceof Uint8Array && b instanceof Uint8Array) || a.length !== b.length) return false;
  for (let i = 0; i < a.length; ++i) if (a[i] !== b[i]) return false;
  return true;
}

export class StateColumn {
  constructor(rows) {
    this.rows = rows;
    this.states = []; // in the order in which they come
    this.codes = new Map();
    this.starts = []; // the first row of each run, and its state; NONE: it has no value
    this.stateOf = [];
    this.next = 0;
    this.isCut = false; // there are more states, or runs, than are kept
  }

  take(values, count, at) {
    if (at > this.next) this.begin(this.next, NONE); // rows that could not be read
    for (let i = 0; i < count; ++i) {
      const value = values[i] ?? undefined;
      if (this.starts.length && this.before !== undefined && isSame(value, this.before)) continue;
      this.begin(at + i, value === undefined ? NONE : this.codeOf(value));
      this.before = value instanceof Uint8Array ? value.slice() : value;
    }
    this.next = at + count;
  }

  begin(row, code) {
    if (this.stateOf.at(-1) === code) return;
    if (this.starts.length >= MOST_RUNS) this.isCut = true;
    if (this.isCut) return;
    this.starts.push(row);
    this.stateOf.push(code);
    if (code === NONE) this.before = undefined;
  }

  codeOf(value) {
    const text = stateText(value);
    let code = this.codes.get(text);
    if (code === undefined) {
      if (this.states.length >= MOST_STATES) this.isCut = true;
      code = this.states.push(text) - 1;
      this.codes.set(text, code);
    }
    return code;
  }

  // When all rows were given that could be read.
  finish() {
    if (this.next < this.rows) this.begin(this.next, NONE);
  }

  // The number of the run that a row is in; -1: of none.
  runOf(row) {
    return lowerBound(this.starts, row + 1) - 1;
  }

  textAt(row) {
    return this.states[this.stateOf[this.runOf(row)]] ?? "–";
  }

  // Of rows that are left out, where isKept(value, row) is false, or come the other way round.
  arranged(isKept, isReversed) {
    if (!isKept && !isReversed) return this;
    const codes = new Int32Array(this.rows).fill(NONE);
    this.starts.forEach((start, run) => codes.fill(this.stateOf[run], start, this.starts[run + 1] ?? this.rows));
    const kept = isKept ? codes.filter(isKept) : codes;
    if (isReversed) kept.reverse();
    const other = Object.assign(new StateColumn(kept.length), { states: this.states, codes: this.codes });
    kept.forEach((code, row) => other.begin(row, code));
    return other;
  }
}
