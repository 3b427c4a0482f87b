#include "format/schema_fields.h"

#include <algorithm>
#include <utility>

#include "format/footer_key_values.h"
#include "microparquet/detail/format/fields.h"

namespace microparquet::recovery {

namespace {

constexpr char kArrowSchema[] = "ARROW:schema";

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

std::optional<ThriftValue> parse_row_group(ByteView entry) {
  std::size_t used = 0;
  auto row_group = ThriftValue::parse_struct(entry, used);
  const bool has_columns = row_group && row_group->find(format::RowGroupField::kColumns) != nullptr;
  return has_columns ? std::move(row_group) : std::nullopt;
}

}  // namespace microparquet::recovery
