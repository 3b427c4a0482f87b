// Common parts of dictionaries of all types.
#include "encoding/dictionary_entries.h"

namespace microparquet {
namespace encoding {

void DictionaryState::begin_indices(const detail::ColumnWriter& column, std::byte* values,
                                    std::uint32_t most) {
  std::uint32_t entries = count + count / 4U + (column.extent_bytes != 0 ? 4U : 16U);
  if (entries < expected) entries = expected;
  if (entries > most || is_last_page(column)) entries = most;
  std::uint32_t bits = 1;
  while ((entries - 1) >> bits != 0) ++bits;
  runs.begin(bits);
  *values = static_cast<std::byte>(bits);
  is_plain = false;
  ends = false;
}

void begin_asked_page(PageBody& page) {
  DictionaryState& state = dictionary_of(page);
  page.cursor = page.values;
  if (state.has_fallen) {
    state.is_plain = true;
  } else {
    state.begin_indices(static_cast<const detail::ColumnWriter&>(page), page.cursor++,
                        size_of(page).most_entries);
  }
}

std::uint32_t asked_that_fit(PageBody& page, std::uint32_t free_bytes, std::uint32_t level_bytes,
                             Encoder::ValuesThatFit& plain) {
  DictionaryState& state = dictionary_of(page);
  if (!state.is_plain && (state.ends || state.has_fallen)) {
    if (state.has_values) return 0;
    begin_asked_page(page);
  }
  if (!state.is_plain) {
    const std::uint32_t fitting = state.that_fit(free_bytes, level_bytes);
    if (fitting != 0 || state.has_values) return fitting;
    state.has_fallen = true;
    begin_asked_page(page);
  }
  return plain(page, free_bytes, level_bytes);
}

}  // namespace encoding

void detail::drop_dictionary(PageBody& page) { encoding::dictionary_of(page).has_fallen = true; }

// Sets the expected number of entries. The first page has begun and is empty.
void detail::expect_dictionary(PageBody& page, std::uint32_t entries) {
  encoding::DictionaryState& state = encoding::dictionary_of(page);
  state.expected = static_cast<std::uint16_t>(entries);
  if (!state.is_plain) {
    state.begin_indices(static_cast<const ColumnWriter&>(page), page.values,
                        encoding::size_of(page).most_entries);
  }
}

}  // namespace microparquet
