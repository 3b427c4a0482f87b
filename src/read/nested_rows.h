// The columns of a typed nested schema in a file.
#pragma once

#include <string_view>

#include "microparquet/detail/nested_plan.h"
#include "microparquet/reader.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet::read {

// Columns of a typed nested schema, found in a file.

// Finds the plan's columns, lists and structs in the file by name, in each form that LogicalTypes.md allows.
// Requires: no column of `reader` is being read, since their memory holds names meanwhile.
// - kInvalidArgument: one is not there, or is of another type, or not in such lists and structs
Status find_nested_columns(Reader& reader, const detail::NestedPlan& plan, detail::NestedPlace* places,
                           Span<ColumnChoice> columns);

// Names of lists in files of older writers: the rules of LogicalTypes.md.

// Returns whether the repeated group in `list` has a name that older writers give it if it is the element
// itself.
inline bool is_named_as_element(std::string_view name, std::string_view list) {
  constexpr std::string_view kSuffix = "_tuple";
  if (name == "array") return true;
  if (name.size() != list.size() + kSuffix.size()) return false;
  return std::string_view(name.data(), list.size()) == list &&
         std::string_view(name.data() + list.size(), kSuffix.size()) == kSuffix;
}

}  // namespace microparquet::read
