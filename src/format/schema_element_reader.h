// SchemaElement (parquet.thrift) with its meaning, for the caller.
#pragma once

#include <cstdint>

#include "format/logical_type_reader.h"
#include "format/schema_reader.h"
#include "microparquet/detail/format/fields.h"
#include "microparquet/file_metadata.h"
#include "thrift/compact_reader.h"

namespace microparquet::format {

// Parts of an element that neither SchemaNode nor SchemaElement holds.
struct SchemaDetails {
  std::int32_t precision = 0;
  std::int32_t scale = 0;
  std::uint32_t name_bytes = 0;
  std::uint64_t name_begin = 0;  // place in the file
  bool has_logical = false;
};

// Reads the next element, and passes its name.
static inline void read_schema_details(thrift::CompactReader& in, SchemaNode& node, SchemaDetails& details,
                                       SchemaElement& element) {
  element.converted_type = -1;
  element.field_id = -1;
  for (thrift::FieldHeader field; in.next(field);) {
    if (read_schema_field(in, field, node)) continue;
    switch (field.id) {
      case SchemaElementField::kName:
        details.name_bytes = in.binary(field);
        details.name_begin = in.window().position();
        in.pass(details.name_bytes);
        break;
      case SchemaElementField::kConvertedType: element.converted_type = in.i32(field); break;
      case SchemaElementField::kScale: details.scale = in.i32(field); break;
      case SchemaElementField::kPrecision: details.precision = in.i32(field); break;
      case SchemaElementField::kFieldId: element.field_id = in.i32(field); break;
      case SchemaElementField::kLogicalType:
        in.begin_struct(field);
        element.logical = read_logical_type(in);
        details.has_logical = true;
        break;
      default: in.skip(field); break;
    }
  }
}

}  // namespace microparquet::format
