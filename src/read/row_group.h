// The RowGroup structure of a footer.
#pragma once

#include <cstdint>

#include "format/row_group_reader.h"
#include "microparquet/detail/reader_state.h"

namespace microparquet::read {

// Reads one element of FileMetaData.row_groups and checks it against the schema. If `start` is set, the
// chosen columns go to the beginning of their chunks.
// - kCorrupt: a field is missing, or the columns are not those of the schema or not of one length
// - kEncrypted: a column is encrypted
void read_row_group(thrift::CompactReader& in, detail::ReaderState& state, format::RowGroup& row_group,
                    bool start);

}  // namespace microparquet::read
