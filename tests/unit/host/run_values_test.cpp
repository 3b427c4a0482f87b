#include "microparquet/port/run_values.h"

#include <cstring>
#include <vector>

#include "support/check.h"

using microparquet::ColumnRun;
using microparquet::each_value;

namespace {

template <typename T>
T run_value_at(std::uint32_t i) {
  return static_cast<T>(i) * 3 + 1;
}

// Values where no alignment is kept and nothing lies after the last one.
template <typename T>
void check_run_values(std::uint32_t rows) {
  std::vector<std::byte> bytes(rows * sizeof(T) + 1);
  for (std::uint32_t i = 0; i < rows; ++i) {
    const T value = run_value_at<T>(i);
    std::memcpy(bytes.data() + 1 + i * sizeof(T), &value, sizeof(T));
  }
  const ColumnRun run = {bytes.data() + 1, rows, sizeof(T)};
  std::uint32_t seen = 0;
  each_value<T>(run, [&](T value) { CHECK_EQ(value, run_value_at<T>(seen++)); });
  CHECK_EQ(seen, rows);
}

}  // namespace

TEST("each value of a run is visited once and in order, whatever their number") {
  for (std::uint32_t rows = 0; rows < 100; ++rows) {
    check_run_values<std::int32_t>(rows);
    check_run_values<double>(rows);
  }
  check_run_values<std::int64_t>(20000);  // longer than what is asked for at least
}
