// What mpq does, a function for each command. All throw Failure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "output.h"

namespace mpq_tool {

enum class RowFormat : std::uint8_t { kCsv, kJson, kTable };

// The file in numbers, its key-values, and what the row groups say of each column.
void print_info(const std::string& path, Output& output);

// The schema in Parquet's own notation.
void print_schema(const std::string& path, Output& output);

// The first `limit` rows, or all of them, of the columns named, or of all for no names.
void print_rows(const std::string& path, const std::vector<std::string>& columns,
                std::optional<std::uint64_t> limit, RowFormat format, Output& output);

}  // namespace mpq_tool
