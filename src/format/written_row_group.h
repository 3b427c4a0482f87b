// RowGroup in the form of row_group.h, read back by the library that wrote it.
#pragma once

#include <cstdint>

#include "microparquet/detail/format/fields.h"
#include "thrift/compact_reader.h"

namespace microparquet::format {

// First byte of a chunk's data_page_offset; a number follows.
inline constexpr unsigned kDataPageOffsetHeader =
    thrift::field_byte(ColumnMetaDataField::kDataPageOffset, thrift::CompactType::kI64,
                       ColumnMetaDataField::kTotalCompressedSize);

struct WrittenChunk {
  std::uint64_t begin;  // offset of its first page
  std::uint32_t bytes;
  std::uint32_t values;
};

// Goes to the first chunk: their list is the first field.
static inline void enter_written_chunks(thrift::CompactReader& in) {
  thrift::FieldHeader field;
  in.next(field);
  in.list(field, thrift::CompactType::kStruct);
}

// Reads the next chunk.
static inline void read_written_chunk(thrift::CompactReader& in, WrittenChunk& chunk) {
  for (thrift::FieldHeader field; in.next(field);) {
    if (field.id != ColumnChunkField::kMetaData) {
      in.skip(field);
      continue;
    }
    in.begin_struct(field);
    for (thrift::FieldHeader inner; in.next(inner);) {
      switch (inner.id) {
        case ColumnMetaDataField::kNumValues: chunk.values = in.count32(inner); break;
        case ColumnMetaDataField::kTotalCompressedSize: chunk.bytes = in.count32(inner); break;
        // A dictionary page's offset comes after that of the data, and replaces it.
        case ColumnMetaDataField::kDataPageOffset:
        case ColumnMetaDataField::kDictionaryPageOffset: chunk.begin = in.count(inner); break;
        default: in.skip(inner); break;
      }
    }
  }
}

// Reads the fields of a row group after its chunks; returns its number of rows.
static inline std::uint32_t read_rows_after_chunks(thrift::CompactReader& in) {
  std::uint32_t rows = 0;
  for (thrift::FieldHeader field; in.next(field);) {
    if (field.id == RowGroupField::kNumRows) {
      rows = in.count32(field);
    } else {
      in.skip(field);
    }
  }
  return rows;
}

}  // namespace microparquet::format
