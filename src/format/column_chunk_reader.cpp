#include "format/column_chunk_reader.h"

#include "base/bytes.h"
#include "format/field_bit.h"
#include "microparquet/detail/format/fields.h"

namespace microparquet::format {

namespace {

void read_encodings(thrift::CompactReader& in, const thrift::FieldHeader& field, ColumnChunk& chunk) {
  for (std::uint32_t left = in.list(field, thrift::CompactType::kI32); left != 0 && in.ok(); --left) {
    const auto encoding = static_cast<std::uint32_t>(in.element_i32());
    if (encoding < 32) chunk.encodings |= 1U << encoding;
  }
}

constexpr unsigned kRequiredFields =
    field_bit(ColumnMetaDataField::kType) | field_bit(ColumnMetaDataField::kCodec) |
    field_bit(ColumnMetaDataField::kNumValues) | field_bit(ColumnMetaDataField::kTotalUncompressedSize) |
    field_bit(ColumnMetaDataField::kTotalCompressedSize) | field_bit(ColumnMetaDataField::kDataPageOffset);

void read_meta_data(thrift::CompactReader& in, ColumnChunk& chunk) {
  unsigned seen = 0;
  for (thrift::FieldHeader field; in.next(field);) {
    if (field.id > 0 && field.id < 32) seen |= field_bit(field.id);
    switch (field.id) {
      case ColumnMetaDataField::kType: chunk.type = in.count32(field); break;
      case ColumnMetaDataField::kEncodings: read_encodings(in, field, chunk); break;
      case ColumnMetaDataField::kCodec: chunk.codec = in.count32(field); break;
      case ColumnMetaDataField::kNumValues: chunk.values = in.count(field); break;
      case ColumnMetaDataField::kTotalUncompressedSize: chunk.uncompressed_bytes = in.count(field); break;
      case ColumnMetaDataField::kTotalCompressedSize: chunk.compressed_bytes = in.count(field); break;
      case ColumnMetaDataField::kDataPageOffset: chunk.data_page_offset = in.count(field); break;
      case ColumnMetaDataField::kDictionaryPageOffset: chunk.dictionary_page_offset = in.count(field); break;
      case ColumnMetaDataField::kStatistics:
        in.begin_struct(field);
        chunk.statistics_begin = in.window().position();
        in.skip(field);
        break;
      default: in.skip(field); break;
    }
  }
  chunk.complete = (seen & kRequiredFields) == kRequiredFields;
}

}  // namespace

void read_column_chunk(thrift::CompactReader& in, ColumnChunk& chunk) {
  util::clear_bytes(&chunk, sizeof chunk);
  for (thrift::FieldHeader field; in.next(field);) {
    switch (field.id) {
      case ColumnChunkField::kFilePath:
        chunk.in_other_file = true;
        in.skip(field);
        break;
      case ColumnChunkField::kMetaData:
        in.begin_struct(field);
        read_meta_data(in, chunk);
        break;
      case ColumnChunkField::kCryptoMetadata:
      case ColumnChunkField::kEncryptedColumnMetadata:
        chunk.encrypted = true;
        in.skip(field);
        break;
      default: in.skip(field); break;
    }
  }
}

}  // namespace microparquet::format
