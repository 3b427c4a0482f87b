// Flash whose units lie anywhere.
#pragma once

#include <cstdint>
#include <vector>

#include "cards/flash.h"

namespace cards {

class PageMappedFlash final : public Flash {
 public:
  explicit PageMappedFlash(const CardKind& kind);
  void program(const PageWrite& write) override;

 private:
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

  void move(std::uint32_t unit);
  void leave(std::uint32_t unit);
  void append(std::uint32_t unit);
  void collect(Cause cause);
  std::uint32_t emptiest_block();
  void note_valid(std::uint32_t block) { with_valid_[valid_[block]].push_back(block); }

  std::uint32_t units_in_block_;
  std::vector<std::uint32_t> place_of_;  // of a unit
  std::vector<std::uint32_t> unit_at_;   // of a place
  std::vector<std::uint32_t> valid_;     // units of a block
  std::vector<std::uint32_t> free_;      // blocks
  std::vector<bool> is_free_;
  // Blocks that have had that many valid units: an entry holds as long as the block has them.
  std::vector<std::vector<std::uint32_t>> with_valid_;
  std::uint32_t active_ = 0;  // block
  std::uint32_t filled_ = 0;  // units of the active block
};

}  // namespace cards
