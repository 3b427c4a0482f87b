// What the key-values of a file say of its columns and its times, see microparquet/facts.h.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "parquet_file.h"

namespace mpq_tool {

struct Facts {
  std::map<std::string, std::string> units;  // of columns, by their names
  std::map<std::string, double> scales;      // what a value is to be multiplied with to be in that unit
  std::optional<std::int64_t> started_at;    // nanoseconds since 1970, UTC

  // Of a column: "deg/s", or "x 0.01 deg/s" with a scale; empty: nothing is known.
  std::string unit_text(const std::string& column) const;
  bool has_units() const { return !units.empty() || !scales.empty(); }
};

// Key-values that say what cannot be, as a scale that is no number, count for none. Throws Failure.
Facts read_facts(ParquetFile& file);

}  // namespace mpq_tool
