// Scenarios: the logs that are written while the power fails.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "workload.h"

namespace power_loss {

namespace mpq = microparquet;

struct Scenario {
  std::string name;
  faults::Workload workload;
  unsigned later_rows = 0;        // of each life but the first, which has workload.rows
  unsigned checkpoint_rows = 0;   // on average this many rows pass between calls of checkpoint(); 0: no call
  unsigned row_group_rows = 0;    // the same of end_row_group()
  unsigned save_rows = 0;         // and of save()
  bool saves_row_groups = false;  // each end_row_group() is followed by one
  std::uint32_t ms_per_row = 0;   // for tick(), which is called before each row; 0: it is not
  std::uint32_t bytes_per_row = 0;  // at least; for the loss that the options promise
  // The first life comes to the file by roll() from another one, and each rolls to another one.
  bool rolls = false;
};

const std::vector<Scenario>& scenarios();

// A key-value set before the first row; it must be there as long as the file has rows.
inline constexpr std::string_view kOriginKey = "origin";
inline constexpr std::string_view kOrigin =
    "set before the first row, and inherited from footer to footer by later lives";

// Number of rows that a life of it is to append.
unsigned rows_of_life(const Scenario& scenario, unsigned life);

}  // namespace power_loss
