// RLE_DICTIONARY of byte arrays (dictionary_entries.h has the format). The writer asks the encoder about each
// value, and ends the page before one that the encoder refuses.
#include <string_view>

#include "base/bytes.h"
#include "encoding/dictionary_entries.h"
#include "microparquet/detail/column_writer.h"
#include "microparquet/detail/encoding/length_prefix.h"

namespace microparquet {
namespace {

using encoding::DictionaryState;
using encoding::entry_of;
using encoding::EntryTable;
using encoding::kLengthBytes;
using encoding::takes_entry;

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

}  // namespace microparquet
