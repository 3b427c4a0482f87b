#include "thrift_dom/chunk_places.h"

#include "microparquet/detail/format/fields.h"
#include "microparquet/detail/format/magic.h"
#include "thrift/compact_reader.h"
#include "thrift_dom/thrift_value.h"

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

std::uint64_t dictionary_of(ByteView chunk) {
  std::size_t used = 0;
  const auto fields = ThriftValue::parse_struct(chunk, used);
  const ThriftValue* const meta_data = fields ? fields->find(format::ColumnChunkField::kMetaData) : nullptr;
  return meta_data == nullptr ? 0 : meta_data->number_of(format::ColumnMetaDataField::kDictionaryPageOffset);
}

std::string column_name_of(ByteView chunk) {
  std::size_t used = 0;
  const auto fields = ThriftValue::parse_struct(chunk, used);
  const ThriftValue* const meta_data = fields ? fields->find(format::ColumnChunkField::kMetaData) : nullptr;
  const ThriftValue* const path =
      meta_data != nullptr ? meta_data->find(format::ColumnMetaDataField::kPathInSchema) : nullptr;
  std::string name;
  for (std::size_t i = 0; path != nullptr && i < path->items().size(); ++i) {
    const Bytes& part = path->items()[i].bytes();
    name += (i == 0 ? "" : ".") + std::string(reinterpret_cast<const char*>(part.data()), part.size());
  }
  return name;
}

std::string file_path_of(ByteView chunk) {
  std::size_t used = 0;
  const auto fields = ThriftValue::parse_struct(chunk, used);
  const ThriftValue* const path = fields ? fields->find(format::ColumnChunkField::kFilePath) : nullptr;
  return path == nullptr
             ? std::string()
             : std::string(reinterpret_cast<const char*>(path->bytes().data()), path->bytes().size());
}

std::uint64_t bloom_filter_at(ByteView bytes) {
  std::size_t used = 0;
  const auto header = ThriftValue::parse_struct(bytes, used);
  return header ? used + header->number_of(format::BloomFilterHeaderField::kNumBytes) : 0;
}

std::size_t metadata_copy_bytes(ByteView bytes, const ColumnChunkInfo& info) {
  using Field = format::ColumnMetaDataField;
  std::size_t used = 0;
  const auto copy = ThriftValue::parse_struct(bytes, used);
  const ThriftValue* const inner = copy ? copy->find(format::ColumnChunkField::kMetaData) : nullptr;
  if (!copy || inner == nullptr) {
    return 0;
  }
  const ThriftValue& metadata = inner->type() == ThriftValue::Type::kStruct ? *inner : *copy;
  const bool same = metadata.number_of(Field::kDataPageOffset) == info.data_page_offset &&
                    metadata.number_of(Field::kTotalCompressedSize) == info.compressed_bytes;
  return same ? used : 0;
}

std::optional<ChunkEnd> read_chunk_end(ByteView bytes, std::uint64_t at, std::size_t& used) {
  using Meta = format::ColumnMetaDataField;
  const auto found = ThriftValue::parse_struct(bytes, used);
  if (!found) {
    return std::nullopt;
  }
  const ThriftValue* const inner = found->find(format::ColumnChunkField::kMetaData);
  const bool is_chunk = inner != nullptr && inner->type() == ThriftValue::Type::kStruct;
  const ThriftValue& meta = is_chunk ? *inner : *found;
  const ThriftValue* const path = meta.find(Meta::kPathInSchema);
  const std::uint64_t data = meta.number_of(Meta::kDataPageOffset);
  const std::uint64_t dictionary = meta.number_of(Meta::kDictionaryPageOffset);
  const std::uint64_t begin = dictionary != 0 && dictionary < data ? dictionary : data;
  if (path == nullptr || path->type() != ThriftValue::Type::kList || begin < format::kMagicBytes ||
      begin > at || at - begin != meta.number_of(Meta::kTotalCompressedSize)) {
    return std::nullopt;
  }
  ChunkEnd end;
  for (const ThriftValue& part : path->items()) {
    end.column += (end.column.empty() ? "" : ".") +
                  std::string(reinterpret_cast<const char*>(part.bytes().data()), part.bytes().size());
  }
  end.values = meta.number_of(Meta::kNumValues);
  return end;
}

}  // namespace microparquet::recovery
