#include "thrift_dom/footer_key_values.h"

#include <algorithm>

#include "microparquet/detail/format/fields.h"
#include "thrift_dom/thrift_value.h"

namespace microparquet::recovery {

namespace {

using format::FileMetaDataField;
using format::KeyValueField;

std::string text_of(const ThriftValue* value) {
  return value == nullptr
             ? std::string()
             : std::string(reinterpret_cast<const char*>(value->bytes().data()), value->bytes().size());
}

ThriftValue value_of(const std::string& text) {
  const auto* const begin = reinterpret_cast<const std::byte*>(text.data());
  return ThriftValue::of_bytes(Bytes(begin, begin + text.size()));
}

// The list as the field of a structure.
std::vector<ThriftValue> pairs_in(const FooterField& field) {
  Bytes structure = {
      std::byte{thrift::field_byte(FileMetaDataField::kKeyValueMetadata, thrift::CompactType::kList, 0)}};
  append(structure, field.value);
  structure.push_back(std::byte{0});
  std::size_t used = 0;
  const auto parsed = ThriftValue::parse_struct(structure, used);
  const ThriftValue* const pairs = parsed ? parsed->find(FileMetaDataField::kKeyValueMetadata) : nullptr;
  return pairs != nullptr ? pairs->items() : std::vector<ThriftValue>();
}

}  // namespace

std::vector<TextPair> key_values_of(const std::vector<FooterField>& fields) {
  std::vector<TextPair> texts;
  for (const FooterField& field : fields) {
    if (field.id != FileMetaDataField::kKeyValueMetadata) {
      continue;
    }
    for (const ThriftValue& pair : pairs_in(field)) {
      texts.emplace_back(text_of(pair.find(KeyValueField::kKey)), text_of(pair.find(KeyValueField::kValue)));
    }
  }
  return texts;
}

std::size_t key_value_bytes(const std::vector<FooterField>& fields) {
  std::size_t bytes = 0;
  for (const FooterField& field : fields) {
    bytes += field.id == FileMetaDataField::kKeyValueMetadata ? field.value.size() : 0;
  }
  return bytes;
}

void set_key_values(std::vector<FooterField>& fields, const std::vector<TextPair>& pairs) {
  fields.erase(std::remove_if(
                   fields.begin(), fields.end(),
                   [](const FooterField& field) { return field.id == FileMetaDataField::kKeyValueMetadata; }),
               fields.end());
  if (pairs.empty()) {
    return;
  }
  std::vector<ThriftValue> items;
  for (const auto& [key, value] : pairs) {
    ThriftValue& item = items.emplace_back();
    item.set(KeyValueField::kKey, value_of(key));
    item.set(KeyValueField::kValue, value_of(value));
  }
  const auto after = std::find_if(fields.begin(), fields.end(), [](const FooterField& field) {
    return field.id > FileMetaDataField::kKeyValueMetadata;
  });
  fields.insert(after, {FileMetaDataField::kKeyValueMetadata, thrift::CompactType::kList,
                        ThriftValue::of_list(thrift::CompactType::kStruct, std::move(items)).serialise()});
}

}  // namespace microparquet::recovery
