// Beginning of a ColumnChunk (parquet.thrift) whose pages have several encodings.
#pragma once

#include <cstdint>

#include "io/window_sink.h"
#include "microparquet/detail/format/fields.h"
#include "microparquet/encoding_id.h"
#include "microparquet/type.h"
#include "thrift/compact_writer.h"

namespace microparquet::format {

// Returns the byte of an i32 below 64.
constexpr std::uint8_t zigzag_byte(unsigned small) { return static_cast<std::uint8_t>(small << 1); }

// Writes a ColumnChunk from its beginning to the header of its name. `encodings` has a bit for each encoding
// of its pages, including the levels.
static inline void put_chunk_head(thrift::WindowSink& sink, Type type, std::uint32_t encodings) {
  using Chunk = ColumnChunkField;
  using Meta = ColumnMetaDataField;
  using thrift::CompactType;
  using thrift::field_byte;
  std::uint8_t head[7 + EncodingSet::kEnd + 1];
  std::uint8_t* at = head;
  *at++ = field_byte(Chunk::kFileOffset, CompactType::kI64, 0);
  *at++ = 0;
  *at++ = field_byte(Chunk::kMetaData, CompactType::kStruct, Chunk::kFileOffset);
  *at++ = field_byte(Meta::kType, CompactType::kI32, 0);
  *at++ = zigzag_byte(static_cast<unsigned>(type));
  *at++ = field_byte(Meta::kEncodings, CompactType::kList, Meta::kType);
  std::uint8_t* const list = at++;
  for (unsigned id = 0; encodings >> id != 0; ++id) {
    if ((encodings >> id & 1) != 0) *at++ = zigzag_byte(id);
  }
  *list = thrift::list_byte(CompactType::kI32, static_cast<unsigned>(at - list) - 1);
  *at++ = field_byte(Meta::kPathInSchema, CompactType::kList, Meta::kEncodings);
  sink.put(head, static_cast<std::size_t>(at - head));
}

}  // namespace microparquet::format
