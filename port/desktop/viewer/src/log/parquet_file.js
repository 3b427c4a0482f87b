// A Parquet file of columns of another one, whose schema it takes over as it is: PLAIN, not compressed, a page a row group.
import { Walker } from "../file/thrift_walk.js";

const TYPES = ["BOOLEAN", "INT32", "INT64", "INT96", "FLOAT", "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"];
const [I32, I64, BINARY, LIST, STRUCT] = [5, 6, 8, 9, 12];
const RLE = 3;
// What is true of the other file's rows, or of all its columns.
const LEFT_KEYS = /^(clock\.|ARROW:schema$|health$)/;

class ThriftBytes {
  constructor() {
    this.bytes = [];
  }

  varint(value) {
    for (; value >= 128; value = Math.floor(value / 128)) this.bytes.push((value % 128) | 128);
    this.bytes.push(value);
    return this;
  }

  // Fields come in order: `step` is how much greater the id is than the one before.
  field(step, type) {
    this.bytes.push((step << 4) | type);
    return this;
  }

  number(step, type, value) {
    return this.field(step, type).varint(2 * value);
  }

  raw(bytes) {
    for (const byte of bytes) this.bytes.push(byte);
    return this;
  }

  text(text) {
    const bytes = new TextEncoder().encode(text);
    return this.varint(bytes.length).raw(bytes);
  }

  list(size, type) {
    if (size < 15) this.bytes.push((size << 4) | type);
    else this.raw([0xf0 | type]).varint(size);
    return this;
  }

  end() {
    this.bytes.push(0);
    return this;
  }
}

// The bytes of each element of the lists of structures in a footer, by the field of the list.
function elementsIn(footer) {
  const lists = new Map();
  const walker = new Walker(footer);
  walker.fields((id, type) => {
    if (type !== LIST) return false;
    const { size, type: of } = walker.list();
    const elements = [];
    for (let i = 0; i < size; ++i) {
      const begin = walker.at;
      walker.pass(of, true);
      elements.push(footer.subarray(begin, walker.at));
    }
    lists.set(id, elements);
    return true;
  });
  return lists;
}

function keyOf(keyValue) {
  let key;
  const walker = new Walker(keyValue);
  walker.fields((id, type) => {
    if (id !== 1 || type !== BINARY) return false;
    key = new TextDecoder().decode(walker.binary());
    return true;
  });
  return key;
}

// One bit a row, as a run of packed bits.
function levelsOf(values) {
  const bits = packed(values.map((value) => value !== null && value !== undefined));
  const run = new ThriftBytes().varint(bits.length * 2 + 1).raw(bits).bytes;
  return Uint8Array.from([run.length & 255, (run.length >> 8) & 255, run.length >> 16, 0, ...run]);
}

function packed(values) {
  const bytes = new Uint8Array(Math.ceil(values.length / 8));
  values.forEach((value, i) => value && (bytes[i >> 3] |= 1 << (i & 7)));
  return bytes;
}

function plain(values, type) {
  if (type === "BOOLEAN") return packed(values);
  if (type === "INT32") return new Uint8Array(Int32Array.from(values).buffer);
  if (type === "INT64")
    return new Uint8Array(BigInt64Array.from(values, (value) => BigInt.asIntN(64, BigInt(value))).buffer);
  if (type === "FLOAT") return new Uint8Array(Float32Array.from(values).buffer);
  if (type === "DOUBLE") return new Uint8Array(Float64Array.from(values).buffer);
  const prefix = type === "BYTE_ARRAY" ? 4 : 0;
  const bytes = new Uint8Array(values.reduce((sum, value) => sum + prefix + value.length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const value of values) {
    if (prefix) view.setUint32(at, value.length, true);
    bytes.set(value, at + prefix);
    at += prefix + value.length;
  }
  return bytes;
}

export class ParquetFile {
  // Whether its values are decoded to what they were stored as.
  static canHave({ element, logical, isNested }) {
    const isBytes = element.type.endsWith("BYTE_ARRAY");
    return !isNested && element.type !== "INT96" && !(isBytes && ["DECIMAL", "FLOAT16"].includes(logical?.type));
  }

  // Of columns of the log, all of them flat.
  constructor({ columns, footerWithoutRows }, numbers) {
    const lists = elementsIn(footerWithoutRows);
    const leaves = lists.get(2).filter((element) => !new SchemaElement(element).hasChildren);
    this.schema = numbers.map((i) => leaves[i]);
    this.columns = numbers.map((i) => columns[i]);
    this.keyValues = (lists.get(5) ?? []).filter((element) => !LEFT_KEYS.test(keyOf(element)));
    this.parts = [new TextEncoder().encode("PAR1")];
    this.at = 4;
    this.rows = 0;
    this.groups = [];
  }

  add(bytes) {
    this.parts.push(bytes);
    this.at += bytes.length;
  }

  addRows(all, rows) {
    const begin = this.at;
    const chunks = all.map((values, k) => this.addChunk(values, this.columns[k]));
    const group = new ThriftBytes().field(1, LIST).list(chunks.length, STRUCT);
    for (const { bytes } of chunks) group.raw(bytes);
    group
      .number(1, I64, this.at - begin)
      .number(1, I64, rows)
      .end();
    this.groups.push(group.bytes);
    this.rows += rows;
  }

  addChunk(values, { element, isOptional, path }) {
    const levels = isOptional ? levelsOf(values) : new Uint8Array(0);
    const there = isOptional ? values.filter((value) => value !== null && value !== undefined) : values;
    const data = plain(there, element.type);
    const size = levels.length + data.length;
    const header = new ThriftBytes().number(1, I32, 0).number(1, I32, size).number(1, I32, size).field(2, STRUCT);
    header.number(1, I32, values.length).number(1, I32, 0).number(1, I32, RLE).number(1, I32, RLE).end().end();
    const begin = this.at;
    for (const part of [Uint8Array.from(header.bytes), levels, data]) this.add(part);
    const whole = this.at - begin;
    const chunk = new ThriftBytes().number(2, I64, begin).field(1, STRUCT);
    chunk
      .number(1, I32, TYPES.indexOf(element.type))
      .field(1, LIST)
      .list(2, I32)
      .varint(0)
      .varint(2 * RLE);
    chunk.field(1, LIST).list(path.length, BINARY);
    for (const name of path) chunk.text(name);
    chunk.number(1, I32, 0).number(1, I64, values.length).number(1, I64, whole).number(1, I64, whole);
    chunk.number(2, I64, begin).end().end();
    return { bytes: chunk.bytes };
  }

  // All bytes, in parts.
  finish() {
    const footer = new ThriftBytes()
      .number(1, I32, 1)
      .field(1, LIST)
      .list(this.schema.length + 1, STRUCT);
    footer.field(4, BINARY).text("schema").number(1, I32, this.schema.length).end();
    for (const element of this.schema) footer.raw(element);
    footer.number(1, I64, this.rows).field(1, LIST).list(this.groups.length, STRUCT);
    for (const group of this.groups) footer.raw(group);
    footer.field(1, LIST).list(this.keyValues.length, STRUCT);
    for (const each of this.keyValues) footer.raw(each);
    footer.field(1, BINARY).text("microparquet viewer").end();
    const tail = new Uint8Array(8);
    new DataView(tail.buffer).setUint32(0, footer.bytes.length, true);
    tail.set(new TextEncoder().encode("PAR1"), 4);
    return [...this.parts, Uint8Array.from(footer.bytes), tail];
  }
}

class SchemaElement {
  constructor(bytes) {
    const walker = new Walker(bytes);
    this.hasChildren = false;
    walker.fields((id) => {
      if (id !== 5) return false;
      this.hasChildren = walker.integer() > 0;
      return true;
    });
  }
}
