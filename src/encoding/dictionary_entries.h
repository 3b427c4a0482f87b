// Common parts of dictionary encoders: looking up and adding entries, and pages of indices.
//
// A page of indices (Encodings.md, RLE_DICTIONARY): their width in bits, a byte; then runs (hybrid_runs.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bytes.h"
#include "base/endian.h"
#include "encoding/run_encoder.h"
#include "encoding/staged_page.h"
#include "microparquet/detail/column_writer.h"
#include "microparquet/encoders.h"

namespace microparquet::encoding {

// State of a dictionary encoder, all zeros when a row group begins.
struct DictionaryState : StagedState {
  bool is_frozen;          // entries can no longer be added
  bool has_fallen;         // later pages are PLAIN
  bool ends;               // the page ends if it has values: the next value does not fit it
  bool has_values;         // the page has values
  std::uint16_t count;     // number of entries
  std::uint16_t last;      // entry found by the last lookup
  std::uint16_t expected;  // smallest expected number of entries: as in the last row group
  std::uint16_t used;      // bytes of the entries, for byte arrays
  RunEncoder runs;

  // Begins a page of indices, wide enough for the present entries and some more, up to `most`. The last page
  // of an extent is wide enough for all possible entries, since the row group would end with it.
  void begin_indices(const PageBody& page, std::byte* values, std::uint32_t most);
  static bool is_last_page(const PageBody& page) {
    return page.extent_bytes != 0 && page.extent_bytes < page.chunk_bytes + 2 * page.plan->page_bytes;
  }
  bool has_index(std::uint32_t index) const { return index >> runs.width == 0; }
  // Returns the bytes that a page must have left for one more index and everything buffered.
  std::uint32_t reserve() const { return 16U + 3U * runs.width; }
  // Returns how many more indices are guaranteed to fit.
  std::uint32_t that_fit(std::uint32_t free_bytes, std::uint32_t level_bytes) const {
    return free_bytes > reserve() ? runs.that_fit(free_bytes - reserve(), level_bytes) : 0;
  }
};
// The space before a stage holds a value.
static_assert(sizeof(DictionaryState) + 8 <= detail::kDictionaryStateBytes);

inline constexpr std::uint32_t kNoEntry = 0xFFFFFFFF;  // wider than any index

inline DictionaryState& dictionary_of(const PageBody& page) {
  return *static_cast<DictionaryState*>(page.state);
}
inline const detail::SizedDictionary& size_of(const PageBody& page) {
  return static_cast<const detail::SizedDictionary&>(*page.plan->encoder->dictionary);
}

// Hash table of entry numbers, from 1 on; 0: a free place.
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

// Returns the entry of a value, and adds the value if it is new; kNoEntry: there is no space for it. The
// entry found last is tried first. `Entries` has
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

// Returns whether a page of indices takes the value with this entry. If not, the page ends.
inline bool takes_entry(DictionaryState& state, std::uint32_t entry) {
  if (state.has_index(entry)) return true;
  if (entry == kNoEntry) state.has_fallen = true;
  state.ends = true;
  return false;
}

// Begins a page of a column whose encoder is asked about each value, because its values stay with their
// levels or are looked up at once (dictionary_encoder.cpp). It can begin a page again that has no values and
// would have to end. The page has indices, or is PLAIN once the dictionary takes no more entries.
void begin_asked_page(PageBody& page);
// Implements Encoder::values_that_fit; `plain`: the function of PLAIN.
std::uint32_t asked_that_fit(PageBody& page, std::uint32_t free_bytes, std::uint32_t level_bytes,
                             Encoder::ValuesThatFit& plain);

// Dictionaries of values of four and eight bytes. The column's state holds, in this order:
//
//   DictionaryState, staged values of a required column, entries, hash table

inline constexpr std::uint32_t kStagedIndices = detail::kDictionaryStagedValues;

inline std::byte* stage_of(const PageBody& page) {
  return static_cast<std::byte*>(page.state) + detail::kDictionaryStateBytes;
}

// Entries compared by their bits.
struct FixedEntries : StagedPage {
  const detail::SizedDictionary& size;

  explicit FixedEntries(PageBody& page) : StagedPage(page, stage_of(page)), size(size_of(page)) {}

  DictionaryState& state() const { return static_cast<DictionaryState&>(staging); }
  std::byte* values() const { return stage + (kStagedIndices << shift); }
  EntryTable table() const { return {values() + size.most_bytes, size}; }

  bool are_equal(const std::byte* one, const std::byte* other) const {
    return util::load<std::uint32_t>(one) == util::load<std::uint32_t>(other) &&
           (shift == 2 || util::load<std::uint32_t>(one + 4) == util::load<std::uint32_t>(other + 4));
  }
  bool equals(std::uint32_t entry, const std::byte* value) const {
    return are_equal(values() + (entry << shift), value);
  }
  std::uint32_t hash(const std::byte* value) const {
    constexpr std::uint32_t kSpread = 0x9E3779B1;
    auto bits = util::load<std::uint32_t>(value) * kSpread;
    if (shift == 3) bits = (bits ^ util::load<std::uint32_t>(value + 4)) * kSpread;
    return bits >> 16;
  }
  // Adds an entry. There is always space, since it limits the number of entries.
  bool add(const std::byte* value) const {
    util::move_bytes(values() + bytes(), value, width());
    return true;
  }
  // Returns the bytes of all entries.
  std::uint32_t bytes() const { return std::uint32_t{state().count} << shift; }
  // Returns how many more entries both the page's indices and the dictionary have space for.
  std::uint32_t free_entries() const {
    if (state().is_frozen || state().has_fallen) return 0;
    const std::uint32_t by_width = 1U << state().runs.width;
    const std::uint32_t most = by_width < size.most_entries ? by_width : size.most_entries;
    return most - state().count;
  }
};

// Ends a page that has taken all of its values.
void finish_fixed_page(EndingPage& page);

}  // namespace microparquet::encoding
