#include "cards/order_check.h"

#include <algorithm>

namespace cards {

void OrderCheck::write(std::uint32_t sector, std::uint32_t count, Cause cause) {
  if (cause == Cause::kTable || cause == Cause::kDirectory) return;
  in_footer_ = cause == Cause::kFooters;
  first_data_ = std::min(first_data_, sector);
  const std::uint32_t last = (sector + count - 1) / sectors_in_block_;
  for (std::uint32_t block = sector / sectors_in_block_; block <= last; ++block) {
    overwrites_ += durable_.count(block);
    written_.push_back(block);
  }
}

void OrderCheck::read(std::uint32_t sector, std::uint32_t /*count*/) {
  if (sector >= first_data_ && !in_footer_) ++reads_;
}

void OrderCheck::publish() {
  durable_.insert(written_.begin(), written_.end());
  written_.clear();
  in_footer_ = false;
}

}  // namespace cards
