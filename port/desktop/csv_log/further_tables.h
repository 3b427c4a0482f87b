// Other tables in a file, one below the other: each begins with names of its own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "csv_settings.h"
#include "layout.h"
#include "line_source.h"

namespace csv_log {

// Part of a file.
struct FoundTable {
  FilePart part;
  std::uint64_t names_line = 0;
  std::vector<std::string> names;
};

// The tables of the file, the first of which has `layout`, in their order. Reads it again: ask where lines fit into no row. One:
// there are no others.
std::vector<FoundTable> find_tables(const Layout& layout, const Settings& settings);

}  // namespace csv_log
