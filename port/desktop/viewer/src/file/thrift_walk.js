// Walks over structures of Thrift's compact protocol, and makes nothing of what nobody asks for: a footer may list 100,000 column
// chunks.
const TRUE = 1;
const FALSE = 2;
const BYTE = 3;
const DOUBLE = 7;
const BINARY = 8;
const LIST = 9;
const SET = 10;
const MAP = 11;
const STRUCT = 12;

export class Walker {
  constructor(bytes, at = 0) {
    Object.assign(this, { bytes, at });
  }

  byte() {
    if (this.at >= this.bytes.length) throw new RangeError("it ends too early");
    return this.bytes[this.at++];
  }

  varint() {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      if (factor > 2 ** 63) throw new RangeError("a number is too long");
    }
  }

  // Of at most 53 bits.
  integer() {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  binary() {
    const length = this.varint();
    const begin = this.at;
    this.at += length;
    if (this.at > this.bytes.length) throw new RangeError("it ends too early");
    return this.bytes.subarray(begin, this.at);
  }

  // {size, type} of a list's elements.
  list() {
    const header = this.byte();
    return { size: header >> 4 === 15 ? this.varint() : header >> 4, type: header & 15 };
  }

  // Calls read(id, type) for each field of a structure; where it returns false, the field is passed over.
  fields(read) {
    let id = 0;
    for (;;) {
      const header = this.byte();
      if (header === 0) return;
      id = header >> 4 ? id + (header >> 4) : this.integer();
      const type = header & 15;
      if (read(id, type) === false) this.pass(type);
    }
  }

  pass(type, isElement = false) {
    switch (type) {
      case TRUE:
      case FALSE:
        if (isElement) ++this.at;
        return;
      case BYTE:
        ++this.at;
        return;
      case DOUBLE:
        this.at += 8;
        return;
      case BINARY:
        this.binary();
        return;
      case LIST:
      case SET:
        this.passAll(this.list());
        return;
      case MAP:
        this.passMap();
        return;
      case STRUCT:
        this.fields(() => false);
        return;
      default:
        this.varint();
    }
  }

  passAll({ size, type }) {
    for (let i = 0; i < size; ++i) this.pass(type, true);
  }

  passMap() {
    const size = this.varint();
    if (size === 0) return;
    const types = this.byte();
    for (let i = 0; i < size; ++i) {
      this.pass(types >> 4, true);
      this.pass(types & 15, true);
    }
  }
}

// A RowGroup structure that begins at `at`: {rows, end}. visit(chunk), if there is one, sees each column chunk: {codec, begin, size,
// min, max} with the number of its codec, and undefined where it says nothing.
export function walkRowGroup(bytes, at, visit) {
  const walker = new Walker(bytes, at);
  let rows;
  walker.fields((id, type) => {
    if (id === 3) rows = walker.integer();
    else if (id === 1 && type === LIST && visit) {
      const { size } = walker.list();
      for (let i = 0; i < size; ++i) visit(chunkOf(walker));
    } else return false;
    return true;
  });
  return { rows, end: walker.at };
}

function chunkOf(walker) {
  const chunk = {};
  walker.fields((id) => {
    if (id !== 3) return false;
    walker.fields((field) => readField(walker, chunk, field));
    return true;
  });
  const { data, dictionary } = chunk;
  chunk.begin = dictionary && dictionary < data ? dictionary : data;
  return chunk;
}

function readField(walker, chunk, field) {
  if (field === 4) chunk.codec = walker.integer();
  else if (field === 7) chunk.size = walker.integer();
  else if (field === 9) chunk.data = walker.integer();
  else if (field === 11) chunk.dictionary = walker.integer();
  else if (field === 12) {
    walker.fields((id) => {
      if (id === 5) chunk.max = walker.binary();
      else if (id === 6) chunk.min = walker.binary();
      else return false;
      return true;
    });
  } else return false;
  return true;
}

// Where the row groups of a FileMetaData structure are: {header, begin, end, entries}, where the list begins, its first
// element, and where it ends; undefined: it has none.
export function findRowGroups(bytes) {
  const walker = new Walker(bytes);
  let found;
  walker.fields((id, type) => {
    if (id !== 4 || type !== LIST) return false;
    const header = walker.at;
    const { size } = walker.list();
    found = { header, begin: walker.at, entries: [] };
    for (let i = 0; i < size; ++i) {
      const { end } = walkRowGroup(bytes, walker.at);
      found.entries.push(bytes.subarray(walker.at, end));
      walker.at = end;
    }
    found.end = walker.at;
    return true;
  });
  return found;
}
