// What encoders of dictionaries have in common: entries that are looked up and added, and pages of indices.
//
// A page of indices (Encodings.md, RLE_DICTIONARY): their width in bits, a byte; then runs (hybrid_runs.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/endian.h"
#include "encoding/run_encoder.h"
#include "encoding/staged_page.h"
#include "microparquet/detail/column_writer.h"
#include "microparquet/dictionary_encoder.h"

namespace microparquet::encoding {

// All zeros when a row group begins.
struct DictionaryState : StagedState {
  bool is_frozen;          // no entry is added any more
  bool has_fallen;         // pages are PLAIN from the next one on
  bool ends;               // the page, if it has values: one that it does not take waits
  bool has_values;         // so has the page
  std::uint16_t count;     // of entries
  std::uint16_t last;      // entry that was looked up
  std::uint16_t expected;  // entries at least: as the row group before had
  std::uint16_t used;      // bytes of the entries, of byte arrays
  RunEncoder runs;

  // The least width for the entries that there are and some more, of `most`; on the last page of an extent for all
  // that there may be, since the row group ends with it.
  void begin_indices(const detail::ColumnWriter& column, std::byte* values, std::uint32_t most);
  static bool is_last_page(const detail::ColumnWriter& column) {
    return column.extent_bytes != 0 && column.extent_bytes < column.chunk_bytes + 2 * column.plan->page_bytes;
  }
  bool has_index(std::uint32_t index) const { return index >> runs.width == 0; }
  // Bytes that a page must have left for one more index and all that waits.
  std::uint32_t reserve() const { return 16U + 3U * runs.width; }
  // How many more indices are sure to fit.
  std::uint32_t that_fit(std::uint32_t free_bytes, std::uint32_t level_bytes) const {
    return free_bytes > reserve() ? runs.that_fit(free_bytes - reserve(), level_bytes) : 0;
  }
};
// Before a stage there is space for a value.
static_assert(sizeof(DictionaryState) + 8 <= detail::kDictionaryStateBytes);

inline constexpr std::uint32_t kNoEntry = 0xFFFFFFFF;  // which no width has

inline DictionaryState& dictionary_of(const PageBody& page) {
  return *static_cast<DictionaryState*>(page.state);
}
inline const detail::SizedDictionary& size_of(const PageBody& page) {
  return static_cast<const detail::SizedDictionary&>(
      *static_cast<const detail::ColumnWriter&>(page).plan->encoder->dictionary);
}

// A hash table of entries, from 1 on; 0: a free place.
struct EntryTable {
  std::byte* places;
  const detail::SizedDictionary& size;

  bool is_wide() const { return size.most_entries >= 256; }
  std::uint32_t at(std::uint32_t place) const {
    return is_wide() ? util::load_aligned<std::uint16_t>(places + std::size_t{2} * place)
                     : std::to_integer<std::uint32_t>(places[place]);
  }
  void set(std::uint32_t place, std::uint32_t entry) const {
    if (is_wide()) {
      util::store_aligned(places + std::size_t{2} * place, static_cast<std::uint16_t>(entry));
    } else {
      places[place] = static_cast<std::byte>(entry);
    }
  }
};

// The entry of a value, which is added if it is new; kNoEntry: it finds no place. The one before is looked at first.
// `Entries` has
//
//   state(), table()
//   equals(entry, value)
//   hash(value)
//   add(value)            false: there is no space
template <typename Entries, typename Value>
[[gnu::noinline]] std::uint32_t entry_of(const Entries& entries, Value value) {
  DictionaryState& state = entries.state();
  if (state.count != 0 && entries.equals(state.last, value)) return state.last;
  const EntryTable table = entries.table();
  std::uint32_t place = 0;
  if (const std::uint32_t places = table.size.slots; places != 0) {
    std::uint32_t entry = 0;
    for (place = entries.hash(value) & (places - 1); (entry = table.at(place)) != 0;
         place = (place + 1) & (places - 1)) {
      if (entries.equals(entry - 1, value)) return state.last = static_cast<std::uint16_t>(entry - 1);
    }
  } else {
    for (std::uint32_t entry = 0; entry < state.count; ++entry) {
      if (entries.equals(entry, value)) return state.last = static_cast<std::uint16_t>(entry);
    }
  }
  if (state.is_frozen || state.count == table.size.most_entries || !entries.add(value)) return kNoEntry;
  state.last = state.count++;
  if (table.size.slots != 0) table.set(place, state.count);
  return state.last;
}

// Whether a page of indices takes the value, whose entry this is. If not, the page ends.
inline bool takes_entry(DictionaryState& state, std::uint32_t entry) {
  if (state.has_index(entry)) return true;
  if (entry == kNoEntry) state.has_fallen = true;
  state.ends = true;
  return false;
}

// Of a column that is asked for each value, whose values stay with their levels or are looked up as they come
// (dictionary_entries.cpp). Begins a page, or again one that has no values and would have to end: of indices, or
// PLAIN once the dictionary takes no more.
void begin_asked_page(PageBody& page);
// For Encoder::values_that_fit; `plain`: the one of PLAIN.
std::uint32_t asked_that_fit(PageBody& page, std::uint32_t free_bytes, std::uint32_t level_bytes,
                             Encoder::ValuesThatFit& plain);

}  // namespace microparquet::encoding
