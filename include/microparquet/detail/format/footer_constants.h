// Parts that a schema makes constant in every footer (parquet.thrift, FileMetaData). A StaticWriter has them
// in flash, made by the compiler; a Writer makes them once, in its arena.
//
//   head   version, schema, header of the number of rows
//   tail   created_by without its field header, column orders, header of our extension
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/detail/format/constant_writer.h"
#include "microparquet/detail/format/fields.h"
#include "microparquet/detail/format/magic.h"
#include "microparquet/detail/format/schema_writer.h"
#include "microparquet/schema.h"
#include "microparquet/version.h"

namespace microparquet::format {

// Bytes between the head and the first entry: varints of fixed length, and the header of the list.
inline constexpr unsigned kRowsBytes = 10;
inline constexpr unsigned kRowGroupsBytes = 5;
inline constexpr std::uint32_t kCountsBytes = kRowsBytes + 2 + kRowGroupsBytes;

// Bytes not counted by other parts: header of created_by, stop byte, length and magic.
inline constexpr std::uint32_t kFooterRestBytes = 1 + 1 + kFileEndBytes;

// Write the footer's head and its tail. Both return the number of bytes written at `at`, or with null the
// number they would write.
//
// `take_path(i, begin, end)` receives the begin and end of column i's name, with the header of its field. These bytes
// are also a list of this one name, the path_in_schema of column chunks.
template <typename TakePath>
constexpr std::uint32_t write_footer_head(Schema schema, std::byte* at, TakePath take_path) {
  static_assert(thrift::field_byte(SchemaElementField::kName, thrift::CompactType::kBinary,
                                   SchemaElementField::kRepetitionType) ==
                thrift::list_byte(thrift::CompactType::kBinary, 1));
  ConstantSink sink(at);
  ConstantWriter out(sink);
  const auto columns = static_cast<std::uint32_t>(schema.size());
  out.field_i32(FileMetaDataField::kVersion, 1);
  out.field_list(FileMetaDataField::kSchema, thrift::CompactType::kStruct, columns + 1);
  out.element_struct();
  out.field_string(SchemaElementField::kName, "schema");
  out.field_i32(SchemaElementField::kNumChildren, static_cast<std::int32_t>(columns));
  out.end_struct(FileMetaDataField::kSchema);
  for (std::uint32_t i = 0; i < columns; ++i) {
    begin_schema_element(out, schema[i]);
    const std::uint32_t path = sink.size();
    out.field_string(SchemaElementField::kName, schema[i].name);
    take_path(i, path, sink.size());
    end_schema_element(out, schema[i]);
  }
  out.field_header(FileMetaDataField::kNumRows, thrift::CompactType::kI64);
  return sink.size();
}

constexpr std::uint32_t footer_head_bytes(Schema schema) {
  return write_footer_head(schema, nullptr, [](std::uint32_t, std::uint32_t, std::uint32_t) {});
}

constexpr std::uint32_t write_footer_tail(std::size_t columns, std::uint32_t extension_bytes, std::byte* at) {
  ConstantSink sink(at);
  ConstantWriter out(sink, FileMetaDataField::kCreatedBy);
  out.element_string(std::string_view(kCreatedBy, sizeof kCreatedBy - 1));
  // One TYPE_ORDER for each leaf: readers do not trust bounds without it.
  out.field_list(FileMetaDataField::kColumnOrders, thrift::CompactType::kStruct,
                 static_cast<std::uint32_t>(columns));
  for (; columns != 0; --columns) {
    out.element_struct();
    out.field_struct(ColumnOrderField::kTypeOrder);
    out.end_struct(ColumnOrderField::kTypeOrder);
    out.end_struct(FileMetaDataField::kColumnOrders);
  }
  // Our extension is a list of bytes: libraries on Rust's thrift take an unknown binary for text, and refuse
  // the file if it is none. An empty binary comes before it: fastparquet does not know the long form of a
  // field's id, and takes this binary to reach to the footer's end.
  out.byte(static_cast<unsigned>(thrift::CompactType::kBinary));
  out.element_i32(kExtensionField);
  out.varint(0);
  out.byte(static_cast<unsigned>(thrift::CompactType::kList));
  out.element_i32(kFooterExtensionField);
  out.byte(thrift::list_byte(thrift::CompactType::kByte, 15));
  out.varint(extension_bytes);
  return sink.size();
}

}  // namespace microparquet::format
