// The row groups of a file, of which there may be many, with many columns: in little memory.
import { CompressionCodecs } from "hyparquet/src/constants.js";
import { walkRowGroup } from "../file/thrift_walk.js";

export class RowGroups {
  // Each is {entry}, the bytes of its structure, or {described}, as of a save.
  constructor(groups, columns) {
    this.length = groups.length;
    this.columns = columns;
    this.rows = new Float64Array(groups.length);
    this.places = new Float64Array(2 * groups.length * columns);
    this.codecs = new Uint8Array(groups.length * columns);
    this.pieces = new Map(); // where a head tells of it
    this.bounds = new Array(columns);
    this.varying = new Uint8Array(columns);
    groups.forEach(({ entry, described }, number) => {
      if (entry) this.walk(entry, number);
      else this.add(described, number);
    });
    this.bounds = undefined;
  }

  walk(entry, number) {
    let column = 0;
    const { rows } = walkRowGroup(entry, 0, ({ codec, begin, size, min, max }) => {
      if (column >= this.columns) return;
      const at = number * this.columns + column;
      this.codecs[at] = codec;
      if (begin !== undefined) this.places.set([begin, begin + size], 2 * at);
      if (min && max) this.compare(column, min, max);
      ++column;
    });
    this.rows[number] = rows;
  }

  compare(column, min, max) {
    const known = (this.bounds[column] ??= min.slice());
    const differs = (bound) => bound.length !== known.length || bound.some((byte, i) => byte !== known[i]);
    if (!this.varying[column] && (differs(min) || differs(max))) this.varying[column] = 1;
  }

  add(group, number) {
    this.rows[number] = Number(group.num_rows);
    group.columns.forEach(({ meta_data: { pieces } }, i) => this.pieces.set(number * this.columns + i, pieces));
  }

  // As readChunk() takes it.
  chunk(number, column) {
    const at = number * this.columns + column;
    const [begin, end] = [this.places[2 * at], this.places[2 * at + 1]];
    return { codec: CompressionCodecs[this.codecs[at]], place: { begin, end }, pieces: this.pieces.get(at) };
  }

  // Whether statistics say that a column's values differ.
  varies(column) {
    return this.varying[column] === 1;
  }
}
