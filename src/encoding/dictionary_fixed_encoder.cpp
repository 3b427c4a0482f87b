// RLE_DICTIONARY of values of four and eight bytes (dictionary_entries.h has the format).
//
// Values of a required column are staged in the column's state, where they are put as into a page in PLAIN, and
// looked up by the stage. What a page does not take stays staged and begins the next one: a value that is no
// entry and cannot become one, or an entry for which the page's indices are too narrow. An optional column,
// whose values stay with their levels, is asked for each value instead.
#include "base/bytes.h"
#include "encoding/dictionary_entries.h"
#include "encoding/kept_values.h"
#include "microparquet/detail/column_writer.h"

namespace microparquet {
namespace {

using detail::ColumnWriter;
using encoding::DictionaryState;
using encoding::entry_of;
using encoding::EntryTable;
using encoding::kNoEntry;
using encoding::takes_entry;

constexpr std::uint32_t kStagedIndices = detail::kDictionaryStagedValues;

// Values are compared by their bits.
struct FixedEntries {
  DictionaryState& state;
  const detail::SizedDictionary& size;
  std::byte* stage;
  std::uint32_t shift;  // of a value's width

  explicit FixedEntries(const PageBody& page)
      : state(encoding::dictionary_of(page)),
        size(encoding::size_of(page)),
        stage(reinterpret_cast<std::byte*>(&state) + detail::kDictionaryStateBytes),
        shift(static_cast<const ColumnWriter&>(page).plan->shape.value_bytes == 8 ? 3 : 2) {}

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
  bool add(const std::byte* value) const {
    const std::uint32_t bytes = 1U << shift;
    if (state.used + bytes > size.most_bytes) return false;
    util::move_bytes(values() + state.used, value, bytes);
    state.used += bytes;
    return true;
  }
  // Entries that the page's indices have place for, and the dictionary.
  std::uint32_t free_entries() const {
    if (state.is_frozen || state.has_fallen) return 0;
    const std::uint32_t by_width = 1U << state.runs.width;
    const std::uint32_t most = by_width < size.most_entries ? by_width : size.most_entries;
    return most - state.count;
  }
};

// The page of a required column and its stage, while they are worked on.
struct IndexPage : FixedEntries {
  ColumnWriter& column;
  std::byte* at;  // one after the last byte in the page
  std::uint32_t staged;

  explicit IndexPage(PageBody& page)
      : FixedEntries(page), column(static_cast<ColumnWriter&>(page)), at(page.cursor), staged(state.kept) {
    if (state.is_plain) return;
    at = page.values + state.packed;
    staged = static_cast<std::uint32_t>(page.cursor - stage) >> shift;
  }
  void store() const {
    if (state.is_plain) {
      column.cursor = at;
      state.kept = static_cast<std::uint8_t>(staged);
    } else {
      column.cursor = stage + (staged << shift);
      state.packed = static_cast<std::uint32_t>(at - column.values);
    }
  }
  std::uint32_t free_bytes() const { return static_cast<std::uint32_t>(column.end - at); }

  // Takes the first `count` values off the stage.
  void drop_staged(std::uint32_t count) {
    staged -= count;
    util::move_bytes(stage, stage + (count << shift), staged << shift);
  }

  // Makes a page without values PLAIN, with as many of the staged ones as it takes.
  void become_plain() {
    const auto head = static_cast<std::uint32_t>(column.values - column.page);
    column.values = column.page + detail::round_up(head, 8);
    std::uint32_t count = static_cast<std::uint32_t>(column.end - column.values) >> shift;
    if (count > staged) count = staged;
    util::move_bytes(column.values, stage, count << shift);
    at = column.values + (count << shift);
    drop_staged(count);
    state.is_plain = true;
  }

  // Takes the staged values into the page. False: some stay.
  bool take_staged() {
    const std::byte* const limit = column.end - state.reserve();
    const std::byte* const end = stage + (staged << shift);
    const std::byte* value = stage;
    while (value != end) {
      const std::uint32_t entry = entry_of(static_cast<const FixedEntries&>(*this), value);
      const bool goes_on = state.runs.repeated != 0 && entry == state.runs.number;
      if (!goes_on && (at > limit || !takes_entry(state, entry))) break;
      const std::byte* const first = value;
      do value += std::size_t{1} << shift;
      while (value != end && are_equal(value, first));
      at = state.runs.put(at, entry, static_cast<std::uint32_t>(value - first) >> shift);
    }
    if (value == stage) return staged == 0;
    column.plan->bounds->update(column.bounds_state, stage, value, column.plan->shape);
    state.has_values = true;
    drop_staged(static_cast<std::uint32_t>(value - stage) >> shift);
    return staged == 0;
  }

  std::uint32_t indices_that_fit() const {
    if (encoding::may_keep(column, kStagedIndices)) return kStagedIndices;
    const std::uint32_t entries = free_entries();
    const std::uint32_t sure = state.that_fit(free_bytes(), 0);
    const std::uint32_t fitting = entries < sure ? entries : sure;
    if (fitting >= kStagedIndices) return kStagedIndices;
    // A page of new values would soon be at its end, and the row group may be with it.
    return fitting >= kStagedIndices / 2 || state.has_values ? fitting : 0;
  }

  std::uint32_t that_fit() {
    if (!state.is_plain) {
      if (!take_staged()) return 0;
      const std::uint32_t fitting = state.has_fallen ? 0 : indices_that_fit();
      if (fitting != 0 || state.has_values) return fitting;
      become_plain();
    }
    return staged == 0 ? free_bytes() >> shift : 0;
  }
};

}  // namespace

void detail::begin_dictionary_fixed(PageBody& page) {
  DictionaryState& state = encoding::dictionary_of(page);
  FixedEntries entries(page);
  const std::uint32_t kept = state.kept;
  state.kept = 0;
  state.has_values = false;
  if (static_cast<const ColumnWriter&>(page).levels != nullptr) return encoding::begin_asked_page(page);
  // All of them in a page of indices, or all in PLAIN.
  for (std::uint32_t i = 0; i < kept && !state.has_fallen; ++i) {
    const std::byte* const value = entries.stage + (i << entries.shift);
    state.has_fallen = entry_of(entries, value) == kNoEntry;
  }
  state.begin_indices(static_cast<const ColumnWriter&>(page), page.values, entries.size.most_entries);
  state.packed = 1;
  page.cursor = entries.stage + (kept << entries.shift);
  if (!state.has_fallen) return;
  IndexPage open(page);
  open.become_plain();
  open.store();
}

std::uint32_t detail::dictionary_fixed_that_fit(PageBody& page, std::uint32_t free_bytes,
                                                std::uint32_t level_bytes) {
  if (level_bytes != 0) return encoding::asked_that_fit(page, free_bytes, level_bytes, fixed_that_fit);
  IndexPage open(page);
  const std::uint32_t fitting = open.that_fit();
  open.store();
  return fitting;
}

bool detail::accepts_dictionary_fixed(PageBody& page, const void* value) {
  FixedEntries entries(page);
  return entries.state.is_plain ||
         takes_entry(entries.state, entry_of(entries, static_cast<const std::byte*>(value)));
}

void detail::put_dictionary_fixed(PageBody& page, const void* values, std::uint32_t count) {
  FixedEntries entries(page);
  const bool is_required = static_cast<const ColumnWriter&>(page).levels == nullptr;
  if (is_required || entries.state.is_plain) return put_plain_fixed(page, values, count);
  const auto* value = static_cast<const std::byte*>(values);
  const std::byte* const end = value + (std::size_t{count} << entries.shift);
  auto& column = static_cast<ColumnWriter&>(page);
  column.plan->bounds->update(column.bounds_state, value, end, column.plan->shape);
  entries.state.has_values = true;
  for (; value != end; value += std::size_t{1} << entries.shift)
    page.cursor = entries.state.runs.put(page.cursor, entry_of(entries, value), 1);
}

void detail::finish_dictionary_fixed(EndingPage& page) {
  DictionaryState& state = encoding::dictionary_of(page);
  if (static_cast<const ColumnWriter&>(page).levels == nullptr) {
    IndexPage open(page);
    if (!state.is_plain) open.take_staged();
    if (!state.has_values && !state.is_plain) open.become_plain();
    page.cursor = open.at;
    page.row_count -= open.staged;
    state.kept = static_cast<std::uint8_t>(open.staged);
  } else if (!state.has_values && !state.is_plain) {  // all null
    page.cursor = page.values;
    state.is_plain = true;
  }
  if (state.is_plain) {
    const bool may_split =
        static_cast<const ColumnWriter&>(page).plan->encoder->transform != nullptr;  // auto_encoders.h
    page.set_encoding(may_split ? EncodingId::kByteStreamSplit : EncodingId::kPlain);
    finish_plain(page);
  } else {
    page.cursor = state.runs.finish(page.cursor);
  }
}

DictionaryEntries detail::freeze_dictionary_fixed(PageBody& page) {
  const FixedEntries entries(page);
  entries.state.is_frozen = true;
  return {entries.values(), entries.state.used, entries.state.count, entries.state.has_fallen};
}

}  // namespace microparquet
