// The footer, read from end to end once: its schema, its row groups and their column chunks.
#pragma once

#include <cstdint>

#include "format/row_group_reader.h"
#include "microparquet/detail/reader_state.h"
#include "microparquet/status.h"
#include "thrift/compact_reader.h"

namespace microparquet::read {

// Reading the footer, once, from its beginning to its end.

// Finds the footer from the last eight bytes of the file.
// - kNotParquet, kEncrypted: see Reader::open
// - kCorrupt: the footer is longer than the file
Status find_footer(detail::ReaderState& state);

// Reads FileMetaData, fills `leaves`, and notes where its lists begin.
// - kOutOfMemory: the arena ends before the leaves do; leaf_count has their number
Status read_footer(detail::ReaderState& state);

// The reader's copy of the schema.

// Reads the `count` elements of FileMetaData.schema, at the window's position, and fills `leaves`.
// - kOutOfMemory: the arena ends before the leaves do; leaf_count has their number
void read_schema(thrift::CompactReader& in, std::uint32_t count, detail::ReaderState& state);

// The RowGroup structure of a footer.

// Reads one element of FileMetaData.row_groups and checks it against the schema. If `start` is set, the
// chosen columns go to the beginning of their chunks.
// - kCorrupt: a field is missing, or the columns are not those of the schema or not of one length
// - kEncrypted: a column is encrypted
void read_row_group(thrift::CompactReader& in, detail::ReaderState& state, format::RowGroup& row_group,
                    bool start);

// Footer entry of one column in the current row group.

// Reads the entry of a column into `chunk` of the state. Asking for the same column again costs nothing; a
// later column is searched for from there on.
// - kWrongState: no row group is current
// - kInvalidArgument: no such column
Status find_chunk(detail::ReaderState& state, std::uint32_t column);

}  // namespace microparquet::read
