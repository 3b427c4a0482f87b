#include "run_encoder.h"

#include <cstring>

namespace extension {
namespace {

constexpr std::uint32_t kLengthBytes = 4;
constexpr std::uint32_t kShortRun = 2;    // bytes of a run that is as short as can be
constexpr std::uint32_t kLongestRun = 6;  // of one of any length

struct RunState {
  std::uint32_t length;  // of the open run; 0: there is none
  bool value;
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

}  // namespace

void begin_runs(mpq::PageBody& page) { page.cursor += kLengthBytes; }

// Each value may end a run; the open one may be long.
std::uint32_t runs_that_fit(const mpq::PageBody&, std::uint32_t free_bytes, std::uint32_t level_bytes) {
  return free_bytes < kLongestRun ? 0 : (free_bytes - kLongestRun) / (kShortRun + level_bytes);
}

void put_runs(mpq::PageBody& page, const void* values, std::uint32_t count) {
  const bool* value = static_cast<const bool*>(values);
  page.update_bounds(values, count);
  RunState& run = state_of(page);
  for (; count != 0; --count, ++value) {
    if (run.value != *value) end_run(page);
    run.value = *value;
    ++run.length;
  }
}

void finish_runs(mpq::PageBody& page) {
  const std::uint32_t open = state_of(page).length;
  if (page.pages_left() != 0 && open < page.row_count) {
    page.row_count -= open;
  } else {
    end_run(page);
  }
  const auto length = static_cast<std::uint32_t>(page.cursor - page.values) - kLengthBytes;
  std::memcpy(page.values, &length, kLengthBytes);
}

}  // namespace extension
