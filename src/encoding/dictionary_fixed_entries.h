// Dictionaries of values of four and eight bytes. The column's state holds, in this order:
//
//   DictionaryState, staged values of a required column, entries, hash table
#pragma once

#include "base/bytes.h"
#include "base/endian.h"
#include "encoding/dictionary_entries.h"
#include "microparquet/detail/column_writer.h"

namespace microparquet::encoding {

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
