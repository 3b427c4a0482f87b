// Durations of single writes to a card.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace stalls {

// A table of text: the header `from_ms,latency_ms`, then lines of these two numbers in order of time. The
// first write that begins `from_ms` milliseconds after the start of the log or later, but before the next
// line's time, takes `latency_ms`; all other writes are as fast as the card is. So a measurement of a card
// goes in as it is: when a slow write began, and how long it took.
class StallTrace {
 public:
  static constexpr std::size_t kMaxStalls = 256;

  // False: it is no such table, or has more lines.
  bool read(std::string_view text);

  // The latency that a write meets which begins now; 0: none but its usual one.
  std::uint32_t meet(std::uint32_t now_ms);

  // Time at which the last stall is over.
  std::uint32_t end_ms() const;

 private:
  struct Stall {
    std::uint32_t from_ms;
    std::uint32_t latency_ms;
  };
  std::array<Stall, kMaxStalls> stalls_ = {};
  std::size_t count_ = 0;
  std::size_t next_ = 0;
};

}  // namespace stalls
