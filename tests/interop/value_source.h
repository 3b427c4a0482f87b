// The values of the interop matrix: the formula of column_types.py, written a second time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "microparquet/schema.h"
#include "microparquet/writer.h"

namespace interop {

// A value that keeps the bytes it shows.
struct OwnedValue {
  microparquet::Value value;
  std::string bytes;
};

using ValueSource = std::function<OwnedValue(std::uint64_t row, std::uint64_t column)>;

struct ColumnType {
  std::function<microparquet::Field(const std::string& name)> field;
  ValueSource value;
};

// All types by name.
const std::map<std::string, ColumnType>& column_types();

// Whether a row of a column with this pattern of nulls is null. False for an unknown pattern's name in
// `known`.
bool is_null(const std::string& pattern, std::uint64_t row);
bool is_null_pattern(const std::string& pattern);

}  // namespace interop
