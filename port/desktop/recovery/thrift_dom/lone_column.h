// The footer of a file that has one column, of any writer's pages: its schema, its row group, its chunk.
#pragma once

#include <cstdint>
#include <vector>

#include "byte_views.h"
#include "microparquet/reader.h"
#include "thrift_dom/footer_parts.h"

namespace microparquet::recovery {

// What FileMetaData says beside its row groups. The column is in as many optional groups as give it its levels.
std::vector<FooterField> fields_of_column(const SchemaElement& element);

// A RowGroup structure of the ColumnChunk structure `chunk`.
Bytes row_group_of(ByteView chunk, std::uint64_t rows);

// A ColumnChunk structure of pages that follow PAR1, the dictionary's first. `info` is that of the chunk which
// they come from.
Bytes chunk_of_pages(const SchemaElement& element, const ColumnChunkInfo& info, std::uint64_t values,
                     std::uint64_t data_bytes, std::uint64_t dictionary_bytes);

}  // namespace microparquet::recovery
