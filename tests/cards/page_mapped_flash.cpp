#include "cards/page_mapped_flash.h"

#include <algorithm>

namespace cards {

namespace {

constexpr std::uint32_t kCardBytes = 2U << 30;
constexpr std::uint32_t kBlockBytes = 1U << 20;
constexpr std::uint32_t kSparePercent = 7;
constexpr std::size_t kLeastFree = 4;  // blocks

}  // namespace

// All of the card has been written before: it is as full as it will ever be.
PageMappedFlash::PageMappedFlash(const CardKind& kind)
    : Flash(kind), units_in_block_(kBlockBytes / kind.unit_bytes), with_valid_(units_in_block_ + 1) {
  const std::uint32_t units = kCardBytes / kind.unit_bytes;
  const std::uint32_t written = units / units_in_block_;
  const std::uint32_t blocks = written * (100 + kSparePercent) / 100;
  place_of_.resize(units);
  unit_at_.assign(std::size_t{blocks} * units_in_block_, kNowhere);
  valid_.assign(blocks, 0);
  is_free_.assign(blocks, false);
  for (std::uint32_t unit = 0; unit < units; ++unit) {
    place_of_[unit] = unit_at_[unit] = unit;
  }
  for (std::uint32_t block = 0; block < blocks; ++block) {
    if (block < written) {
      valid_[block] = units_in_block_;
      note_valid(block);
    } else {
      free_.push_back(block);
      is_free_[block] = true;
    }
  }
  filled_ = units_in_block_;
}

void PageMappedFlash::program(const PageWrite& write) {
  wear_.busy_us += kind_.program_us;
  const std::uint32_t bytes =
      write.ends_command ? std::max(kind_.least_bytes, kind_.page_bytes) : kind_.page_bytes;
  count(bytes + kind_.folds * kind_.page_bytes, write.cause);
  const std::uint32_t units = std::max(1U, kind_.page_bytes / kind_.unit_bytes);
  for (std::uint32_t i = 0; i < units; ++i) {
    move((write.page * units + i) % static_cast<std::uint32_t>(place_of_.size()));
    while (free_.size() < kLeastFree) collect(write.cause);
  }
}

void PageMappedFlash::move(std::uint32_t unit) {
  leave(unit);
  append(unit);
}

void PageMappedFlash::leave(std::uint32_t unit) {
  const std::uint32_t block = place_of_[unit] / units_in_block_;
  unit_at_[place_of_[unit]] = kNowhere;
  --valid_[block];
  note_valid(block);
}

void PageMappedFlash::append(std::uint32_t unit) {
  if (filled_ == units_in_block_) {
    active_ = free_.back();
    free_.pop_back();
    is_free_[active_] = false;
    filled_ = 0;
  }
  place_of_[unit] = active_ * units_in_block_ + filled_++;
  unit_at_[place_of_[unit]] = unit;
  ++valid_[active_];
  if (filled_ == units_in_block_) note_valid(active_);
}

// Copies what is valid of the block that has least of it.
void PageMappedFlash::collect(Cause cause) {
  const std::uint32_t block = emptiest_block();
  for (std::uint32_t i = 0; i < units_in_block_; ++i) {
    std::uint32_t& unit = unit_at_[block * units_in_block_ + i];
    if (unit == kNowhere) continue;
    --valid_[block];
    const std::uint32_t copied = unit;
    unit = kNowhere;
    append(copied);
    count_copies(static_cast<double>(kind_.unit_bytes) / kind_.page_bytes, cause);
  }
  free_.insert(free_.begin(), block);
  is_free_[block] = true;
}

std::uint32_t PageMappedFlash::emptiest_block() {
  for (std::uint32_t valid = 0;; ++valid) {
    std::vector<std::uint32_t>& blocks = with_valid_[valid];
    while (!blocks.empty()) {
      const std::uint32_t block = blocks.back();
      blocks.pop_back();
      const bool is_open = block == active_ && filled_ < units_in_block_;
      if (valid_[block] == valid && !is_open && !is_free_[block]) return block;
    }
  }
}

}  // namespace cards
