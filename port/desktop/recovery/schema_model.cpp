#include "schema_model.h"

#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "failure.h"
#include "microparquet/detail/fields.h"
#include "microparquet/port/posix_file.h"
#include "open_file.h"
#include "view.h"

namespace microparquet::recovery {

namespace {

using format::FileMetaDataField;
using format::RowGroupField;

// Of the key-values only what belongs to the schema; the others tell of that file.
std::optional<FooterField> schema_key_values(const FooterField& field) {
  constexpr std::string_view kArrowSchema = "ARROW:schema";
  Bytes list = {std::byte{0x59}};  // field 5, a list
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

SchemaModel read_schema_model(const std::string& path) {
  PosixFile file;
  if (file.open_for_reading(path.c_str()) != Status::kOk) {
    throw Failure(path + ": " + std::strerror(file.native_error()));
  }
  View view(file, {{0, bytes_of(file)}});
  OpenFile open;
  std::vector<Leaf> leaves;
  if (open.open(view) != Status::kOk || open.read_leaves(leaves) != Status::kOk ||
      open.reader().next_row_group() != Status::kOk) {
    throw Failure(path + ": --schema wants a whole Parquet file with rows in it");
  }
  SchemaModel model;
  for (std::uint32_t i = 0; i < leaves.size(); ++i) {
    ColumnChunkInfo info;
    if (open.reader().column_chunk(i, info) != Status::kOk) {
      throw Failure(path + " is damaged");
    }
    model.columns.push_back({leaves[i].element, info.codec, info.dictionary_page_offset != 0});
  }
  const std::uint32_t bytes = open.reader().footer_bytes();
  const auto footer = parse_footer(read_bytes(view, view.bytes() - 8 - bytes, bytes));
  std::size_t used = 0;
  auto row_group = footer ? ThriftValue::parse_struct(footer->entries.front(), used) : std::nullopt;
  if (!row_group || row_group->find(RowGroupField::kColumns) == nullptr) {
    throw Failure(path + " is damaged");
  }
  model.row_group = std::move(*row_group);
  for (const FooterField& field : footer->fields) {
    if (field.id != FileMetaDataField::kKeyValueMetadata) {
      model.fields.push_back(field);
    } else if (auto kept = schema_key_values(field)) {
      model.fields.push_back(std::move(*kept));
    }
  }
  return model;
}

}  // namespace microparquet::recovery
