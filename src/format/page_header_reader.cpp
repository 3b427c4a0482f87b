#include "format/page_header_reader.h"

#include "base/bytes.h"
#include "format/desktop/usual_page_header.h"
#include "format/field_bit.h"
#include "microparquet/detail/desktop.h"
#include "microparquet/detail/format/fields.h"
#include "microparquet/encoding_id.h"
#include "microparquet/span.h"

namespace microparquet::format {

namespace {

// Set of the fields below 16 that have come.
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

// Numbers at the beginning of a header of one kind, by their fields from 1 on.
using Number = std::uint32_t PageHeader::*;
constexpr Number kNumbers[] = {&PageHeader::values, &PageHeader::encoding, &PageHeader::level_encoding,
                               &PageHeader::repetition_encoding};
// The number of nulls is not used: it goes to a field that V2 does not have.
constexpr Number kNumbersV2[] = {
    &PageHeader::values,   &PageHeader::repetition_encoding, &PageHeader::rows,
    &PageHeader::encoding, &PageHeader::definition_bytes,    &PageHeader::repetition_bytes};
static_assert(DataPageHeaderField::kNumValues == 1 && DataPageHeaderField::kEncoding == 2 &&
              DataPageHeaderField::kDefinitionLevelEncoding == 3 &&
              DataPageHeaderField::kRepetitionLevelEncoding == 4);
static_assert(DataPageHeaderV2Field::kNumValues == 1 && DataPageHeaderV2Field::kNumNulls == 2 &&
              DataPageHeaderV2Field::kNumRows == 3 && DataPageHeaderV2Field::kEncoding == 4 &&
              DataPageHeaderV2Field::kDefinitionLevelsByteLength == 5 &&
              DataPageHeaderV2Field::kRepetitionLevelsByteLength == 6);

// Reads the header of one kind, which begins with `numbers`.
void read_specific(thrift::CompactReader& in, Span<const Number> numbers, PageHeader& header) {
  const bool v2 = header.type == PageType::kDataV2;
  Seen seen;
  for (thrift::FieldHeader field; in.next(field);) {
    seen.add(field.id);
    const auto number = static_cast<std::size_t>(field.id) - 1;
    if (number < numbers.size()) {
      header.*numbers[number] = in.count32(field);
    } else if (v2 && field.id == DataPageHeaderV2Field::kIsCompressed) {
      header.compressed = in.boolean(field);
    } else {
      in.skip(field);
    }
  }
  constexpr unsigned kRequired =
      field_bit(DataPageHeaderField::kNumValues) | field_bit(DataPageHeaderField::kEncoding);
  constexpr unsigned kRequiredOfV2 = kRequired | field_bit(DataPageHeaderV2Field::kNumRows) |
                                     field_bit(DataPageHeaderV2Field::kEncoding) |
                                     field_bit(DataPageHeaderV2Field::kDefinitionLevelsByteLength) |
                                     field_bit(DataPageHeaderV2Field::kRepetitionLevelsByteLength);
  seen.require(in, v2 ? kRequiredOfV2 : kRequired);
}

// Fields that only pages of one type have; and those of a page of `type`.
constexpr unsigned kSpecificFields = field_bit(PageHeaderField::kDataPageHeader) |
                                     field_bit(PageHeaderField::kDictionaryPageHeader) |
                                     field_bit(PageHeaderField::kDataPageHeaderV2);

constexpr bool is_of_dictionary(std::uint32_t encoding) {
  constexpr auto kPlain = static_cast<std::uint32_t>(EncodingId::kPlain);
  constexpr auto kOldName = static_cast<std::uint32_t>(EncodingId::kPlainDictionary);
  static_assert(kPlain == 0 && (kOldName & (kOldName - 1)) == 0);
  return (encoding & ~kOldName) == kPlain;
}

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
  if constexpr (detail::kDesktop) {
    if (window.available() >= kMostUsualHeader && read_usual_page_header(window.cursor, header)) {
      window.cursor += header.header_bytes;
      return Status::kOk;
    }
  }
  const std::uint64_t begin = window.position();
  util::clear_bytes(&header, sizeof header);
  header.type = PageType::kOther;
  header.compressed = true;
  header.level_encoding = header.repetition_encoding = static_cast<std::uint32_t>(EncodingId::kRle);
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
        in.begin_struct(field);
        read_specific(in, kNumbers, header);
        break;
      case PageHeaderField::kDictionaryPageHeader:
        // A flag follows these two.
        in.begin_struct(field);
        read_specific(in, Span<const Number>(kNumbers, 2), header);
        break;
      case PageHeaderField::kDataPageHeaderV2:
        in.begin_struct(field);
        read_specific(in, kNumbersV2, header);
        break;
      default: in.skip(field); break;
    }
  }
  const unsigned specific = specific_field(header.type);
  seen.require(in, field_bit(PageHeaderField::kType) | field_bit(PageHeaderField::kUncompressedPageSize) |
                       field_bit(PageHeaderField::kCompressedPageSize) | specific);
  // A data page with a damaged type must not be passed over as a page of another kind.
  seen.forbid(in, kSpecificFields & ~specific);
  // Readers know no other encoding of dictionaries, and some refuse the whole file.
  if (header.type == PageType::kDictionary && !is_of_dictionary(header.encoding)) in.fail(Status::kCorrupt);
  header.header_bytes = static_cast<std::uint32_t>(window.position() - begin);
  return in.status();
}

}  // namespace microparquet::format
