#include "thrift_dom/schema_fields.h"

#include <algorithm>
#include <utility>

#include "microparquet/desktop/failure.h"
#include "microparquet/detail/format/fields.h"
#include "microparquet/schema.h"
#include "thrift_dom/footer_key_values.h"

namespace microparquet::recovery {

namespace {

using format::FileMetaDataField;

constexpr char kArrowSchema[] = "ARROW:schema";

// A structure that has only the list `field`.
std::optional<ThriftValue> parse_list(const FooterField& field) {
  Bytes list = {std::byte{thrift::field_byte(field.id, thrift::CompactType::kList, 0)}};
  append(list, field.value);
  list.push_back(std::byte{0});
  std::size_t used = 0;
  return ThriftValue::parse_struct(list, used);
}

}  // namespace

std::vector<FooterField> schema_fields(const Footer& footer) {
  std::vector<FooterField> fields = footer.fields;
  std::vector<TextPair> pairs = key_values_of(fields);
  pairs.erase(std::remove_if(pairs.begin(), pairs.end(),
                             [](const TextPair& pair) { return pair.first != kArrowSchema; }),
              pairs.end());
  set_key_values(fields, pairs);
  return fields;
}

void make_optional(std::vector<FooterField>& fields, const std::vector<std::uint32_t>& nodes) {
  for (FooterField& field : fields) {
    if (field.id != FileMetaDataField::kSchema) {
      continue;
    }
    auto parsed = parse_list(field);
    ThriftValue* const schema = parsed ? parsed->find(FileMetaDataField::kSchema) : nullptr;
    if (schema == nullptr) {
      throw desktop::Failure("the schema is malformed");
    }
    for (const std::uint32_t node : nodes) {
      if (node >= schema->items().size()) {
        throw desktop::Failure("the schema is malformed");
      }
      schema->items()[node].set(format::SchemaElementField::kRepetitionType,
                                ThriftValue::of_i32(static_cast<int>(Repetition::kOptional)));
    }
    field.value = schema->serialise();
  }
  fields.erase(std::remove_if(
                   fields.begin(), fields.end(),
                   [](const FooterField& field) { return field.id == FileMetaDataField::kKeyValueMetadata; }),
               fields.end());
}

std::optional<ThriftValue> parse_row_group(ByteView entry) {
  std::size_t used = 0;
  auto row_group = ThriftValue::parse_struct(entry, used);
  const bool has_columns = row_group && row_group->find(format::RowGroupField::kColumns) != nullptr;
  return has_columns ? std::move(row_group) : std::nullopt;
}

}  // namespace microparquet::recovery
