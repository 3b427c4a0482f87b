#include "format/repetition_encoding.h"

#include "microparquet/detail/format/fields.h"
#include "microparquet/encoding_id.h"

namespace microparquet::format {

namespace {

void read_encoding_in(thrift::CompactReader& in, std::uint32_t& encoding) {
  for (thrift::FieldHeader field; in.next(field);) {
    if (field.id == DataPageHeaderField::kRepetitionLevelEncoding) {
      encoding = in.count32(field);
    } else {
      in.skip(field);
    }
  }
}

}  // namespace

std::uint32_t read_repetition_encoding(thrift::CompactReader& in) {
  auto encoding = static_cast<std::uint32_t>(EncodingId::kRle);
  for (thrift::FieldHeader field; in.next(field);) {
    if (field.id == PageHeaderField::kDataPageHeader) {
      in.begin_struct(field);
      read_encoding_in(in, encoding);
    } else {
      in.skip(field);
    }
  }
  return encoding;
}

}  // namespace microparquet::format
