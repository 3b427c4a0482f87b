// The first values of columns that may be times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "parquet_file.h"
#include "time_text.h"

namespace mpq_tool {

// Values of a column, as numbers: integers and floating point as they are, INT96 in days, times that are texts in nanoseconds.
struct ProbedValues {
  std::vector<double> values;
  std::size_t others = 0;           // cells that are no numbers
  TimeForm form = TimeForm::kNone;  // of texts, where all are times

  bool vary() const;
  // Whether none is before the one before it, and the last is after the first; or the other way round.
  bool go_one_way() const;
  // The one in the middle by size; 0 without any.
  double median() const;
  // Median of the intervals from value to value, without sign; 0 for fewer than two.
  double interval() const;
  bool are_multiples_of(double step) const;
  bool are_whole() const;
};

class TimeProbe {
 public:
  // Reads the first rows of `columns`, which are flat, up to a damage.
  TimeProbe(ParquetFile& file, const std::vector<Column>& columns);

  const ProbedValues& of(const Column& column) const { return values_.at(column.number); }

  // Whether its values differ, by what is in the first rows or what the statistics say of the others.
  bool varies(ParquetFile& file, const Column& column) const;

 private:
  std::map<std::uint32_t, ProbedValues> values_;
  bool has_all_rows_ = false;
};

}  // namespace mpq_tool
