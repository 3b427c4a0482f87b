// A row group that only a head tells of. Its pages lie in two places: the stored ones of a column in its extent, the open one after
// the head.
import { Missing } from "../file/ranges.js";
import { readChunk } from "./chunk.js";

// Its metadata. Columns of row groups with tails are not compressed.
export function describeSave(head, columns) {
  const chunkOf = ({ stored, open }, { element, path }) => ({
    type: element.type,
    path_in_schema: path,
    codec: "UNCOMPRESSED",
    num_values: BigInt(head.rows),
    pieces: [stored, open].filter(({ begin, end }) => end > begin),
  });
  return {
    columns: head.columns.map((column, i) => ({ meta_data: chunkOf(column, columns[i]) })),
    num_rows: BigInt(head.rows),
  };
}

// Whether its pages are there: each has its checksum, and together they have the rows that the head states.
export function saveHolds(bytes, head, { columns: chunks }, columns) {
  const rowsIn = (i, place) => {
    let rows = 0;
    const chunk = { ...chunks[i].meta_data, pieces: place.end > place.begin ? [place] : [] };
    readChunk(bytes, chunk, columns[i], (values, count) => (rows += count));
    return rows;
  };
  try {
    return head.columns.every(
      ({ stored, firstRow, open }, i) => rowsIn(i, stored) === firstRow && rowsIn(i, open) === head.rows - firstRow,
    );
  } catch (error) {
    if (error instanceof Missing) throw error;
    return false;
  }
}
