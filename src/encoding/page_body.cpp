// Functions by which encoders ask about the column whose page they fill. Encoders that ask link them.
#include <cstring>
#include <string_view>

#include "microparquet/detail/column_writer.h"
#include "microparquet/encoder.h"

namespace microparquet {
namespace {

using detail::ColumnWriter;

// Packs booleans into bytes: trackers take their bounds from pages in PLAIN.
void update_by_booleans(ColumnWriter& column, const bool* values, std::uint32_t count) {
  for (std::uint32_t left = count; left != 0;) {
    std::byte bits{0};
    ValueShape shape = column.plan->shape;
    shape.value_bytes = left < 8 ? left : 8;  // values in this byte
    for (std::uint32_t bit = 0; bit < shape.value_bytes; ++bit, ++values)
      if (*values) bits |= static_cast<std::byte>(1U << bit);
    column.plan->bounds->update(column.bounds_state, &bits, &bits + 1, shape);
    left -= shape.value_bytes;
  }
}

// Takes values of a fixed length one by one. Numbers of two bytes may lie anywhere, and are aligned first.
void update_by_fixed_length(ColumnWriter& column, const std::byte* values, std::uint32_t count) {
  constexpr std::uint32_t kNumber = 2;
  const ValueShape& shape = column.plan->shape;
  for (; count != 0; --count, values += shape.value_bytes) {
    alignas(kNumber) std::byte number[kNumber];
    const std::byte* value = values;
    if (shape.value_bytes == kNumber) {
      std::memcpy(number, values, kNumber);
      value = number;
    }
    column.plan->bounds->update(column.bounds_state, value, value + shape.value_bytes, shape);
  }
}

// Takes a byte array as a value of fixed width; an empty one comes with its length, as in a page.
void update_by_byte_array(ColumnWriter& column, std::string_view value) {
  constexpr std::uint32_t kNoLength = 0;
  const auto* begin =
      reinterpret_cast<const std::byte*>(value.empty() ? static_cast<const void*>(&kNoLength) : value.data());
  const std::size_t bytes = value.empty() ? sizeof kNoLength : value.size();
  ValueShape shape = column.plan->shape;
  shape.value_bytes = static_cast<std::uint32_t>(value.size());
  column.plan->bounds->update(column.bounds_state, begin, begin + bytes, shape);
}

}  // namespace

const ValueShape& PageBody::shape() const { return static_cast<const ColumnWriter*>(this)->plan->shape; }

// Counts the whole pages left in the extent, since a page that leaves values for the next one is not
// lengthened. There are none in the forward layout, whose columns share a pool, nor in an optional column:
// its levels and all its values belong to one page.
std::uint32_t PageBody::pages_left() const {
  const auto& column = *static_cast<const ColumnWriter*>(this);
  if (column.levels != nullptr) return 0;
  const std::uint32_t page_bytes = column.plan->page_bytes;
  const std::uint32_t taken = column.chunk_bytes + page_bytes;
  return column.extent_bytes > taken ? (column.extent_bytes - taken) / page_bytes : 0;
}

void EndingPage::set_encoding(EncodingId encoding) {
  auto& column = *static_cast<ColumnWriter*>(this);
  column.encoding_change = static_cast<std::uint8_t>(static_cast<unsigned>(encoding) ^
                                                     static_cast<unsigned>(column.plan->encoder->id));
}

void PageBody::update_bounds(const void* values, std::uint32_t count) {
  auto& column = *static_cast<ColumnWriter*>(this);
  const ValueShape& shape = column.plan->shape;
  if (shape.type == Type::kBoolean)
    return update_by_booleans(column, static_cast<const bool*>(values), count);
  if (shape.type == Type::kByteArray) {
    const auto* value = static_cast<const std::string_view*>(values);
    for (; count != 0; --count) update_by_byte_array(column, *value++);
    return;
  }
  const auto* const begin = static_cast<const std::byte*>(values);
  if (shape.type == Type::kFixedLenByteArray) return update_by_fixed_length(column, begin, count);
  const std::byte* const end = begin + static_cast<std::size_t>(count) * shape.value_bytes;
  column.plan->bounds->update(column.bounds_state, begin, end, shape);
}

}  // namespace microparquet
