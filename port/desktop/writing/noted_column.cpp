#include "noted_column.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

#include "base/xxhash64.h"
#include "format/bloom_filter_block.h"
#include "microparquet/desktop/full_index.h"

namespace microparquet::desktop {

// Size of a plain bloom filter of eight bits a value: the share of wrong answers is (1 - e^(-8 n / m))^8.
std::uint32_t bloom_filter_bytes(std::uint64_t distinct, double wrong) {
  constexpr std::uint32_t kLeast = 32;
  constexpr std::uint32_t kMost = 128 << 20;
  constexpr double kBitsOfValue = 8;
  const double bits =
      -kBitsOfValue * static_cast<double>(distinct) / std::log(1 - std::pow(wrong, 1 / kBitsOfValue));
  std::uint32_t bytes = kLeast;
  while (bytes < kMost && bytes * 8.0 < bits) {
    bytes *= 2;
  }
  return bytes;
}

void add_to_filter(Span<std::byte> filter, Span<const std::byte> value) {
  const std::uint64_t hash = util::xxhash64(value);
  const std::size_t blocks = filter.size() / format::kBloomBlockBytes;
  std::byte* word = filter.data() + ((hash >> 32) * blocks >> 32) * format::kBloomBlockBytes;
  for (const std::uint32_t salt : format::kBloomSalts) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, word, sizeof bits);
    bits |= format::bloom_bit(hash, salt);
    std::memcpy(word, &bits, sizeof bits);
    word += sizeof bits;
  }
}

namespace {

using microparquet::detail::ColumnWriter;

// Zeros are equal to readers, whichever sign they have: a filter has both, and is asked for one.
void add_number(Span<std::byte> filter, const std::byte* value, std::uint32_t bytes) {
  add_to_filter(filter, {value, bytes});
  std::byte opposite[sizeof(double)];
  std::copy_n(value, bytes, opposite);
  opposite[bytes - 1] ^= std::byte{0x80};
  const bool is_zero =
      std::all_of(value, value + bytes - 1, [](std::byte byte) { return byte == std::byte{0}; }) &&
      (value[bytes - 1] & std::byte{0x7F}) == std::byte{0};
  if (is_zero) {
    add_to_filter(filter, {opposite, bytes});
  }
}

void note_texts(NotedColumn::Notes& notes, const std::string_view* texts, std::uint32_t count) {
  for (const std::string_view text : Span<const std::string_view>(texts, count)) {
    notes.open_text_bytes += text.size();
    if (!notes.filter.empty()) {
      add_to_filter(notes.filter, {reinterpret_cast<const std::byte*>(text.data()), text.size()});
    }
  }
}

void note_fixed(const NotedColumn::Notes& notes, const ValueShape& shape, const std::byte* values,
                std::uint32_t count) {
  if (filter_of(&notes, shape.type).empty()) {
    return;
  }
  const bool is_float = shape.type == Type::kFloat || shape.type == Type::kDouble;
  for (; count != 0; --count, values += shape.value_bytes) {
    if (is_float) {
      add_number(notes.filter, values, shape.value_bytes);
    } else {
      add_to_filter(notes.filter, {values, shape.value_bytes});
    }
  }
}

void put_noted(PageBody& page, const void* values, std::uint32_t count) {
  NotedColumn::Notes& notes = *notes_in(page.encoder());
  if (page.shape().type == Type::kByteArray) {
    note_texts(notes, static_cast<const std::string_view*>(values), count);
  } else {
    note_fixed(notes, page.shape(), static_cast<const std::byte*>(values), count);
  }
  notes.put(page, values, count);
}

}  // namespace

NotedColumn::NotedColumn(const Encoder& encoder, Span<std::byte> filter)
    : Encoder(encoder), notes_(new Notes{encoder.put, filter, 0, {}, 0, 0}) {
  put = &put_noted;
  copies_values = false;
}

NotedColumn::~NotedColumn() = default;

NotedColumn::Notes* notes_in(const Encoder& encoder) {
  return encoder.put == &put_noted ? &static_cast<const NotedColumn&>(encoder).notes() : nullptr;
}

NotedColumn::Notes* notes_in(const ColumnWriter& column) { return notes_in(*column.plan->encoder); }

Span<std::byte> filter_of(const NotedColumn::Notes* notes, Type type) {
  return notes != nullptr && type != Type::kBoolean ? notes->filter : Span<std::byte>();
}

void NotedColumn::Notes::forget() {
  std::fill(filter.begin(), filter.end(), std::byte{0});
  open_text_bytes = 0;
  page_text_bytes.clear();
}

void NotedColumn::Notes::end_page() {
  page_text_bytes.push_back(open_text_bytes);
  open_text_bytes = 0;
}

}  // namespace microparquet::desktop
