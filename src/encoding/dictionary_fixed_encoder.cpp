// RLE_DICTIONARY of values of four and eight bytes, in any column: for schemas in which the compiler does not
// know that it is required.
//
// Values of an optional column stay with their levels, so the writer asks about each one before it takes the
// row. dictionary_staged_encoder.cpp handles required columns.
#include "encoding/dictionary_fixed_entries.h"

namespace microparquet {
namespace {

using detail::ColumnWriter;
using encoding::DictionaryState;
using encoding::entry_of;
using encoding::FixedEntries;
using encoding::takes_entry;

bool is_required(const PageBody& page) { return static_cast<const ColumnWriter&>(page).levels == nullptr; }

}  // namespace

void detail::begin_dictionary_fixed(PageBody& page) {
  if (is_required(page)) return begin_dictionary_staged(page);
  encoding::dictionary_of(page).has_values = false;
  encoding::begin_asked_page(page);
}

std::uint32_t detail::dictionary_fixed_that_fit(PageBody& page, std::uint32_t free_bytes,
                                                std::uint32_t level_bytes) {
  if (is_required(page)) return dictionary_staged_that_fit(page, free_bytes, level_bytes);
  return encoding::asked_that_fit(page, free_bytes, level_bytes, fixed_that_fit);
}

bool detail::accepts_dictionary_fixed(PageBody& page, const void* value) {
  FixedEntries entries(page);
  return entries.state().is_plain ||
         takes_entry(entries.state(), entry_of(entries, static_cast<const std::byte*>(value)));
}

void detail::put_dictionary_fixed(PageBody& page, const void* values, std::uint32_t count) {
  FixedEntries entries(page);
  if (is_required(page) || entries.state().is_plain) return put_plain_fixed(page, values, count);
  const auto* value = static_cast<const std::byte*>(values);
  const std::byte* const end = value + (std::size_t{count} << entries.shift);
  auto& column = static_cast<ColumnWriter&>(page);
  column.plan->bounds->update(column.bounds_state, value, end, column.plan->shape);
  entries.state().has_values = true;
  for (; value != end; value += std::size_t{1} << entries.shift)
    page.cursor = entries.state().runs.put(page.cursor, entry_of(entries, value), 1);
}

void detail::finish_dictionary_fixed(EndingPage& page) {
  if (is_required(page)) return finish_dictionary_staged(page);
  DictionaryState& state = encoding::dictionary_of(page);
  if (!state.has_values && !state.is_plain) {  // all rows are null
    page.cursor = page.values;
    state.is_plain = true;
  }
  encoding::finish_fixed_page(page);
}

}  // namespace microparquet
