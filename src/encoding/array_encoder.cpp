#include "microparquet/detail/array_encoder.h"

#include "base/bytes.h"
#include "base/endian.h"
#include "base/varint.h"

namespace microparquet {
namespace {

using detail::ArrayEncoder;
using detail::ColumnWriter;
using encoding::kLengthBytes;

const ArrayEncoder& encoder_of(const PageBody& page) {
  return static_cast<const ArrayEncoder&>(*page.plan->encoder);
}

// Ends the values, and counts the page's rows as slots from now on. The row after them stays first_row + row_count.
std::uint32_t end_values(EndingPage& page) {
  encoder_of(page).inner->finish(page);
  const std::uint32_t rows = page.row_count;
  page.row_count = rows * encoder_of(page).slots;
  page.first_row -= page.row_count - rows;
  return rows;
}

// Makes space for a stream of levels of `bytes` bytes before the values, with its length. The page's body begins there.
std::byte* begin_levels(EndingPage& page, std::uint32_t bytes) {
  std::byte* const at = page.values - bytes;
  page.values = at - kLengthBytes;
  util::store(page.values, bytes);
  return at;
}

// Puts the definition levels: one run, since no value is missing.
void put_present(EndingPage& page) {
  const std::uint32_t run = page.row_count << 1;
  std::byte* const end = util::put_varint(begin_levels(page, detail::varint_bytes(run) + 1), run);
  *end = std::byte{1};
}

}  // namespace

// The last page of an extent may be too short for what comes before the values.
std::uint32_t detail::array_rows_that_fit(PageBody& page, std::uint32_t free_bytes,
                                          std::uint32_t level_bytes) {
  if (page.values >= page.end) return 0;
  return encoder_of(page).inner->values_that_fit(page, free_bytes, level_bytes) / encoder_of(page).slots;
}

// Packs the levels: the first of each row is 0.
void detail::finish_short_arrays(EndingPage& page) {
  end_values(page);
  put_present(page);
  const std::uint32_t count = page.row_count;
  const std::uint32_t bytes = (count + 7) / 8;
  const std::uint32_t header = bytes << 1 | 1;
  std::byte* const bits = util::put_varint(begin_levels(page, detail::varint_bytes(header) + bytes), header);
  for (std::uint32_t i = 0; i < bytes; ++i) {
    bits[i] = std::byte{0xFF};
    asm("" ::: "memory");  // hides the loop from the compiler, which would call memset
  }
  bits[bytes - 1] >>= 8 * bytes - count;
  const std::uint32_t slots = encoder_of(page).slots;
  for (std::uint32_t slot = 0; slot < count; slot += slots) {
    bits[slot / 8] &= ~(std::byte{1} << (slot % 8));
  }
}

// Puts a run of one 0 for each row, and one of as many 1 as it has values more.
void detail::finish_long_arrays(EndingPage& page) {
  constexpr std::byte kOneLevel{1 << 1};
  std::uint32_t rows = end_values(page);
  put_present(page);
  const std::uint32_t more = (encoder_of(page).slots - 1) << 1;
  std::byte* at = begin_levels(page, rows * (3 + detail::varint_bytes(more)));
  for (; rows != 0; --rows) {
    *at++ = kOneLevel;
    *at++ = std::byte{0};
    at = util::put_varint(at, more);
    *at++ = std::byte{1};
  }
}

std::uint32_t detail::prepare_array_levels(ColumnWriter& column, std::uint32_t most) {
  column.levels->nulls = 0;
  const std::uint32_t rows = array_rows_that_fit(column, column.free_bytes(), 0);
  return rows < most ? rows : most;
}

void detail::put_array_levels(ColumnWriter& /*column*/, std::uint8_t /*level*/, std::uint32_t /*rows*/) {}

void detail::finish_array_levels(ColumnWriter& /*column*/) {}

// The empty instruction hides the loop from the compiler, which would call memcpy.
void detail::put_array_words(ColumnWriter& column, const void* words, std::uint32_t count) {
  const auto* from = static_cast<const std::uint32_t*>(words);
  auto* to = reinterpret_cast<std::uint32_t*>(column.cursor);
  for (; count >= 4; count -= 4) {
    const std::uint32_t a = from[0];
    const std::uint32_t b = from[1];
    const std::uint32_t c = from[2];
    const std::uint32_t d = from[3];
    to[0] = a;
    to[1] = b;
    to[2] = c;
    to[3] = d;
    from += 4;
    to += 4;
  }
  for (; count != 0; --count) {
    *to++ = *from++;
    asm("" : "+r"(from));
  }
  column.cursor = reinterpret_cast<std::byte*>(to);
}

}  // namespace microparquet
