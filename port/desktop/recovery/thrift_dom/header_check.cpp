#include "thrift_dom/header_check.h"

#include <algorithm>
#include <iterator>

#include "microparquet/detail/format/fields.h"
#include "microparquet/encoding_id.h"
#include "thrift_dom/thrift_value.h"

namespace microparquet::recovery {

namespace {

using format::DataPageHeaderField;
using format::PageHeaderField;
using thrift::CompactType;

// Fields 1 to `required` are integers of 32 bits, and have to be there.
bool has_integers(const ThriftValue& value, int required) {
  for (int id = 1; id <= required; ++id) {
    const ThriftValue* const field = value.find(id);
    if (field == nullptr || field->type() != CompactType::kI32) {
      return false;
    }
  }
  return true;
}

bool is_optional(const ThriftValue& value, int id, std::initializer_list<CompactType> types) {
  const ThriftValue* const field = value.find(id);
  return field == nullptr || std::find(types.begin(), types.end(), field->type()) != types.end();
}

bool is_level_encoding(std::uint64_t encoding) {
  return encoding == static_cast<std::uint64_t>(EncodingId::kRle) ||
         encoding == static_cast<std::uint64_t>(EncodingId::kBitPacked);
}

bool data_header_is_exact(const ThriftValue& value) {
  return has_integers(value, DataPageHeaderField::kRepetitionLevelEncoding) &&
         is_level_encoding(value.number_of(DataPageHeaderField::kDefinitionLevelEncoding)) &&
         is_level_encoding(value.number_of(DataPageHeaderField::kRepetitionLevelEncoding)) &&
         is_optional(value, DataPageHeaderField::kStatistics, {CompactType::kStruct});
}

bool dictionary_header_is_exact(const ThriftValue& value) {
  using Field = format::DictionaryPageHeaderField;
  return has_integers(value, Field::kEncoding) &&
         is_optional(value, Field::kIsSorted, {CompactType::kTrue, CompactType::kFalse});
}

bool data_header_v2_is_exact(const ThriftValue& value) {
  using Field = format::DataPageHeaderV2Field;
  return has_integers(value, Field::kRepetitionLevelsByteLength) &&
         is_optional(value, Field::kIsCompressed, {CompactType::kTrue, CompactType::kFalse}) &&
         is_optional(value, Field::kStatistics, {CompactType::kStruct});
}

}  // namespace

bool header_is_exact(ByteView header) {
  std::size_t used = 0;
  const auto value = ThriftValue::parse_struct(header, used);
  if (!value || used != header.size() || !has_integers(*value, PageHeaderField::kCompressedPageSize) ||
      !is_optional(*value, PageHeaderField::kCrc, {CompactType::kI32})) {
    return false;
  }
  constexpr int kOfType[] = {PageHeaderField::kDataPageHeader, PageHeaderField::kIndexPageHeader,
                             PageHeaderField::kDictionaryPageHeader, PageHeaderField::kDataPageHeaderV2};
  const std::uint64_t type = value->number_of(PageHeaderField::kType);
  if (type >= std::size(kOfType)) {
    return true;  // a page to be passed over
  }
  const ThriftValue* const specific = value->find(kOfType[type]);
  if (specific == nullptr || specific->type() != CompactType::kStruct) {
    return false;
  }
  switch (type) {
    case 0: return data_header_is_exact(*specific);
    case 2: return dictionary_header_is_exact(*specific);
    case 3: return data_header_v2_is_exact(*specific);
    default: return true;
  }
}

std::size_t header_padding(ByteView header) {
  std::size_t used = 0;
  auto value = ThriftValue::parse_struct(header, used);
  if (!value || used != header.size()) {
    return 0;
  }
  value->remove(format::kExtensionField);
  const std::size_t least = value->serialise().size();
  return header.size() - std::min(header.size(), least);
}

}  // namespace microparquet::recovery
