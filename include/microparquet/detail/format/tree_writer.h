// Schema of a tree in the footer's head, and paths of its columns (parquet.thrift, SchemaElement).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/detail/format/constant_writer.h"
#include "microparquet/detail/format/fields.h"
#include "microparquet/detail/format/schema_writer.h"
#include "microparquet/schema.h"

namespace microparquet::format {

// Begins the list of a leaf's names, as in path_in_schema.
constexpr void begin_path(ConstantWriter& out, unsigned names) {
  out.byte(thrift::list_byte(thrift::CompactType::kBinary, names));
}

// Writes that list. Returns its bytes; without `at` it counts them.
template <typename Leaf>
constexpr std::uint32_t write_path(const Leaf& leaf, std::byte* at) {
  ConstantSink sink(at);
  ConstantWriter out(sink);
  begin_path(out, static_cast<unsigned>(leaf.names));
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

constexpr void write_column(ConstantWriter& out, const Field& field, std::string_view name) {
  begin_schema_element(out, field);
  out.field_string(SchemaElementField::kName, name);
  end_schema_element(out, field);
}

// Begins the footer's head of a tree with `top` parts and `nodes` nodes, which follow: see write_footer_head().
constexpr void begin_tree_head(ConstantWriter& out, std::uint32_t nodes, std::uint32_t top) {
  constexpr std::string_view kRoot("schema", 6);  // counted: few programs have a strlen()
  out.field_i32(FileMetaDataField::kVersion, 1);
  out.field_list(FileMetaDataField::kSchema, thrift::CompactType::kStruct, nodes + 1);
  out.element_struct();
  out.field_string(SchemaElementField::kName, kRoot);
  out.field_i32(SchemaElementField::kNumChildren, static_cast<std::int32_t>(top));
  out.end_struct(FileMetaDataField::kSchema);
}
constexpr void end_tree_head(ConstantWriter& out) {
  out.field_header(FileMetaDataField::kNumRows, thrift::CompactType::kI64);
}

// Writes that head.
template <typename Tree>
constexpr std::uint32_t write_tree_head(const Tree& tree, std::size_t top, std::byte* at) {
  ConstantSink sink(at);
  ConstantWriter out(sink);
  begin_tree_head(out, static_cast<std::uint32_t>(tree.node_count), static_cast<std::uint32_t>(top));
  for (std::size_t i = 0; i < tree.node_count; ++i) {
    const auto& node = tree.nodes[i];
    if (node.children != 0) {
      write_group(out, node);
    } else {
      write_column(out, node.field, node.field.name);
    }
  }
  end_tree_head(out);
  return sink.size();
}

}  // namespace microparquet::format
