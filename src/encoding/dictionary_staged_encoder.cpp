// RLE_DICTIONARY of values of four and eight bytes in required columns (dictionary_entries.h has the format).
//
// Values are put into a stage in the column's state as into a page in PLAIN, and looked up a stage at a time.
// Values that the page does not take stay staged and begin the next page: one that is no entry and cannot
// become one, or an entry for which the page's indices are too narrow.
#include "encoding/dictionary_fixed_entries.h"

namespace microparquet {
namespace {

using encoding::DictionaryState;
using encoding::entry_of;
using encoding::FixedEntries;
using encoding::kNoEntry;
using encoding::kStagedIndices;
using encoding::takes_entry;

// The open page of a required column and its stage while they are changed.
struct IndexPage : FixedEntries {
  using FixedEntries::FixedEntries;

  // Takes the staged values into the page. Returns false if some stay.
  bool take_staged() {
    DictionaryState& dictionary = state();
    const std::byte* const end = stage + (staged << shift);
    const std::byte* value = stage;
    while (value != end) {
      const std::uint32_t entry = entry_of(static_cast<const FixedEntries&>(*this), value);
      const bool goes_on = dictionary.runs.repeated != 0 && entry == dictionary.runs.number;
      if (!goes_on && (free_bytes() < dictionary.reserve() || !takes_entry(dictionary, entry))) break;
      const std::byte* const first = value;
      do value += width();
      while (value != end && are_equal(value, first));
      at = dictionary.runs.put(at, entry, static_cast<std::uint32_t>(value - first) >> shift);
    }
    if (value != stage) {
      update_bounds(stage, value);
      dictionary.has_values = true;
      drop(static_cast<std::uint32_t>(value - stage) >> shift);
    }
    return staged == 0;
  }

  std::uint32_t indices_that_fit() const {
    if (staging.keeps) return kStagedIndices;
    const std::uint32_t entries = free_entries();
    const std::uint32_t sure = state().that_fit(free_bytes(), 0);
    const std::uint32_t fitting = entries < sure ? entries : sure;
    if (fitting >= kStagedIndices) return kStagedIndices;
    // A page of new values would soon end, and the row group perhaps with it.
    return fitting >= kStagedIndices / 2 || state().has_values ? fitting : 0;
  }

  std::uint32_t that_fit() {
    if (!is_plain()) {
      if (!take_staged()) return 0;
      const std::uint32_t fitting = state().has_fallen ? 0 : indices_that_fit();
      if (fitting != 0 || state().has_values) return fitting;
      become_plain(0);
    }
    return staged == 0 ? free_bytes() >> shift : 0;
  }
};

}  // namespace

void detail::begin_dictionary_staged(PageBody& page) {
  encoding::begin_staged_page(page, encoding::stage_of(page));
  IndexPage open(page);
  DictionaryState& state = open.state();
  state.has_values = false;
  // All staged values go into a page of indices, or all into PLAIN.
  const std::byte* value = open.stage;
  for (std::uint32_t kept = open.staged; kept != 0 && !state.has_fallen; --kept, value += open.width())
    state.has_fallen = entry_of(static_cast<const FixedEntries&>(open), value) == kNoEntry;
  state.begin_indices(open.column, open.at++, open.size.most_entries);
  if (state.has_fallen) open.become_plain(0);
  open.store();
}

std::uint32_t detail::dictionary_staged_that_fit(PageBody& page, std::uint32_t /*free_bytes*/,
                                                 std::uint32_t /*level_bytes*/) {
  IndexPage open(page);
  const std::uint32_t fitting = open.that_fit();
  open.store();
  return fitting;
}

void detail::finish_dictionary_staged(EndingPage& page) {
  IndexPage open(page);
  if (!open.is_plain()) {
    open.take_staged();
    if (!open.state().has_values) open.become_plain(0);
  }
  open.end(page);
  encoding::finish_fixed_page(page);
}

void encoding::finish_fixed_page(EndingPage& page) {
  DictionaryState& state = dictionary_of(page);
  if (state.is_plain) {
    const bool may_split = static_cast<const detail::ColumnWriter&>(page).plan->encoder->transform !=
                           nullptr;  // auto_encoders.h
    page.set_encoding(may_split ? EncodingId::kByteStreamSplit : EncodingId::kPlain);
    detail::finish_plain(page);
  } else {
    page.cursor = state.runs.finish(page.cursor);
  }
}

// Sets the expected number of entries, after the dictionary has taken its head off the extent.
void detail::expect_dictionary_fixed(PageBody& page, std::uint32_t entries) {
  expect_dictionary(page, entries);
  encoding::dictionary_of(page).keeps = encoding::may_keep(static_cast<const ColumnWriter&>(page));
}

DictionaryEntries detail::freeze_dictionary_fixed(PageBody& page) {
  const FixedEntries entries(page);
  DictionaryState& state = entries.state();
  state.is_frozen = true;
  return {entries.values(), entries.bytes(), state.count, state.has_fallen};
}

}  // namespace microparquet
