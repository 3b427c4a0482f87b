// Booleans as runs, and indices into dictionaries, in lists: what they need at most.
#include "encoding/dictionary_entries.h"
#include "encoding/run_encoder.h"
#include "microparquet/detail/encoding/length_prefix.h"
#include "microparquet/detail/list_levels.h"

namespace microparquet::detail {
namespace {

// Returns the width of an index into a dictionary that is full.
std::uint32_t most_width(const SizedDictionary& size) {
  std::uint32_t bits = 1;
  while ((size.most_entries - 1U) >> bits != 0) ++bits;
  return bits;
}

}  // namespace

std::uint32_t boolean_row_bytes(PageBody& /*page*/, const RowNeed& need, RowPlace place) {
  if (place == RowPlace::kPlainPage) return kTooManyBytes;
  const std::uint32_t length = place == RowPlace::kPageAlone ? encoding::kLengthBytes : 0;
  return length + encoding::most_run_bytes(1, need.values);
}

// A page may have to change to PLAIN, so a row has to fit in both forms.
std::uint32_t dictionary_row_bytes(PageBody& page, const RowNeed& need, RowPlace place) {
  if (place == RowPlace::kPlainPage) return kTooManyBytes;
  const encoding::DictionaryState& state = encoding::dictionary_of(page);
  const bool alone = place == RowPlace::kPageAlone;
  const std::uint32_t width = page.plan->shape.value_bytes;
  const std::uint32_t plain = width != 0 ? need.values * width : text_row_bytes(page, need, place);
  if (!alone) return state.is_plain ? plain : encoding::most_run_bytes(state.runs.width, need.values);
  const std::uint32_t indices =
      1 + encoding::most_run_bytes(most_width(encoding::size_of(page)), need.values);
  return indices < plain ? plain : indices;
}

}  // namespace microparquet::detail
