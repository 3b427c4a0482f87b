// PLAIN of boolean: one bit a value, least significant first.
#include <cstring>

#include "base/bits.h"
#include "base/try.h"
#include "encoding/padding.h"
#include "microparquet/decoder.h"
#include "microparquet/detail/desktop.h"

namespace microparquet {

namespace {

struct Bits {
  std::uint8_t unread;  // bits of the byte before the cursor, the next one lowest
  std::uint8_t left;    // number of these bits
  std::byte value;      // shown to the caller
};
static_assert(sizeof(Bits) == PlainBooleanDecoder::kStateBytes);

Status load_bits(PageInput page, Bits& bits) {
  if (bits.left != 0) return Status::kOk;
  MICROPARQUET_TRY(page.load(1));
  bits.unread = static_cast<std::uint8_t>(*page.data());
  bits.left = 8;
  page.take(1);
  return Status::kOk;
}

bool take_bit(Bits& bits) {
  const bool bit = (bits.unread & 1) != 0;
  bits.unread = static_cast<std::uint8_t>(bits.unread >> 1);
  --bits.left;
  return bit;
}

// Expands the loaded bytes, eight values each. Returns how many values were stored.
[[maybe_unused]] std::uint32_t read_whole_bytes(PageInput page, bool* values, std::uint32_t count) {
  const std::uint32_t there = page.available();
  const std::uint32_t bytes = count / 8 < there ? count / 8 : there;
  const std::byte* const from = page.data();
  for (std::uint32_t i = 0; i < bytes; ++i) {
    const std::uint64_t eight = util::bytes_of_bits(std::to_integer<std::uint32_t>(from[i]));
    std::memcpy(values + std::size_t{8} * i, &eight, sizeof eight);
  }
  page.take(bytes);
  return 8 * bytes;
}

}  // namespace

Status PlainBooleanDecoder::begin_page(PageInput page, std::uint32_t values) const {
  page.state<Bits>().left = 0;
  const std::uint64_t most = (std::uint64_t{values} + 7) / 8 + encoding::kPadding;
  if (page.left() > most) return Status::kCorrupt;
  const std::uint64_t missing = most - page.left();
  const bool exact = missing == 0 || missing == encoding::kPadding;
  return exact || page.may_have_nulls() ? Status::kOk : Status::kCorrupt;
}

Status PlainBooleanDecoder::next(PageInput page) const {
  Bits& bits = page.state<Bits>();
  MICROPARQUET_TRY(load_bits(page, bits));
  bits.value = take_bit(bits) ? std::byte{1} : std::byte{0};
  page.show(&bits.value, 1);
  return Status::kOk;
}

Status PlainBooleanDecoder::read(PageInput page, void* out, std::uint32_t count,
                                 std::uint32_t& stored) const {
  Bits& bits = page.state<Bits>();
  bool* const values = static_cast<bool*>(out);
  MICROPARQUET_TRY(load_bits(page, bits));
  stored = 0;
  do {
    while (bits.left != 0 && stored < count) values[stored++] = take_bit(bits);
    if constexpr (detail::kDesktop) stored += read_whole_bytes(page, values + stored, count - stored);
    // After a failure the next call returns the status, with no values.
  } while (stored < count && load_bits(page, bits) == Status::kOk);
  return Status::kOk;
}

Status PlainBooleanDecoder::skip(PageInput page) const { return next(page); }

}  // namespace microparquet
