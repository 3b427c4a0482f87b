// The rows of a file that a predicate is true of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "microparquet/filter.h"
#include "parquet_file.h"
#include "possible_values.h"
#include "predicate.h"

namespace mpq_tool {

// Passes over row groups whose statistics leave no row possible.
class PredicateFilter final : public microparquet::RowGroupFilter {
 public:
  // `predicate` must stay. Asks `reader` how the columns compare.
  PredicateFilter(microparquet::Reader& reader, const Predicate& predicate);

  microparquet::Status may_match(microparquet::Reader& reader, bool& match) const override;

 private:
  microparquet::Status may_match(microparquet::Reader& reader, const Predicate& predicate, bool& match) const;
  microparquet::Status may_match(microparquet::Reader& reader, const ColumnTest& test, bool& match) const;
  void add_columns(microparquet::Reader& reader, const Predicate& predicate);

  const Predicate& predicate_;
  std::map<std::uint32_t, microparquet::ColumnRange> columns_;  // asked: how each compares
  mutable std::vector<std::byte> bounds_;
};

}  // namespace mpq_tool
