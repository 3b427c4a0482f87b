// Functions by which encoders ask about the column whose page they fill. Encoders that ask link them.
#include <cstring>
#include <string_view>

#include "microparquet/detail/column_writer.h"
#include "microparquet/encoder.h"

namespace microparquet {
namespace {

// Packs booleans into bytes: trackers take their bounds from pages in PLAIN.
void update_by_booleans(PageBody& page, const bool* values, std::uint32_t count) {
  for (std::uint32_t left = count; left != 0;) {
    std::byte bits{0};
    ValueShape shape = page.plan->shape;
    shape.value_bytes = left < 8 ? left : 8;  // values in this byte
    for (std::uint32_t bit = 0; bit < shape.value_bytes; ++bit, ++values)
      if (*values) bits |= static_cast<std::byte>(1U << bit);
    page.plan->bounds->update(page.bounds_state, &bits, &bits + 1, shape);
    left -= shape.value_bytes;
  }
}

// Takes values of a fixed length one by one. Numbers of two bytes may lie anywhere, and are aligned first.
void update_by_fixed_length(PageBody& page, const std::byte* values, std::uint32_t count) {
  constexpr std::uint32_t kNumber = 2;
  const ValueShape& shape = page.plan->shape;
  for (; count != 0; --count, values += shape.value_bytes) {
    alignas(kNumber) std::byte number[kNumber];
    const std::byte* value = values;
    if (shape.value_bytes == kNumber) {
      std::memcpy(number, values, kNumber);
      value = number;
    }
    page.plan->bounds->update(page.bounds_state, value, value + shape.value_bytes, shape);
  }
}

// Takes a byte array as a value of fixed width; an empty one comes with its length, as in a page.
void update_by_byte_array(PageBody& page, std::string_view value) {
  constexpr std::uint32_t kNoLength = 0;
  const auto* begin =
      reinterpret_cast<const std::byte*>(value.empty() ? static_cast<const void*>(&kNoLength) : value.data());
  const std::size_t bytes = value.empty() ? sizeof kNoLength : value.size();
  ValueShape shape = page.plan->shape;
  shape.value_bytes = static_cast<std::uint32_t>(value.size());
  page.plan->bounds->update(page.bounds_state, begin, begin + bytes, shape);
}

}  // namespace

const ValueShape& PageBody::shape() const { return plan->shape; }

const Encoder& PageBody::encoder() const { return *plan->encoder; }

// Counts the whole pages left in the extent, since a page that leaves values for the next one is not
// lengthened. There are none in the forward layout, whose columns share a pool, nor in an optional column:
// its levels and all its values belong to one page.
std::uint32_t PageBody::pages_left() const {
  if (!is_required()) return 0;
  const std::uint32_t taken = chunk_bytes + plan->page_bytes;
  return extent_bytes > taken ? (extent_bytes - taken) / plan->page_bytes : 0;
}

std::uint32_t EndingPage::value_count() const {
  return is_required() ? row_count : row_count - levels->nulls;
}

void EndingPage::set_encoding(EncodingId encoding) {
  encoding_change =
      static_cast<std::uint8_t>(static_cast<unsigned>(encoding) ^ static_cast<unsigned>(plan->encoder->id));
}

void PageBody::update_bounds(const void* first, std::uint32_t count) {
  const ValueShape& shape = plan->shape;
  if (shape.type == Type::kBoolean) return update_by_booleans(*this, static_cast<const bool*>(first), count);
  if (shape.type == Type::kByteArray) {
    const auto* value = static_cast<const std::string_view*>(first);
    for (; count != 0; --count) update_by_byte_array(*this, *value++);
    return;
  }
  const auto* const begin = static_cast<const std::byte*>(first);
  if (shape.type == Type::kFixedLenByteArray) return update_by_fixed_length(*this, begin, count);
  const std::byte* const past = begin + static_cast<std::size_t>(count) * shape.value_bytes;
  plan->bounds->update(bounds_state, begin, past, shape);
}

}  // namespace microparquet
