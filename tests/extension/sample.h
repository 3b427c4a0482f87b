// The rows of the files that extensions are tried with; check_files.py has the same formulas.
#pragma once

#include <cstdint>
#include <optional>

namespace extension {

struct Sample {
  std::int32_t number = 0;
  bool flag = false;                  // in runs of 1 to 400
  std::optional<bool> maybe_flag;     // null in every third row
  float reading = 0;                  // repeats itself
  std::optional<std::int64_t> count;  // null in every fifth row
  std::int64_t level = 0;             // repeats itself for 5,000 rows, and not for the next 5,000
  std::optional<double> maybe_level;  // null in every fourth row, repeats itself, and changes slowly
};

inline Sample sample(std::uint32_t row) {
  Sample sample;
  sample.number = static_cast<std::int32_t>(row);
  sample.flag = row / (row / 1000 % 20 * 20 + 1) % 2 != 0;
  if (row % 3 != 0) sample.maybe_flag = row / 7 % 2 != 0;
  sample.reading = static_cast<float>(row / 50 % 8);
  if (row % 5 != 0) sample.count = row / 9;
  sample.level = row / 5000 % 2 == 0 ? row / 40 % 30 : row / 3;
  const int step = static_cast<int>(row / 25 % 16);
  const int part = static_cast<int>(row / 7000);
  if (row % 4 != 0) sample.maybe_level = 0.5 * step + part;
  return sample;
}

}  // namespace extension
