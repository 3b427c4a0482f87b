// Reads column chunks, a page at a time, and looks at the checksum of each page that has one.
import { decompress as decompressZstd } from "fzstd";
import { gunzip } from "hyparquet-compressors/src/gzip.js";
import { decompressLz4, decompressLz4Raw } from "hyparquet-compressors/src/lz4.js";
import { parquetHeader, readPage } from "hyparquet/src/column.js";
import { convert } from "hyparquet/src/convert.js";
import { continueCrc } from "../file/crc32.js";
import { viewOf } from "../file/footer.js";
import { Failure, whyOf } from "./failure.js";

// Brotli's dictionary alone would make the page half as large again.
const compressors = {
  GZIP: (bytes, length) => gunzip(bytes, new Uint8Array(length)),
  LZ4: decompressLz4,
  LZ4_RAW: decompressLz4Raw,
  ZSTD: (bytes, length) => decompressZstd(bytes, new Uint8Array(length)),
};
const KNOWN_CODECS = ["UNCOMPRESSED", "SNAPPY", ...Object.keys(compressors)];

// Returns where the chunk's pages lie: [begin, end) of each run, which are several only where a head tells of them, as its `pieces`.
// Throws Failure when that is not in the file.
export function placesOf(chunk, fileBytes) {
  const places = chunk.pieces ?? [placeInFooter(chunk)];
  const isInside = ({ begin, end }) => begin >= 4 && end >= begin && end <= fileBytes;
  if (!places.every(isInside)) throw new Failure("its pages are not inside the file");
  return places;
}

function placeInFooter(chunk) {
  const { dictionary_page_offset: dictionary, data_page_offset: data, total_compressed_size: size } = chunk;
  const begin = Number(dictionary && dictionary < data ? dictionary : data);
  return { begin, end: begin + Number(size) };
}

// Calls visit(values, count) for each page of the chunk, in order: an array of `count` values, in which null and undefined are
// no value; and seeDictionary(crc) for its dictionary, with the CRC of that page. Throws Failure for a codec that is not known, and for a page that is damaged.
export function readChunk(bytes, chunk, column, visit, seeDictionary = () => {}) {
  if (!KNOWN_CODECS.includes(chunk.codec)) {
    throw new Failure(`it is compressed by ${chunk.codec}, which this page does not read: mpq cat and DuckDB do`);
  }
  const decoder = {
    ...{ pathInSchema: column.path, schemaPath: column.schemaPath, element: column.element, compressors },
    ...{
      type: column.element.type,
      codec: chunk.codec,
      parsers: { timestampFromNanoseconds: (value) => value },
      utf8: false,
      needsChecksums: chunk.pieces !== undefined,
    },
  };
  for (const place of placesOf(chunk, bytes.length)) readPages(bytes, place, decoder, visit, seeDictionary);
}

function readPages(bytes, { begin, end }, decoder, visit, seeDictionary) {
  const reader = { view: viewOf(bytes.subarray(begin, end)), offset: 0 };
  let dictionary;
  while (reader.offset < end - begin) {
    const at = begin + reader.offset;
    try {
      const header = parquetHeader(reader);
      checkPage(bytes, begin + reader.offset, header, end, decoder.needsChecksums);
      const page = pageOf(reader, header, decoder, dictionary);
      if (header.type === "DICTIONARY_PAGE") {
        dictionary = convert(page, decoder);
        seeDictionary(header.crc);
      } else if (page) visit(page, page.length);
    } catch (error) {
      throw error instanceof Failure ? error : new Failure(`the page at byte ${at} cannot be read: ${whyOf(error)}`);
    }
  }
}

function checkPage(bytes, at, header, end, needsChecksum) {
  const pageEnd = at + header.compressed_page_size;
  if (pageEnd > end) throw new Failure(`the page at byte ${at} does not end in its column`);
  if (header.crc === undefined && needsChecksum) throw new Failure(`the page at byte ${at} has no checksum`);
  if (header.crc !== undefined && continueCrc(0, bytes.subarray(at, pageEnd)) !== header.crc >>> 0) {
    throw new Failure(`the page at byte ${at} is damaged: its checksum is another one`);
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
