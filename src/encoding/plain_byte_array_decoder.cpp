// PLAIN of byte_array: a length of four bytes, little-endian, before each value.
#include <string_view>

#include "base/endian.h"
#include "base/try.h"
#include "microparquet/decoding.h"
#include "microparquet/detail/column_cursor.h"

namespace microparquet {

namespace {

constexpr std::uint32_t kLengthBytes = 4;

std::uint64_t left_in_page(const detail::ColumnCursor& column) {
  return column.available() + std::uint64_t{column.body_beyond};
}

// Loads the length of the next value, which is not passed.
Status peek_length(detail::ColumnCursor& column, std::uint32_t& length) {
  MICROPARQUET_TRY(column.load(kLengthBytes));
  length = util::load<std::uint32_t>(column.window.cursor);
  return length <= left_in_page(column) - kLengthBytes ? Status::kOk : Status::kCorrupt;
}

}  // namespace

Status PlainByteArrayDecoder::begin_page(detail::ColumnCursor& column, std::uint32_t values) const {
  const bool too_short =
      column.levels == nullptr && left_in_page(column) < std::uint64_t{values} * kLengthBytes;
  return too_short ? Status::kCorrupt : Status::kOk;
}

Status PlainByteArrayDecoder::next(detail::ColumnCursor& column) const {
  if (column.pass_left != 0) return Status::kValueTooLarge;
  std::uint32_t length = 0;
  MICROPARQUET_TRY(peek_length(column, length));
  if (length > column.window.capacity - kLengthBytes) {
    column.too_large = length;
    return Status::kValueTooLarge;
  }
  MICROPARQUET_TRY(column.load(kLengthBytes + length));
  column.value = column.window.cursor + kLengthBytes;
  column.value_bytes = length;
  column.window.cursor += kLengthBytes + length;
  return Status::kOk;
}

Status PlainByteArrayDecoder::read(detail::ColumnCursor& column, void* out, std::uint32_t count,
                                   std::uint32_t& stored) const {
  auto* const values = static_cast<std::string_view*>(out);
  for (stored = 0; stored < count; ++stored) {
    const Status status = next(column);
    // The next call reports what ended the values, which has none to give.
    if (status != Status::kOk) return stored != 0 ? Status::kOk : status;
    values[stored] = {reinterpret_cast<const char*>(column.value), column.value_bytes};
    column.pinned = true;
  }
  return Status::kOk;
}

Status PlainByteArrayDecoder::skip(detail::ColumnCursor& column) const {
  if (column.pass_left == 0) {
    std::uint32_t length = 0;
    MICROPARQUET_TRY(peek_length(column, length));
    column.too_large = length;
    column.pass_left = kLengthBytes + length;
  }
  return column.pass();
}

}  // namespace microparquet
