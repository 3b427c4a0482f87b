// Lengths in DELTA_BINARY_PACKED at the beginning of a page that lies in memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "encoding/delta_numbers.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet::encoding {

// Position in the lengths. It lies in a decoder's state. Each call is given the page, which may move between
// calls.
class PackedLengths {
 public:
  // Returns the number of lengths that have not been read.
  std::uint32_t left() const { return numbers_.left(); }

  // Begins the lengths at `at`.
  // - as DeltaNumbers::begin()
  Status begin(Span<const std::byte> page, std::uint32_t at) {
    at_ = at;
    LoadedBytes bytes = rest(page);
    MICROPARQUET_TRY(numbers_.begin(bytes));
    take_all_but(page, bytes);
    return Status::kOk;
  }

  // Reads the next length.
  // - kCorrupt: there is none, or it is negative
  Status next(Span<const std::byte> page, std::uint32_t& length) {
    LoadedBytes bytes = rest(page);
    std::int32_t number = 0;
    std::uint32_t stored = 0;
    MICROPARQUET_TRY(numbers_.read(bytes, &number, 1, stored));
    take_all_but(page, bytes);
    length = static_cast<std::uint32_t>(number);
    return number >= 0 ? Status::kOk : Status::kCorrupt;
  }

  // See DeltaNumbers.
  std::uint32_t equal_run() const { return numbers_.equal_run(); }
  void pass_equal(std::uint32_t count) { numbers_.pass_equal(count); }

  // Finds where the bytes after the lengths begin.
  // - kCorrupt: the lengths are cut off
  Status find_end(Span<const std::byte> page, std::uint32_t& at) const {
    DeltaNumbers numbers = numbers_;
    LoadedBytes bytes = rest(page);
    MICROPARQUET_TRY(numbers.pass_all(bytes));
    at = static_cast<std::uint32_t>(page.size()) - bytes.left();
    return Status::kOk;
  }

 private:
  LoadedBytes rest(Span<const std::byte> page) const {
    return {page.data() + at_, static_cast<std::uint32_t>(page.size()) - at_};
  }
  void take_all_but(Span<const std::byte> page, const LoadedBytes& bytes) {
    at_ = static_cast<std::uint32_t>(page.size()) - bytes.left();
  }

  DeltaNumbers numbers_;
  std::uint32_t at_;  // place in the page
};

}  // namespace microparquet::encoding
