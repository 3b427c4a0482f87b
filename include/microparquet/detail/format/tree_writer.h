// Schema of a tree in the footer's head, and paths of its columns (parquet.thrift, SchemaElement).
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/format/constant_writer.h"
#include "microparquet/detail/format/fields.h"
#include "microparquet/detail/format/schema_writer.h"

namespace microparquet::format {

// Writes the list of a leaf's names, as in path_in_schema. Returns its bytes; without `at` it counts them.
template <typename Leaf>
constexpr std::uint32_t write_path(const Leaf& leaf, std::byte* at) {
  ConstantSink sink(at);
  ConstantWriter out(sink);
  out.byte(thrift::list_byte(thrift::CompactType::kBinary, static_cast<unsigned>(leaf.names)));
  for (std::size_t i = 0; i < leaf.names; ++i) out.element_string(leaf.path[i]);
  return sink.size();
}

template <typename Node>
constexpr void write_group(ConstantWriter& out, const Node& node) {
  out.element_struct();
  out.field_i32(SchemaElementField::kRepetitionType, static_cast<std::int32_t>(node.field.repetition));
  out.field_string(SchemaElementField::kName, node.field.name);
  out.field_i32(SchemaElementField::kNumChildren, static_cast<std::int32_t>(node.children));
  constexpr auto kPlain = decltype(node.kind)::kPlain;
  constexpr auto kMap = decltype(node.kind)::kMap;
  if (node.kind != kPlain) {
    constexpr std::int32_t kConvertedMap = 1;
    constexpr std::int32_t kConvertedList = 3;
    const bool map = node.kind == kMap;
    const int member = map ? LogicalTypeField::kMap : LogicalTypeField::kList;
    out.field_i32(SchemaElementField::kConvertedType, map ? kConvertedMap : kConvertedList);
    out.field_struct(SchemaElementField::kLogicalType);
    out.field_struct(member);
    out.end_struct(member);
    out.end_struct(SchemaElementField::kLogicalType);
  }
  out.end_struct(FileMetaDataField::kSchema);
}

// Writes the footer's head of a tree with `top` parts: see write_footer_head().
template <typename Tree>
constexpr std::uint32_t write_tree_head(const Tree& tree, std::size_t top, std::byte* at) {
  ConstantSink sink(at);
  ConstantWriter out(sink);
  out.field_i32(FileMetaDataField::kVersion, 1);
  out.field_list(FileMetaDataField::kSchema, thrift::CompactType::kStruct,
                 static_cast<std::uint32_t>(tree.node_count) + 1);
  out.element_struct();
  out.field_string(SchemaElementField::kName, "schema");
  out.field_i32(SchemaElementField::kNumChildren, static_cast<std::int32_t>(top));
  out.end_struct(FileMetaDataField::kSchema);
  for (std::size_t i = 0; i < tree.node_count; ++i) {
    const auto& node = tree.nodes[i];
    if (node.children != 0) {
      write_group(out, node);
      continue;
    }
    begin_schema_element(out, node.field);
    out.field_string(SchemaElementField::kName, node.field.name);
    end_schema_element(out, node.field);
  }
  out.field_header(FileMetaDataField::kNumRows, thrift::CompactType::kI64);
  return sink.size();
}

}  // namespace microparquet::format
