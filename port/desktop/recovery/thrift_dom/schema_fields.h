// What a file's footer tells of another file with the same columns.
#pragma once

#include <optional>
#include <vector>

#include "thrift_dom/footer_parts.h"
#include "thrift_dom/thrift_value.h"

namespace microparquet::recovery {

// Its fields; of the key-values only what belongs to the schema, since the others tell of that file.
std::vector<FooterField> schema_fields(const Footer& footer);

// Makes the elements `nodes` of the schema among `fields` optional. What Arrow says of the schema would contradict it, and
// is left out. Throws Failure when they are malformed.
void make_optional(std::vector<FooterField>& fields, const std::vector<std::uint32_t>& nodes);

// None when the RowGroup structure `entry` is malformed or has no columns.
std::optional<ThriftValue> parse_row_group(ByteView entry);

}  // namespace microparquet::recovery
