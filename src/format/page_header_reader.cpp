#include "format/page_header_reader.h"

#include "base/bytes.h"
#include "format/field_bit.h"
#include "format/usual_page_header.h"
#include "microparquet/detail/format/fields.h"
#include "microparquet/encoding_id.h"

namespace microparquet::format {

namespace {

// Counts the fields below 16 that come, and says whether all of `required` have.
class Seen {
 public:
  void add(int field) {
    if (field > 0 && field < 16) fields_ |= field_bit(field);
  }
  void require(thrift::CompactReader& in, unsigned required) const {
    if ((fields_ & required) != required) in.fail(Status::kCorrupt);
  }
  void forbid(thrift::CompactReader& in, unsigned forbidden) const {
    if ((fields_ & forbidden) != 0) in.fail(Status::kCorrupt);
  }

 private:
  unsigned fields_ = 0;
};

// The first fields of DataPageHeader and DictionaryPageHeader are the same.
void read_data_header(thrift::CompactReader& in, PageHeader& header) {
  Seen seen;
  for (thrift::FieldHeader field; in.next(field);) {
    seen.add(field.id);
    switch (field.id) {
      case DataPageHeaderField::kNumValues: header.values = in.count32(field); break;
      case DataPageHeaderField::kEncoding: header.encoding = in.count32(field); break;
      case DataPageHeaderField::kDefinitionLevelEncoding:
        // In a dictionary page's header the field is a flag of another type.
        if (header.type == PageType::kData) {
          header.level_encoding = in.count32(field);
          break;
        }
        in.skip(field);
        break;
      default: in.skip(field); break;
    }
  }
  seen.require(in, field_bit(DataPageHeaderField::kNumValues) | field_bit(DataPageHeaderField::kEncoding));
}

void read_data_header_v2(thrift::CompactReader& in, PageHeader& header) {
  Seen seen;
  for (thrift::FieldHeader field; in.next(field);) {
    seen.add(field.id);
    switch (field.id) {
      case DataPageHeaderV2Field::kNumValues: header.values = in.count32(field); break;
      case DataPageHeaderV2Field::kNumNulls: in.count32(field); break;
      case DataPageHeaderV2Field::kNumRows: header.rows = in.count32(field); break;
      case DataPageHeaderV2Field::kEncoding: header.encoding = in.count32(field); break;
      case DataPageHeaderV2Field::kDefinitionLevelsByteLength:
        header.definition_bytes = in.count32(field);
        break;
      case DataPageHeaderV2Field::kRepetitionLevelsByteLength:
        header.repetition_bytes = in.count32(field);
        break;
      case DataPageHeaderV2Field::kIsCompressed: header.compressed = in.boolean(field); break;
      default: in.skip(field); break;
    }
  }
  seen.require(in,
               field_bit(DataPageHeaderV2Field::kNumValues) | field_bit(DataPageHeaderV2Field::kNumNulls) |
                   field_bit(DataPageHeaderV2Field::kNumRows) | field_bit(DataPageHeaderV2Field::kEncoding) |
                   field_bit(DataPageHeaderV2Field::kDefinitionLevelsByteLength) |
                   field_bit(DataPageHeaderV2Field::kRepetitionLevelsByteLength));
  header.level_encoding = static_cast<std::uint32_t>(EncodingId::kRle);
}

// Of the fields that only pages of one type have, those that a page of `type` has.
constexpr unsigned kSpecificFields = field_bit(PageHeaderField::kDataPageHeader) |
                                     field_bit(PageHeaderField::kDictionaryPageHeader) |
                                     field_bit(PageHeaderField::kDataPageHeaderV2);

unsigned specific_field(PageType type) {
  switch (type) {
    case PageType::kData: return field_bit(PageHeaderField::kDataPageHeader);
    case PageType::kDictionary: return field_bit(PageHeaderField::kDictionaryPageHeader);
    case PageType::kDataV2: return field_bit(PageHeaderField::kDataPageHeaderV2);
    default: return 0;
  }
}

}  // namespace

Status read_page_header(detail::Window& window, PageHeader& header) {
#ifndef __OPTIMIZE_SIZE__
  if (window.available() >= kMostUsualHeader && read_usual_page_header(window.cursor, header)) {
    window.cursor += header.header_bytes;
    return Status::kOk;
  }
#endif
  const std::uint64_t begin = window.position();
  util::clear_bytes(&header, sizeof header);
  header.type = PageType::kOther;
  header.compressed = true;
  thrift::CompactReader in(window);
  Seen seen;
  for (thrift::FieldHeader field; in.next(field);) {
    seen.add(field.id);
    switch (field.id) {
      case PageHeaderField::kType: {
        const std::uint32_t type = in.count32(field);
        header.type = type <= 3 ? static_cast<PageType>(type) : PageType::kOther;
        break;
      }
      case PageHeaderField::kUncompressedPageSize: header.uncompressed_bytes = in.count32(field); break;
      case PageHeaderField::kCompressedPageSize: header.compressed_bytes = in.count32(field); break;
      case PageHeaderField::kCrc:
        header.crc = static_cast<std::uint32_t>(in.i64(field));
        header.has_crc = true;
        break;
      case PageHeaderField::kDataPageHeader:
      case PageHeaderField::kDictionaryPageHeader:
        in.begin_struct(field);
        read_data_header(in, header);
        break;
      case PageHeaderField::kDataPageHeaderV2:
        in.begin_struct(field);
        read_data_header_v2(in, header);
        break;
      default: in.skip(field); break;
    }
  }
  const unsigned specific = specific_field(header.type);
  seen.require(in, field_bit(PageHeaderField::kType) | field_bit(PageHeaderField::kUncompressedPageSize) |
                       field_bit(PageHeaderField::kCompressedPageSize) | specific);
  // A page of values whose type is damaged is not passed over like one of another kind.
  seen.forbid(in, kSpecificFields & ~specific);
  header.header_bytes = static_cast<std::uint32_t>(window.position() - begin);
  return in.status();
}

}  // namespace microparquet::format
