// PLAIN of boolean: one bit a value, least significant first.
#include "base/try.h"
#include "microparquet/decoding.h"
#include "microparquet/detail/column_cursor.h"

namespace microparquet {

namespace {

Status load_bits(detail::ColumnCursor& column) {
  if (column.bits_left != 0) return Status::kOk;
  MICROPARQUET_TRY(column.load(1));
  column.bits = static_cast<std::uint8_t>(*column.window.cursor++);
  column.bits_left = 8;
  return Status::kOk;
}

bool take_bit(detail::ColumnCursor& column) {
  const bool bit = (column.bits & 1) != 0;
  column.bits = static_cast<std::uint8_t>(column.bits >> 1);
  --column.bits_left;
  return bit;
}

}  // namespace

Status PlainBooleanDecoder::begin_page(detail::ColumnCursor& column, std::uint32_t values) const {
  column.bits_left = 0;
  const std::uint64_t bytes = column.available() + std::uint64_t{column.body_beyond};
  const std::uint64_t most = (std::uint64_t{values} + 7) / 8;
  if (column.levels == nullptr && bytes != most) return Status::kCorrupt;
  return bytes <= most ? Status::kOk : Status::kCorrupt;
}

Status PlainBooleanDecoder::next(detail::ColumnCursor& column) const {
  MICROPARQUET_TRY(load_bits(column));
  column.boolean = take_bit(column) ? std::byte{1} : std::byte{0};
  column.value = &column.boolean;
  column.value_bytes = 1;
  return Status::kOk;
}

Status PlainBooleanDecoder::read(detail::ColumnCursor& column, void* out, std::uint32_t count,
                                 std::uint32_t& stored) const {
  bool* const values = static_cast<bool*>(out);
  MICROPARQUET_TRY(load_bits(column));
  stored = 0;
  do {
    while (column.bits_left != 0 && stored < count) values[stored++] = take_bit(column);
    // The next call reports a failure, which has no values to give.
  } while (stored < count && load_bits(column) == Status::kOk);
  return Status::kOk;
}

Status PlainBooleanDecoder::skip(detail::ColumnCursor& column) const { return next(column); }

}  // namespace microparquet
