#include "cards/unit_mapped_flash.h"

#include <algorithm>
#include <map>

namespace cards {

void UnitMappedFlash::program(const PageWrite& write) {
  wear_.busy_us += kind_.program_us;
  if (std::uint64_t{write.page} * kind_.page_bytes < kind_.table_bytes) {
    count(2.0 * kind_.page_bytes, write.cause);  // a small log, each page of which is collected once
  } else {
    program_in_unit(write);
  }
}

std::uint32_t UnitMappedFlash::pages_held(std::uint32_t unit, std::uint32_t first, std::uint32_t end) const {
  if (end <= first) return 0;
  if (!kind_.is_new) return end - first;
  std::uint32_t held = 0;
  for (std::uint32_t i = first; i < end; ++i) {
    held += held_.count(unit * pages_in_unit() + i) != 0 ? 1U : 0U;
  }
  return held;
}

void LogBlockFlash::program_in_unit(const PageWrite& write) {
  Log& log = log_of(write.page / pages_in_unit());
  if (write.page % pages_in_unit() != log.used) log.is_in_order = false;
  ++log.used;
  ++log.pages_by_cause[static_cast<std::size_t>(write.cause)];
  hold(write.page);
  count(kind_.page_bytes, write.cause);
}

// Opens the unit, and empties its log block if that is full.
LogBlockFlash::Log& LogBlockFlash::log_of(std::uint32_t unit) {
  const auto found =
      std::find_if(logs_.begin(), logs_.end(), [&](const Log& log) { return log.unit == unit; });
  if (found != logs_.end()) {
    logs_.splice(logs_.begin(), logs_, found);
  } else {
    if (logs_.size() == kind_.open_units) {
      merge(logs_.back());
      logs_.pop_back();
    }
    logs_.emplace_front().unit = unit;
  }
  Log& log = logs_.front();
  if (log.used == pages_in_unit()) {
    merge(log);
    log = Log{unit};
  }
  return log;
}

void LogBlockFlash::merge(const Log& log) {
  const std::uint32_t copies = pages_held(log.unit, log.is_in_order ? log.used : 0, pages_in_unit());
  for (std::size_t i = 0; i < kCauses; ++i) {
    count_copies(copies * log.pages_by_cause[i] / log.used, static_cast<Cause>(i));
  }
  count_erase();
}

void ForwardFlash::program_in_unit(const PageWrite& write) {
  const std::uint32_t at = write.page % pages_in_unit();
  OpenUnit& unit = open(write.page / pages_in_unit(), write.cause);
  if (at < unit.next) {
    copy(unit.unit, unit.next, pages_in_unit(), write.cause);
    count_erase();
    unit.next = 0;
  }
  copy(unit.unit, unit.next, at, write.cause);
  unit.next = at + 1;
  hold(write.page);
  count(kind_.page_bytes, write.cause);
}

// Closes another unit, if too many are open: its rest is copied.
ForwardFlash::OpenUnit& ForwardFlash::open(std::uint32_t unit, Cause cause) {
  const auto found =
      std::find_if(open_.begin(), open_.end(), [&](const OpenUnit& open) { return open.unit == unit; });
  if (found != open_.end()) {
    open_.splice(open_.begin(), open_, found);
  } else {
    if (open_.size() == kind_.open_units) {
      copy(open_.back().unit, open_.back().next, pages_in_unit(), cause);
      count_erase();
      open_.pop_back();
    }
    open_.emplace_front().unit = unit;
  }
  return open_.front();
}

void ForwardFlash::copy(std::uint32_t unit, std::uint32_t first, std::uint32_t end, Cause cause) {
  count_copies(pages_held(unit, first, end), cause);
}

void SharedLogFlash::program_in_unit(const PageWrite& write) {
  if (write.is_whole) {
    ForwardFlash::program_in_unit(write);
    return;
  }
  if (parts_.size() == pages_in_unit()) merge();
  parts_.push_back({write.page / pages_in_unit(), write.cause});
  count(kind_.page_bytes, write.cause);
}

// Rewrites each unit that has a part in the log.
void SharedLogFlash::merge() {
  std::map<std::uint32_t, std::vector<Cause>> causes_of_units;
  for (const Part& part : parts_) causes_of_units[part.unit].push_back(part.cause);
  for (const auto& [unit, causes] : causes_of_units) {
    const double pages = static_cast<double>(pages_in_unit()) / static_cast<double>(causes.size());
    for (const Cause cause : causes) count_copies(pages, cause);
    count_erase();
  }
  parts_.clear();
}

}  // namespace cards
