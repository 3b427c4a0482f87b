#include "cards/flash.h"

namespace cards {

namespace {

constexpr double kEraseUs = 5000;

}  // namespace

void Flash::count(double bytes, Cause cause) {
  wear_.programmed += bytes;
  wear_.by_cause[static_cast<std::size_t>(cause)] += bytes;
}

void Flash::count_copies(double pages, Cause cause) {
  const double bytes = pages * kind_.page_bytes;
  count(bytes, cause);
  wear_.merged += bytes;
  wear_.busy_us += pages * kind_.copy_us;
}

void Flash::count_erase() { wear_.busy_us += kEraseUs; }

}  // namespace cards
