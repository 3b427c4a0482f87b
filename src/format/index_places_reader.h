// Reading where a column chunk's page index and bloom filter lie (parquet.thrift, ColumnChunk), from any
// writer.
#pragma once

#include <cstdint>

#include "microparquet/detail/format/fields.h"
#include "thrift/compact_reader.h"

namespace microparquet::format {

// Part of the file; 0 bytes: there is none, or its length is not stated.
struct IndexPlace {
  std::uint64_t offset = 0;
  std::uint32_t bytes = 0;
};

struct IndexPlaces {
  IndexPlace offset_index;
  IndexPlace column_index;
  std::uint64_t bloom_filter = 0;  // place in the file; 0: none
};

// Reads the next column chunk.
static inline void read_index_places(thrift::CompactReader& in, IndexPlaces& places) {
  places = {};
  for (thrift::FieldHeader field; in.next(field);) {
    switch (field.id) {
      case ColumnChunkField::kOffsetIndexOffset: places.offset_index.offset = in.count(field); break;
      case ColumnChunkField::kOffsetIndexLength: places.offset_index.bytes = in.count32(field); break;
      case ColumnChunkField::kColumnIndexOffset: places.column_index.offset = in.count(field); break;
      case ColumnChunkField::kColumnIndexLength: places.column_index.bytes = in.count32(field); break;
      case ColumnChunkField::kMetaData:
        in.begin_struct(field);
        for (thrift::FieldHeader member; in.next(member);) {
          if (member.id == ColumnMetaDataField::kBloomFilterOffset) {
            places.bloom_filter = in.count(member);
          } else {
            in.skip(member);
          }
        }
        break;
      default: in.skip(field); break;
    }
  }
}

}  // namespace microparquet::format
