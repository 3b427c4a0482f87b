// State of the encoder of DELTA_BINARY_PACKED (delta_encoder.cpp), and what bounds the bytes of its pages.
#pragma once

#include <cstdint>

#include "encoding/delta_packing.h"
#include "encoding/staged_page.h"
#include "microparquet/detail/column_writer.h"
#include "microparquet/encoders.h"

namespace microparquet::encoding {

inline constexpr std::uint32_t kMiniblocks = 4;  // number in a block
// Most miniblocks in a page, whose values two bytes count.
inline constexpr std::uint32_t kMostMiniblocks = 127 * kMiniblocks;
inline constexpr std::uint32_t kDeltaHead = 5;   // bytes of a page's head before its first value
inline constexpr std::uint32_t kMostLeast = 10;  // bytes of a block's least difference
inline constexpr std::uint32_t kMostBlockHead = kMostLeast + kMiniblocks;

// State of the encoder, all zeros when a row group begins.
struct DeltaState : StagedState {
  std::uint64_t least;                  // least difference of the open block
  std::uint32_t most[kMiniblocks - 1];  // largest difference of a miniblock, above the least one; or kWide
  std::uint16_t block_bytes;            // length of the open block, from its widths on
  std::uint16_t miniblocks;             // miniblocks in the page

  std::uint32_t miniblocks_of_block() const { return miniblocks % kMiniblocks; }
  bool begins_block() const { return miniblocks_of_block() == 0; }
};

// The last packed value and the stage follow the state, aligned.
inline constexpr std::uint32_t kLastOffset = 32;
static_assert(sizeof(DeltaState) <= kLastOffset && kLastOffset + 8 == detail::kDeltaStateBytes);

inline std::byte* delta_stage(const PageBody& page) {
  return static_cast<std::byte*>(page.state) + kLastOffset + page.plan->shape.value_bytes;
}

}  // namespace microparquet::encoding
