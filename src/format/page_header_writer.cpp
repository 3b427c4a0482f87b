#include "format/page_header_writer.h"

#include "microparquet/encoding_id.h"
#include "thrift/compact_writer.h"

namespace microparquet::format {

using detail::varint_bytes;
using thrift::CompactWriter;

// Two structs of fields, all of type i32.
std::uint32_t dictionary_page_header_bytes(const DictionaryPageFields& fields) {
  constexpr std::uint32_t kHeadersAndConstants = 11;
  return kHeadersAndConstants + varint_bytes(zigzag_of(fields.uncompressed_bytes)) +
         varint_bytes(zigzag_of(fields.stored_bytes)) + varint_bytes(zigzag_of(fields.crc)) +
         varint_bytes(zigzag_of(fields.values));
}

void write_dictionary_page_header(thrift::WindowSink& sink, const DictionaryPageFields& fields) {
  CompactWriter out(sink);
  out.field_i32(PageHeaderField::kType, static_cast<std::int32_t>(PageType::kDictionary));
  out.field_i32(PageHeaderField::kUncompressedPageSize, static_cast<std::int32_t>(fields.uncompressed_bytes));
  out.field_i32(PageHeaderField::kCompressedPageSize, static_cast<std::int32_t>(fields.stored_bytes));
  out.field_i32(PageHeaderField::kCrc, static_cast<std::int32_t>(fields.crc));
  out.field_struct(PageHeaderField::kDictionaryPageHeader);
  out.field_i32(DictionaryPageHeaderField::kNumValues, static_cast<std::int32_t>(fields.values));
  out.field_i32(DictionaryPageHeaderField::kEncoding, static_cast<std::int32_t>(EncodingId::kPlain));
  out.end_struct(PageHeaderField::kDictionaryPageHeader);
  sink.put_byte(0);
}

}  // namespace microparquet::format
