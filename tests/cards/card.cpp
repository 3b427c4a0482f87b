#include "cards/card.h"

#include <algorithm>

namespace cards {

namespace {

// A bus of one line at 20 MHz: a sector with its checksum, and what a command takes to begin.
constexpr double kSectorWriteUs = 260;
constexpr double kSectorReadUs = 230;
constexpr double kWriteCommandUs = 150;
constexpr double kReadCommandUs = 300;

}  // namespace

void Card::write(std::uint32_t sector, std::uint32_t count, Cause cause) {
  if (driver_ != Driver::kSectors) {
    write_command(sector, count, cause);
    return;
  }
  for (std::uint32_t i = 0; i < count; ++i) write_command(sector + i, 1, cause);
}

void Card::write_command(std::uint32_t sector, std::uint32_t count, Cause cause) {
  const bool follows = sector == next_;
  if (!is_open_ || !follows) {
    end_command();
    bus_us_ += kWriteCommandUs;
    is_open_ = true;
  }
  ++traffic_.commands;
  if (!follows) {
    if (run_ == 1) ++traffic_.single_sectors;
    ++traffic_.seeks;
    run_ = 0;
  }
  run_ += count;
  traffic_.sectors += count;
  for (std::uint32_t i = 0; i < count; ++i) write_sector(sector + i, cause);
  next_ = sector + count;
  if (driver_ != Driver::kHeld) end_command();
}

void Card::write_sector(std::uint32_t sector, Cause cause) {
  bus_us_ += kSectorWriteUs;
  const std::uint32_t page = sector / sectors_in_page();
  if (page != page_) {
    program(false);
    page_ = page;
  }
  ++filled_;
  cause_ = cause;
  if (sector % sectors_in_page() == sectors_in_page() - 1) program(false);
}

void Card::program(bool ends_command) {
  if (page_ == kNone) return;
  flash_->program({page_, cause_, filled_ == sectors_in_page(), ends_command});
  page_ = kNone;
  filled_ = 0;
}

void Card::read(std::uint32_t /*sector*/, std::uint32_t count) {
  end_command();
  bus_us_ += kReadCommandUs + kSectorReadUs * count;
  next_ = kNone;
}

void Card::sync() { end_command(); }

void Card::end_command() {
  program(true);
  is_open_ = false;
}

void Card::begin_call(std::uint32_t /*ms*/) {
  longest_call_us_ = std::max(longest_call_us_, busy_us() - call_began_us_);
  call_began_us_ = busy_us();
}

void Card::forget_call() { call_began_us_ = busy_us(); }

void Card::end() {
  end_command();
  if (run_ == 1) ++traffic_.single_sectors;
  run_ = 0;
}

}  // namespace cards
