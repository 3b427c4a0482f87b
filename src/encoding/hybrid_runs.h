// Runs of small numbers in a page (Encodings.md, RLE and bit-packing hybrid), for decoders.
//
//   run of equal numbers    varint(length << 1), the number in as many bytes as its width needs
//   run of packed numbers   varint(groups << 1 | 1), then `width` bytes a group of eight, least significant first
#pragma once

#include <cstdint>

#include "microparquet/page_input.h"

namespace microparquet::encoding {

// Position in a sequence of runs. It lies in a decoder's state.
struct HybridRuns {
  static constexpr std::uint32_t kMaxWidth = 32;

  std::uint32_t left;    // numbers left in the current run
  std::uint32_t number;  // the number, in a run of equal ones
  std::uint8_t width;    // bits of a number
  std::uint8_t bit;      // next bit in the byte at the page's cursor, in a packed run
  bool packed;

  // Makes sure that the current run has numbers and that the next one is loaded. `count` becomes how many of
  // the next `count` numbers may be taken.
  // - kCorrupt: the page ends before a number
  Status load(PageInput page, std::uint32_t& count);

  // Takes the next number. Requires: it is loaded.
  std::uint32_t take(PageInput page);
};

}  // namespace microparquet::encoding
