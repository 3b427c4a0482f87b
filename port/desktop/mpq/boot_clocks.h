// Dates of the rows of boots whose device learned the time late: the key-values of microparquet/clock_anchors.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpq_tool {

// At `tick` it was `utc_ms` since 1970.
struct ClockAnchor {
  std::int64_t tick = 0;
  std::int64_t utc_ms = 0;
};

// The clock of rows `first_row` to `end_row` - 1, by its anchors, the ticks of which rise.
struct BootClock {
  std::uint64_t first_row = 0;
  std::uint64_t end_row = 0;
  std::vector<ClockAnchor> anchors;
};

// The key-value of a clock, as it is where `rows` rows of other files come before. None: it is none of a clock.
std::optional<std::pair<std::string, std::string>> moved_clock(std::string_view key, std::string_view value,
                                                               std::uint64_t rows);

class BootClocks {
 public:
  // Adds what a key-value says. Does nothing where it is none of a clock, or says what cannot be.
  void add(std::string_view key, std::string_view value);
  bool any() const { return !boots_.empty(); }

  // A row's time since 1970 in UTC, in units as its tick is. Between two anchors the clock's own rate counts, before the first and
  // after the last the usual one. None: no boot with an anchor has the row.
  std::optional<std::int64_t> instant(std::uint64_t row, std::int64_t tick,
                                      std::int64_t units_per_second) const;

 private:
  std::vector<BootClock> boots_;  // in the order of their rows
};

}  // namespace mpq_tool
