// Differences in lists: a row is taken whole, however many values it has, and packed while it is put.
#include "base/bytes.h"
#include "base/endian.h"
#include "encoding/delta_state.h"
#include "microparquet/detail/list_levels.h"

namespace microparquet::detail {
namespace {

// Copies aligned words, two at a time: of the length of a value of eight bytes, or of two of four.
std::byte* copy_aligned(std::byte* to, const std::byte* from, std::uint32_t bytes) {
  constexpr std::uint32_t kWord = sizeof(std::uint32_t);
  const std::byte* const end = from + bytes;
  if (bytes % (2 * kWord) != 0) {
    util::store_aligned(to, util::load_aligned<std::uint32_t>(from));
    from += kWord;
    to += kWord;
  }
  while (from != end) {
    const auto first = util::load_aligned<std::uint32_t>(from);
    const auto second = util::load_aligned<std::uint32_t>(from + kWord);
    util::store_aligned(to, first);
    util::store_aligned(to + kWord, second);
    from += 2 * kWord;
    to += 2 * kWord;
    asm("" : "+r"(from));
  }
  return to;
}

}  // namespace

// Counts each miniblock at full width, the last one too, which is packed as if it were full: a page whose first miniblock
// packs badly is PLAIN, and shorter. A row that is alone in its page and might not fit makes it PLAIN from the beginning.
std::uint32_t delta_row_bytes(PageBody& page, const RowNeed& need, RowPlace place) {
  auto& state = *static_cast<encoding::DeltaState*>(page.state);
  const std::uint32_t width = page.plan->shape.value_bytes;
  const bool is_empty = page.cursor == page.values;
  if (place == RowPlace::kPlainPage) {
    if (!is_empty || state.other != 0) return kTooManyBytes;
    state.is_plain = true;
  }
  if (place != RowPlace::kOpenPage || state.is_plain) return need.values * width;
  std::uint32_t values = need.values + state.other;
  if (values == 0) return 0;
  std::uint32_t bytes = 0;
  if (is_empty) {  // the first value stands in the head
    bytes = encoding::kDeltaHead + encoding::kMostLeast;
    --values;
  }
  const std::uint32_t miniblocks = (values + encoding::kMiniblock - 1) / encoding::kMiniblock;
  if (state.miniblocks + miniblocks > encoding::kMostMiniblocks) return kTooManyBytes;
  const std::uint32_t blocks = (miniblocks + encoding::kMiniblocks - 1) / encoding::kMiniblocks;
  return bytes + blocks * encoding::kMostBlockHead + miniblocks * encoding::kMiniblock * width;
}

void put_list_deltas(PageBody& page, const void* values, std::uint32_t count) {
  auto& state = *static_cast<encoding::DeltaState*>(page.state);
  const std::uint32_t width = page.plan->shape.value_bytes;
  const auto* from = static_cast<const std::byte*>(values);
  while (count != 0 && !state.is_plain) {
    const std::uint32_t free = kDeltaStagedValues - state.other;
    const std::uint32_t taken = count < free ? count : free;
    copy_aligned(encoding::delta_stage(page) + state.other * width, from, taken * width);
    from += taken * width;
    count -= taken;
    state.other += taken;
    if (state.other == kDeltaStagedValues) deltas_that_fit(page, 0, 0);  // packs
  }
  page.cursor = copy_aligned(page.cursor, from, count * width);
}

}  // namespace microparquet::detail
