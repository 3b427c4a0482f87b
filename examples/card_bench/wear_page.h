// Where a block that a card answers to CMD56 has its counters.
#pragma once

#include <stdint.h>

namespace card_bench {

struct WearPage {
  static constexpr uint8_t kNone = 0xFF;

  const char* maker;
  uint32_t argument;  // of CMD56
  uint8_t signature[2];
  bool is_big_endian;
  uint8_t percent_used;  // places of single bytes, or kNone
  uint8_t percent_left;
  uint8_t erases_mean;  // places of four bytes, or kNone
  uint8_t erases_most;
  uint8_t erases_total;

  uint32_t number(const uint8_t* block, uint8_t at) const;
};

}  // namespace card_bench
