// ColumnChunk with its ColumnMetaData, as the footer has them.
#pragma once

#include <cstdint>

#include "microparquet/schema.h"
#include "thrift/compact_reader.h"

namespace microparquet::format {

struct ColumnChunk {
  std::uint64_t values = 0;
  std::uint64_t compressed_bytes = 0;
  std::uint64_t uncompressed_bytes = 0;
  std::uint64_t data_page_offset = 0;
  std::uint64_t dictionary_page_offset = 0;  // 0: none
  std::uint32_t encodings = 0;               // bit n: the encoding numbered n
  std::uint8_t codec = 0;
  std::uint8_t type = 0;
  bool complete = false;  // every required field was there
  bool encrypted = false;
  bool in_other_file = false;
  std::uint64_t statistics_begin = 0;  // in the file, of the struct's first field; 0: none
};

// Reads one element of RowGroup.columns.
void read_column_chunk(thrift::CompactReader& in, ColumnChunk& chunk);

}  // namespace microparquet::format
