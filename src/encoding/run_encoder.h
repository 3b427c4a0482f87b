// Runs of small numbers as encoders write them (hybrid_runs.h has the format).
#pragma once

#include <cstddef>
#include <cstdint>

namespace microparquet::encoding {

// Encoder of runs. It lies in an encoder's state and keeps no pointer into the page. Equal numbers become a
// run of their own if that is shorter than packing them, which makes packed runs the worst case. All zeros:
// nothing has been put.
struct RunEncoder {
  static constexpr std::uint32_t kGroup = 8;  // numbers in a group
  static constexpr std::uint32_t kMaxWidth = 16;
  static constexpr std::uint32_t kMostGroups = 63;  // number in a packed run, whose header then takes one
                                                    // byte

  std::uint32_t repeated;  // numbers of the open run, all `number`; 0: there is none
  std::uint16_t packed;    // bytes of the packed run before the cursor that may still grow; 0: there is none
  std::uint16_t number;
  std::uint16_t group[kGroup];
  std::uint8_t buffered;  // numbers in `group`
  std::uint8_t width;     // bits of a number
  bool has_runs;          // whether this page has runs of equal numbers
  std::uint8_t reserved;

  // Begins a page of numbers of `bits` bits. Requires: bits <= kMaxWidth.
  void begin(std::uint32_t bits);

  // Puts a number `times` times, at `at`; returns where the next one goes.
  std::byte* put(std::byte* at, std::uint32_t value, std::uint32_t times);

  // Writes everything buffered; returns the end.
  std::byte* finish(std::byte* at);

  // Returns how many numbers are guaranteed to fit in `free_bytes` bytes if each takes `more` bytes beside
  // its own.
  std::uint32_t that_fit(std::uint32_t free_bytes, std::uint32_t more) const;
};

// Returns the most bytes that a page grows by until it ends if it takes `count` numbers of `width` bits: they and the group
// that is begun are packed, after the open run. There is a header for each 63 groups, counted as for each 31 bytes.
constexpr std::uint32_t most_run_bytes(std::uint32_t width, std::uint32_t count) {
  constexpr std::uint32_t kMostRun = 5 + 2;  // a length of 32 bits, and a number
  constexpr std::uint32_t kBetween = 31;
  const std::uint32_t packed = ((count + RunEncoder::kGroup - 1) / RunEncoder::kGroup + 1) * width;
  return kMostRun + packed + packed / kBetween + 2;
}

}  // namespace microparquet::encoding
