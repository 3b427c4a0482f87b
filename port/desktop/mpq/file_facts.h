// Facts in the key-values of a file: its origin, its units and times, and the rows that were lost.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "boot_clocks.h"
#include "parquet_file.h"

namespace mpq_tool {

// Facts in a file's key-values about its columns and its times, see microparquet/facts.h.
struct Facts {
  std::map<std::string, std::string> units;  // units of columns, by their names
  std::map<std::string, double> scales;      // factors that convert values to these units
  std::map<std::string, double> offsets;     // what is then added, in these units
  std::map<std::string, std::string> steps;  // what lies between two elements of arrays: "2 Hz"
  std::optional<std::int64_t> started_at;    // nanoseconds since 1970, UTC
  BootClocks clocks;                         // of boots that learned the time late

  // Unit of a column: "deg/s", or "x 0.01 deg/s" with a scale, "x 0.01 - 50 deg/s" with an offset; empty: nothing is known.
  std::string unit_text(const std::string& column) const;
  bool has_units() const { return !units.empty() || !scales.empty() || !offsets.empty(); }
  // Whether values of a column are stored in another form than their unit's.
  bool converts(const std::string& column) const {
    return scales.count(column) != 0 || offsets.count(column) != 0;
  }
};

// Key-values that say what cannot be, as a scale that is no number, count for none. Throws Failure.
Facts read_facts(ParquetFile& file);

// The same of key-values that are not in a file yet.
Facts facts_in(const std::vector<std::pair<std::string, std::string>>& key_values);

// Rows that the device dropped, by the key-values `rows_dropped`, and `rows_refused`, as it was called
// before. A file that has both was continued by a later version: each counts rows of its own.
std::uint64_t dropped_rows(ParquetFile& file);

}  // namespace mpq_tool
