// Reading FileMetaData (parquet.thrift) from any writer.
#pragma once

#include <cstdint>

#include "format/field_bit.h"
#include "microparquet/detail/format/fields.h"
#include "thrift/compact_reader.h"

namespace microparquet::format {

// Reads the next footer. `Parts` receives its parts in the order of the file. Functions for lists must read
// or pass the elements, which are next:
//
//   version(number), rows(count)
//   schema(in, count), row_groups(in, count), key_values(in, count)
//   created_by(position), column_orders(position)     positions in the file
//
// - kCorrupt: a field is missing, comes twice, or row groups come before the schema
// - kEncrypted: the footer is there, but the columns are encrypted
template <typename Parts>
[[gnu::always_inline]] inline void read_file_metadata_field(thrift::CompactReader& in,
                                                            const thrift::FieldHeader& field,
                                                            const Parts& parts) {
  using Field = FileMetaDataField;
  using thrift::CompactType;
  switch (field.id) {
    case Field::kVersion: parts.version(in.i32(field)); break;
    case Field::kNumRows: parts.rows(in.count(field)); break;
    case Field::kSchema:
    case Field::kRowGroups:
    case Field::kKeyValueMetadata: {
      const std::uint32_t count = in.list(field, CompactType::kStruct);
      if (field.id == Field::kSchema) {
        parts.schema(in, count);
      } else if (field.id == Field::kRowGroups) {
        parts.row_groups(in, count);
      } else {
        parts.key_values(in, count);
      }
      break;
    }
    case Field::kCreatedBy:
      parts.created_by(in.window().position());
      in.skip(field);
      break;
    case Field::kColumnOrders:
      parts.column_orders(in.window().position());
      in.skip(field);
      break;
    case Field::kEncryptionAlgorithm: in.fail(Status::kEncrypted); break;
    default: in.skip(field); break;
  }
}

template <typename Parts>
[[gnu::always_inline]] inline void read_file_metadata(thrift::CompactReader& in, const Parts& parts) {
  constexpr unsigned kRequired =
      field_bit(FileMetaDataField::kVersion) | field_bit(FileMetaDataField::kSchema) |
      field_bit(FileMetaDataField::kNumRows) | field_bit(FileMetaDataField::kRowGroups);
  unsigned seen = 0;
  for (thrift::FieldHeader field; in.next(field);) {
    const unsigned bit = field.id > 0 && field.id < 32 ? field_bit(field.id) : 0;
    // A list that comes twice would be read partly by each function.
    if ((seen & bit) != 0) in.fail(Status::kCorrupt);
    seen |= bit;
    read_file_metadata_field(in, field, parts);
  }
  if ((seen & kRequired) != kRequired) in.fail(Status::kCorrupt);
}

}  // namespace microparquet::format
