#include "run_encoder.h"

#include <cstring>

namespace extension {
namespace {

constexpr std::uint32_t kLengthBytes = 4;
constexpr std::uint32_t kShortRun = 2;                // bytes of a run that is as short as can be
constexpr std::uint32_t kLongestRun = 6;              // of one of any length
constexpr std::uint32_t kWorthwhile = 8 * kShortRun;  // values of a run that is no larger than in PLAIN

struct RunState {
  std::uint32_t length;  // of the open run; 0: there is none
  std::uint32_t values;  // put into this page
  std::uint32_t runs;    // that they are
  bool value;            // the last one
  bool plain;            // so is this page
};
static_assert(sizeof(RunState) == kRunEncoder.state_bytes);

RunState& state_of(const mpq::PageBody& page) { return *static_cast<RunState*>(page.state); }

void end_run(mpq::PageBody& page) {
  RunState& run = state_of(page);
  if (run.length == 0) return;
  for (run.length <<= 1; run.length >= 0x80; run.length >>= 7)
    *page.cursor++ = static_cast<std::byte>(run.length | 0x80);
  *page.cursor++ = static_cast<std::byte>(run.length);
  *page.cursor++ = static_cast<std::byte>(run.value);
  run.length = 0;
}

void put_bit(mpq::PageBody& page, std::uint32_t place, bool value) {
  if (place % 8 == 0) *page.cursor++ = std::byte{0};
  if (value) page.cursor[-1] |= static_cast<std::byte>(1U << place % 8);
}

// Ends a page of runs, and says whether the open one, of `open` values, stays for the next page.
void finish_page_of_runs(mpq::EndingPage& page, std::uint32_t open, bool stays) {
  if (stays && page.pages_left() != 0 && open < page.row_count) {
    page.row_count -= open;
  } else {
    end_run(page);
  }
  const auto length = static_cast<std::uint32_t>(page.cursor - page.values) - kLengthBytes;
  std::memcpy(page.values, &length, kLengthBytes);
}

}  // namespace

void begin_runs(mpq::PageBody& page) {
  RunState& state = state_of(page);
  state.values = 0;
  state.runs = 0;
  if (!state.plain) page.cursor += kLengthBytes;
}

// Each value may end a run; the open one may be long.
std::uint32_t runs_that_fit(mpq::PageBody& page, std::uint32_t free_bytes, std::uint32_t level_bytes) {
  const RunState& state = state_of(page);
  if (!state.plain)
    return free_bytes < kLongestRun ? 0 : (free_bytes - kLongestRun) / (kShortRun + level_bytes);
  return level_bytes == 0 ? free_bytes * 8 : free_bytes / (1 + level_bytes);
}

void put_runs(mpq::PageBody& page, const void* values, std::uint32_t count) {
  const bool* value = static_cast<const bool*>(values);
  page.update_bounds(values, count);
  RunState& state = state_of(page);
  for (; count != 0; --count, ++value) {
    if (state.value != *value || state.values == 0) {
      ++state.runs;
      if (!state.plain && state.value != *value) end_run(page);
    }
    state.value = *value;
    if (state.plain) {
      put_bit(page, state.values, *value);
    } else {
      ++state.length;
    }
    ++state.values;
  }
}

void finish_runs(mpq::EndingPage& page) {
  RunState& state = state_of(page);
  const bool plain = state.runs * kWorthwhile > state.values;  // the next page
  if (state.plain) {
    page.set_encoding(mpq::EncodingId::kPlain);
  } else {
    finish_page_of_runs(page, state.length, !plain);
  }
  state.plain = plain;
}

}  // namespace extension
