#include "chunk_places.h"

#include "compact_bytes.h"
#include "microparquet/detail/fields.h"
#include "thrift/compact_reader.h"

namespace microparquet::recovery {

namespace {

using thrift::CompactReader;
using thrift::FieldHeader;

void read_encodings(CompactReader& in, const FieldHeader& field, ColumnChunkInfo& info) {
  for (std::uint32_t left = in.list(field, thrift::CompactType::kI32); left != 0 && in.ok(); --left) {
    const std::int32_t encoding = in.element_i32();
    info.encodings |= encoding >= 0 && encoding < 32 ? 1U << encoding : 0;
  }
}

void read_metadata(CompactReader& in, ChunkPlaces& places) {
  using Field = format::ColumnMetaDataField;
  ColumnChunkInfo& info = places.info;
  for (FieldHeader field; in.next(field);) {
    switch (field.id) {
      case Field::kEncodings: read_encodings(in, field, info); break;
      case Field::kCodec: info.codec = static_cast<CodecId>(in.count32(field)); break;
      case Field::kNumValues: info.values = in.count(field); break;
      case Field::kTotalUncompressedSize: info.uncompressed_bytes = in.count(field); break;
      case Field::kTotalCompressedSize: info.compressed_bytes = in.count(field); break;
      case Field::kDataPageOffset: info.data_page_offset = in.count(field); break;
      case Field::kDictionaryPageOffset: info.dictionary_page_offset = in.count(field); break;
      case Field::kBloomFilterOffset: places.bloom_filter.offset = in.count(field); break;
      case Field::kBloomFilterLength: places.bloom_filter.bytes = in.count(field); break;
      default: in.skip(field); break;
    }
  }
}

}  // namespace

std::optional<ChunkPlaces> places_of(ByteView chunk) {
  using Field = format::ColumnChunkField;
  detail::Window window = window_on(chunk);
  CompactReader in(window);
  ChunkPlaces places;
  bool has_metadata = false;
  for (FieldHeader field; in.next(field);) {
    switch (field.id) {
      case Field::kMetaData:
        in.begin_struct(field);
        read_metadata(in, places);
        has_metadata = true;
        break;
      case Field::kFilePath:
        places.elsewhere = true;
        in.skip(field);
        break;
      case Field::kFileOffset: places.file_offset = in.count(field); break;
      case Field::kOffsetIndexOffset: places.offset_index.offset = in.count(field); break;
      case Field::kOffsetIndexLength: places.offset_index.bytes = in.count(field); break;
      case Field::kColumnIndexOffset: places.column_index.offset = in.count(field); break;
      case Field::kColumnIndexLength: places.column_index.bytes = in.count(field); break;
      default: in.skip(field); break;
    }
  }
  return in.ok() && has_metadata ? std::optional(places) : std::nullopt;
}

}  // namespace microparquet::recovery
