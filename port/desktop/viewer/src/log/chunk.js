// Reads column chunks, a page at a time, and looks at the checksum of each page that has one.
import { decompress as decompressZstd } from "fzstd";
import { gunzip } from "hyparquet-compressors/src/gzip.js";
import { decompressLz4, decompressLz4Raw } from "hyparquet-compressors/src/lz4.js";
import { parquetHeader, readPage } from "hyparquet/src/column.js";
import { convert } from "hyparquet/src/convert.js";
import { continueCrc } from "../file/crc32.js";
import { viewOf } from "../file/footer.js";
import { Missing } from "../file/ranges.js";
import { Failure, whyOf } from "./failure.js";
import { nestedPage } from "./nested_page.js";

// Brotli's dictionary alone would make the page half as large again.
const compressors = {
  GZIP: (bytes, length) => gunzip(bytes, new Uint8Array(length)),
  LZ4: decompressLz4,
  LZ4_RAW: decompressLz4Raw,
  ZSTD: (bytes, length) => decompressZstd(bytes, new Uint8Array(length)),
};
const HEADER_BYTES = 4096;
const KNOWN_CODECS = ["UNCOMPRESSED", "SNAPPY", ...Object.keys(compressors)];

// Returns where the chunk's pages lie: [begin, end) of each run, which are several only where a head tells of them, as its `pieces`.
// Throws Failure when that is not in the file.
export function placesOf(chunk, fileBytes) {
  const places = chunk.pieces ?? [chunk.place ?? placeInFooter(chunk)];
  const isInside = ({ begin, end }) => begin >= 4 && end >= begin && end <= fileBytes;
  if (!places.every(isInside)) throw new Failure("its pages are not inside the file");
  return places;
}

export function placeInFooter(chunk) {
  const { dictionary_page_offset: dictionary, data_page_offset: data, total_compressed_size: size } = chunk;
  const begin = Number(dictionary && dictionary < data ? dictionary : data);
  return { begin, end: begin + Number(size) };
}

// Calls visit(values, count) for each page of the chunk, in order: an array of `count` values, in which null and undefined are
// no value; and seeDictionary(crc) for its dictionary, with the CRC of that page. Throws Failure for a codec that is not known, and
// for a page that is damaged.
export function readChunk(bytes, chunk, column, visit, seeDictionary) {
  const reader = new PageReader(bytes, chunk, column, seeDictionary);
  for (let page = reader.next(); page; page = reader.next()) visit(page, page.length);
}

// Reads the pages of a chunk one by one. Where next() throws Missing, it can be called again.
export class PageReader {
  constructor(bytes, chunk, column, seeDictionary = () => {}) {
    if (!KNOWN_CODECS.includes(chunk.codec)) {
      throw new Failure(`it is compressed by ${chunk.codec}, which this page does not read: mpq cat and DuckDB do`);
    }
    this.decoder = {
      ...{ pathInSchema: column.path, schemaPath: column.schemaPath, element: column.element, compressors },
      ...{
        type: column.element.type,
        codec: chunk.codec,
        parsers: { timestampFromNanoseconds: (value) => value },
        utf8: false,
        needsChecksums: chunk.pieces !== undefined,
      },
    };
    this.places = placesOf(chunk, bytes.length);
    this.at = this.places[0]?.begin;
    const { isNested = false, isList = false } = column;
    Object.assign(this, { bytes, seeDictionary, place: 0, isNested, isList, held: [] });
  }

  // The values of the next page that has some; undefined: there is none. Of lists the last row is held back until it is known that
  // the next page does not continue it.
  next() {
    if (!this.isList) return this.isNested ? this.nextPage()?.rows : this.nextPage();
    for (;;) {
      const page = this.nextPage();
      const { held } = this;
      if (!page) {
        this.held = [];
        return held.length ? held : undefined;
      }
      const [last] = held;
      if (last) for (const value of page.before) last.push(value);
      if (page.rows.length === 0) continue;
      this.held = [page.rows.pop()];
      const rows = held.concat(page.rows);
      if (rows.length) return rows;
    }
  }

  nextPage() {
    for (; this.place < this.places.length; this.enter(this.place + 1)) {
      while (this.at < this.places[this.place].end) {
        const page = this.page();
        if (page?.length || page?.rows) return page;
      }
    }
    return undefined;
  }

  // Where the pages end among which the next one is.
  end() {
    return this.places[this.place].end;
  }

  pageOf(reader, header) {
    const { decoder, dictionary, isNested, isList } = this;
    const hasRows = header.type === "DATA_PAGE" || header.type === "DATA_PAGE_V2";
    if (isNested && hasRows) return nestedPage(reader, header, decoder, dictionary, isList);
    return pageOf(reader, header, decoder, dictionary);
  }

  enter(place) {
    Object.assign(this, { place, at: this.places[place]?.begin, dictionary: undefined });
  }

  page() {
    const { bytes, decoder, at } = this;
    const { end } = this.places[this.place];
    try {
      const { header, headerBytes } = headerAt(bytes, at, end);
      const pageEnd = at + headerBytes + header.compressed_page_size;
      checkPage(bytes, at, headerBytes, header, end, decoder.needsChecksums);
      const reader = { view: viewOf(bytes.subarray(at, pageEnd)), offset: headerBytes };
      const page = this.pageOf(reader, header);
      this.at = at + reader.offset;
      if (header.type !== "DICTIONARY_PAGE") return page;
      this.dictionary = convert(page, decoder);
      this.seeDictionary(header.crc);
      return undefined;
    } catch (error) {
      if (error instanceof Failure || error instanceof Missing) throw error;
      throw new Failure(`the page at byte ${at} cannot be read: ${whyOf(error)}`);
    }
  }
}

// Most headers are small, and few have long texts as bounds.
function headerAt(bytes, at, end) {
  const parsed = (view) => {
    const reader = { view, offset: 0 };
    return { header: parquetHeader(reader), headerBytes: reader.offset };
  };
  const usual = Math.min(at + HEADER_BYTES, end);
  try {
    return parsed(viewOf(bytes.subarray(at, usual)));
  } catch (error) {
    if (error instanceof Missing || usual === end) throw error;
    return parsed(viewOf(bytes.subarray(at, end)));
  }
}

function checkPage(bytes, at, headerBytes, header, end, needsChecksum) {
  const begin = at + headerBytes;
  const pageEnd = begin + header.compressed_page_size;
  if (!(pageEnd >= begin)) throw new Failure(`the page at byte ${at} has no size`);
  if (pageEnd > end) throw new Failure(`the page at byte ${begin} does not end in its column`);
  if (header.crc === undefined && needsChecksum) throw new Failure(`the page at byte ${begin} has no checksum`);
  if (header.crc !== undefined && continueCrc(0, bytes.subarray(begin, pageEnd)) !== header.crc >>> 0) {
    throw new Failure(`the page at byte ${begin} is damaged: its checksum is another one`);
  }
}

function pageOf(reader, header, decoder, dictionary) {
  if (header.type === "INDEX_PAGE") {
    reader.offset += header.compressed_page_size;
    return undefined;
  }
  const v2 = header.data_page_header_v2;
  if (v2 && v2.num_nulls === v2.num_values && decoder.schemaPath.length === 2) {
    reader.offset += header.compressed_page_size;
    return new Array(v2.num_values).fill(null);
  }
  return readPage(reader, header, decoder, dictionary, undefined, 0).data ?? [];
}
