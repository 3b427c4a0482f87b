#include "schema_model.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "microparquet/desktop/failure.h"
#include "microparquet/port/posix_file.h"
#include "open_file.h"
#include "thrift_dom/schema_fields.h"
#include "view.h"

namespace microparquet::recovery {

const LeafGroup* common_group(const ColumnModel& a, const ColumnModel& b) {
  const LeafGroup* common = nullptr;
  for (std::size_t i = 0; i < std::min(a.groups.size(), b.groups.size()); ++i) {
    if (a.groups[i].node != b.groups[i].node) {
      break;
    }
    common = &a.groups[i];
  }
  return common;
}

bool can_be_null_in(const ColumnModel& column, const LeafGroup* group) {
  const int definition = group != nullptr ? group->definition : 0;
  const int repetition = group != nullptr ? group->repetition : 0;
  for (const LeafGroup& inner : column.groups) {
    if (inner.definition > definition && (group == nullptr || inner.node > group->node)) {
      return inner.repetition == repetition;
    }
  }
  return column.element.max_definition_level > definition &&
         column.element.max_repetition_level == repetition;
}

SchemaModel read_schema_model(const std::string& path) {
  PosixFile file;
  if (file.open_for_reading(path.c_str()) != Status::kOk) {
    throw desktop::Failure(path + ": " + std::strerror(file.native_error()));
  }
  View view(file, {{0, bytes_of(file)}});
  OpenFile open;
  std::vector<Leaf> leaves;
  if (open.open(view) != Status::kOk || open.read_leaves(leaves) != Status::kOk ||
      open.reader().next_row_group() != Status::kOk) {
    throw desktop::Failure(path + ": --schema wants a whole Parquet file with rows in it");
  }
  SchemaModel model;
  for (std::uint32_t i = 0; i < leaves.size(); ++i) {
    ColumnChunkInfo info;
    if (open.reader().column_chunk(i, info) != Status::kOk) {
      throw desktop::Failure(path + " is damaged");
    }
    model.columns.push_back({leaves[i].name, leaves[i].element, leaves[i].node, leaves[i].groups, info.codec,
                             info.compressed_bytes, info.values});
  }
  const std::uint32_t bytes = open.reader().footer_bytes();
  const auto footer = parse_footer(read_bytes(view, view.bytes() - 8 - bytes, bytes));
  auto row_group = footer ? parse_row_group(footer->entries.front()) : std::nullopt;
  if (!row_group) {
    throw desktop::Failure(path + " is damaged");
  }
  model.row_group = std::move(*row_group);
  model.own = footer->has_extension;
  model.fields = schema_fields(*footer);
  view.set_end({});
  model.habits = learn_page_habits(view, open.reader());
  return model;
}

}  // namespace microparquet::recovery
