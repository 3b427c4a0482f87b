#include "format/schema_fields.h"

#include <cstring>
#include <string_view>
#include <utility>

#include "microparquet/detail/format/fields.h"

namespace microparquet::recovery {

namespace {

using format::FileMetaDataField;

std::optional<FooterField> schema_key_values(const FooterField& field) {
  constexpr std::string_view kArrowSchema = "ARROW:schema";
  Bytes list = {
      std::byte{thrift::field_byte(FileMetaDataField::kKeyValueMetadata, thrift::CompactType::kList, 0)}};
  append(list, field.value);
  list.push_back(std::byte{0});
  std::size_t used = 0;
  const auto parsed = ThriftValue::parse_struct(list, used);
  const ThriftValue* const pairs = parsed ? parsed->find(FileMetaDataField::kKeyValueMetadata) : nullptr;
  if (pairs == nullptr) {
    return std::nullopt;
  }
  std::vector<ThriftValue> kept;
  for (const ThriftValue& pair : pairs->items()) {
    const ThriftValue* const key = pair.find(format::KeyValueField::kKey);
    if (key != nullptr && key->bytes().size() == kArrowSchema.size() &&
        std::memcmp(key->bytes().data(), kArrowSchema.data(), kArrowSchema.size()) == 0) {
      kept.push_back(pair);
    }
  }
  if (kept.empty()) {
    return std::nullopt;
  }
  return FooterField{field.id, field.type,
                     ThriftValue::of_list(thrift::CompactType::kStruct, std::move(kept)).serialise()};
}

}  // namespace

std::vector<FooterField> schema_fields(const Footer& footer) {
  std::vector<FooterField> fields;
  for (const FooterField& field : footer.fields) {
    if (field.id != FileMetaDataField::kKeyValueMetadata) {
      fields.push_back(field);
    } else if (auto kept = schema_key_values(field)) {
      fields.push_back(std::move(*kept));
    }
  }
  return fields;
}

std::optional<ThriftValue> parse_row_group(ByteView entry) {
  std::size_t used = 0;
  auto row_group = ThriftValue::parse_struct(entry, used);
  const bool has_columns = row_group && row_group->find(format::RowGroupField::kColumns) != nullptr;
  return has_columns ? std::move(row_group) : std::nullopt;
}

}  // namespace microparquet::recovery
