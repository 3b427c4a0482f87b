// Dictionaries: entries, and the encoders of their indices.
#include <string_view>

#include "base/bytes.h"
#include "encoding/dictionary_entries.h"
#include "microparquet/detail/column_writer.h"
#include "microparquet/detail/encoding/length_prefix.h"

namespace microparquet {

// Common parts of dictionaries of all types.

namespace encoding {

void DictionaryState::begin_indices(const PageBody& page, std::byte* values, std::uint32_t most) {
  std::uint32_t entries = count + count / 4U + (page.extent_bytes != 0 ? 4U : 16U);
  if (entries < expected) entries = expected;
  if (entries > most || is_last_page(page)) entries = most;
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
    state.begin_indices(page, page.cursor++, size_of(page).most_entries);
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
    state.begin_indices(page, page.values, encoding::size_of(page).most_entries);
  }
}

// RLE_DICTIONARY of values of four and eight bytes, in any column: for schemas in which the compiler does not
// know that it is required.
//
// Values of an optional column stay with their levels, so the writer asks about each one before it takes the
// row. Staged pages, below, handle required columns.

namespace {

using encoding::DictionaryState;
using encoding::entry_of;
using encoding::FixedEntries;
using encoding::takes_entry;

}  // namespace

void detail::begin_dictionary_fixed(PageBody& page) {
  if (page.is_required()) return begin_dictionary_staged(page);
  encoding::dictionary_of(page).has_values = false;
  encoding::begin_asked_page(page);
}

std::uint32_t detail::dictionary_fixed_that_fit(PageBody& page, std::uint32_t free_bytes,
                                                std::uint32_t level_bytes) {
  if (page.is_required()) return dictionary_staged_that_fit(page, free_bytes, level_bytes);
  return encoding::asked_that_fit(page, free_bytes, level_bytes, fixed_that_fit);
}

bool detail::accepts_dictionary_fixed(PageBody& page, const void* value) {
  FixedEntries entries(page);
  return entries.state().is_plain ||
         takes_entry(entries.state(), entry_of(entries, static_cast<const std::byte*>(value)));
}

void detail::put_dictionary_fixed(PageBody& page, const void* values, std::uint32_t count) {
  FixedEntries entries(page);
  if (page.is_required() || entries.state().is_plain) return put_plain_fixed(page, values, count);
  const auto* value = static_cast<const std::byte*>(values);
  const std::byte* const end = value + (std::size_t{count} << entries.shift);
  page.plan->bounds->update(page.bounds_state, value, end, page.plan->shape);
  entries.state().has_values = true;
  for (; value != end; value += std::size_t{1} << entries.shift)
    page.cursor = entries.state().runs.put(page.cursor, entry_of(entries, value), 1);
}

void detail::finish_dictionary_fixed(EndingPage& page) {
  if (page.is_required()) return finish_dictionary_staged(page);
  DictionaryState& state = encoding::dictionary_of(page);
  if (!state.has_values && !state.is_plain) {  // all rows are null
    page.cursor = page.values;
    state.is_plain = true;
  }
  encoding::finish_fixed_page(page);
}

// RLE_DICTIONARY of byte arrays (dictionary_entries.h has the format). The writer asks the encoder about each
// value, and ends the page before one that the encoder refuses.

namespace {

using encoding::EntryTable;
using encoding::kLengthBytes;

// Entries as in PLAIN, and the list of where each begins.
struct ByteArrayEntries {
  DictionaryState& dictionary;
  const detail::SizedDictionary& size;
  std::byte* begins;

  explicit ByteArrayEntries(const PageBody& page)
      : dictionary(encoding::dictionary_of(page)),
        size(encoding::size_of(page)),
        begins(reinterpret_cast<std::byte*>(&dictionary) + detail::kDictionaryStateBytes) {}

  DictionaryState& state() const { return dictionary; }
  std::byte* values() const { return begins + detail::round_up(2U * size.most_entries, 8); }
  EntryTable table() const { return {values() + size.most_bytes, size}; }

  bool equals(std::uint32_t entry, std::string_view value) const {
    const std::byte* const at = values() + util::load_aligned<std::uint16_t>(begins + std::size_t{2} * entry);
    if (util::load<std::uint32_t>(at) != value.size()) return false;
    const char* const bytes = reinterpret_cast<const char*>(at + kLengthBytes);
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (bytes[i] != value[i]) return false;
    }
    return true;
  }
  static std::uint32_t hash(std::string_view value) {
    constexpr std::uint32_t kSpread = 0x9E3779B1;
    std::uint32_t bits = 0;
    for (const char byte : value) bits = (bits ^ static_cast<unsigned char>(byte)) * kSpread;
    return bits >> 16;
  }
  bool add(std::string_view value) const {
    if (value.size() > size.most_bytes || dictionary.used + kLengthBytes + value.size() > size.most_bytes)
      return false;
    std::byte* const at = values() + dictionary.used;
    util::store_aligned(begins + std::size_t{2} * dictionary.count, dictionary.used);
    util::store(at, static_cast<std::uint32_t>(value.size()));
    util::move_bytes(at + kLengthBytes, reinterpret_cast<const std::byte*>(value.data()), value.size());
    dictionary.used = static_cast<std::uint16_t>(dictionary.used + kLengthBytes + value.size());
    return true;
  }
};

}  // namespace

void detail::begin_dictionary_byte_arrays(PageBody& page) {
  encoding::dictionary_of(page).has_values = false;
  encoding::begin_asked_page(page);
}

std::uint32_t detail::dictionary_byte_arrays_that_fit(PageBody& page, std::uint32_t free_bytes,
                                                      std::uint32_t level_bytes) {
  return encoding::asked_that_fit(page, free_bytes, level_bytes, byte_arrays_that_fit);
}

// Returns the bytes of a value in a page; those of an index are counted by values_that_fit.
std::size_t detail::most_dictionary_bytes(const PageBody& page, std::size_t value_bytes) {
  return encoding::dictionary_of(page).is_plain ? most_plain_bytes(page, value_bytes) : 0;
}

bool detail::accepts_dictionary_byte_arrays(PageBody& page, const void* value) {
  ByteArrayEntries entries(page);
  return entries.state().is_plain ||
         takes_entry(entries.state(), entry_of(entries, *static_cast<const std::string_view*>(value)));
}

void detail::put_dictionary_byte_arrays(PageBody& page, const void* values, std::uint32_t count) {
  ByteArrayEntries entries(page);
  if (entries.state().is_plain) return put_plain_byte_arrays(page, values, count);
  page.update_bounds(values, count);
  entries.state().has_values = true;
  const auto* value = static_cast<const std::string_view*>(values);
  for (; count != 0; --count, ++value)
    page.cursor = entries.state().runs.put(page.cursor, entry_of(entries, *value), 1);
}

void detail::finish_dictionary_byte_arrays(EndingPage& page) {
  DictionaryState& state = encoding::dictionary_of(page);
  if (!state.is_plain && state.has_values) {
    page.cursor = state.runs.finish(page.cursor);
    return;
  }
  if (!state.is_plain) page.cursor = page.values;  // all rows are null
  page.set_encoding(EncodingId::kPlain);
  finish_plain(page);
}

DictionaryEntries detail::freeze_dictionary_byte_arrays(PageBody& page) {
  const ByteArrayEntries entries(page);
  entries.state().is_frozen = true;
  return {entries.values(), entries.state().used, entries.state().count, entries.state().has_fallen};
}

// RLE_DICTIONARY of values of four and eight bytes in required columns (dictionary_entries.h has the format).
//
// Values are put into a stage in the column's state as into a page in PLAIN, and looked up a stage at a time.
// Values that the page does not take stay staged and begin the next page: one that is no entry and cannot
// become one, or an entry for which the page's indices are too narrow.

namespace {

using encoding::kNoEntry;
using encoding::kStagedIndices;

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
  state.begin_indices(open.body, open.at++, open.size.most_entries);
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
    const bool may_split = page.plan->encoder->transform != nullptr;  // encoders.h
    page.set_encoding(may_split ? EncodingId::kByteStreamSplit : EncodingId::kPlain);
    detail::finish_plain(page);
  } else {
    page.cursor = state.runs.finish(page.cursor);
  }
}

// Sets the expected number of entries, after the dictionary has taken its head off the extent.
void detail::expect_dictionary_fixed(PageBody& page, std::uint32_t entries) {
  expect_dictionary(page, entries);
  encoding::dictionary_of(page).keeps = encoding::may_keep(page);
}

DictionaryEntries detail::freeze_dictionary_fixed(PageBody& page) {
  const FixedEntries entries(page);
  DictionaryState& state = entries.state();
  state.is_frozen = true;
  return {entries.values(), entries.bytes(), state.count, state.has_fallen};
}

}  // namespace microparquet
