#pragma once

#include <cstdint>

#include "base/try.h"
#include "format/written_page_header.h"
#include "microparquet/detail/list_levels.h"
#include "write/page_transform.h"
#include "write/writer_resume.h"

// The rows of a page of a list, from its repetition levels: a row begins where the level is 0.
namespace microparquet::write {

constexpr std::uint32_t kUnknownRow = 0xFFFFFFFF;

inline std::uint32_t next_varint(FoundBytes& in) {
  std::uint32_t value = 0;
  for (unsigned shift = 0; shift < 32; shift += 7) {
    const unsigned byte = in.byte();
    value |= (byte & 0x7F) << shift;
    if (byte < 0x80) break;
  }
  return value;
}

// Counts the levels of 0 among the first `levels` ones, of `bits` bits.
inline std::uint32_t count_zeros(FoundBytes& in, std::uint32_t levels, unsigned bits) {
  constexpr std::uint32_t kGroup = 8;
  std::uint32_t zeros = 0;
  while (levels != 0 && !in.at_end()) {
    const std::uint32_t header = next_varint(in);
    const std::uint32_t length = header >> 1;
    if ((header & 1) == 0) {
      const std::uint32_t count = length < levels ? length : levels;
      if (in.byte() == 0) zeros += count;
      levels -= count;
      continue;
    }
    for (std::uint32_t group = 0; group < length && !in.at_end(); ++group) {
      std::uint32_t packed = 0;
      for (unsigned i = 0; i < bits; ++i) packed |= in.byte() << (8 * i);
      const std::uint32_t count = levels < kGroup ? levels : kGroup;
      for (std::uint32_t i = 0; i < count; ++i, packed >>= bits) {
        if ((packed & ((1U << bits) - 1)) == 0) ++zeros;
      }
      levels -= count;
    }
  }
  return levels == 0 ? zeros : kUnknownRow;
}

// Counts the rows of a page of a list, whose body begins at `at`. kCorrupt: it is compressed, so that they are not known.
// noinline: its variables are off the stack while pages are read.
[[gnu::noinline]] inline Status count_rows(const detail::WriterState& state,
                                           const detail::ColumnWriter& column, std::uint64_t at,
                                           const format::WrittenPageHeader& page, std::uint32_t& rows) {
  if (state.plan->transforms != nullptr && compressor_of(state, column) != nullptr) return Status::kCorrupt;
  std::uint32_t bytes = 0;
  FoundBytes in(state, at);
  in.begin(page.stored_bytes);
  in.get(&bytes, sizeof bytes);
  rows = count_zeros(in, page.values, detail::list_levels(column).repetition_bits());
  MICROPARQUET_TRY(in.status());
  return rows != kUnknownRow ? Status::kOk : Status::kCorrupt;
}

}  // namespace microparquet::write
