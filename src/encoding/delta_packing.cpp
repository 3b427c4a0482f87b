#include "encoding/delta_packing.h"

#include <type_traits>

#include "base/bytes.h"
#include "base/endian.h"

namespace microparquet::encoding {
namespace {

template <typename T>
void find_steps(const std::byte* values, std::uint32_t count, Steps& steps) {
  using Bits = std::make_unsigned_t<T>;
  Bits last = util::load_aligned<Bits>(values - sizeof(T));
  Bits least = util::load_aligned<Bits>(values) - last;
  Bits most = least;
  const std::byte* const end = values + count * sizeof(T);
  do {
    const Bits value = util::load_aligned<Bits>(values);
    values += sizeof(T);
    const Bits step = value - last;
    last = value;
    if (static_cast<T>(step) < static_cast<T>(least)) least = step;
    if (static_cast<T>(step) > static_cast<T>(most)) most = step;
  } while (values != end);
  steps.least = static_cast<std::uint64_t>(std::int64_t{static_cast<T>(least)});
  steps.range = narrow(static_cast<Bits>(most - least));
}

}  // namespace

void find_steps32(const std::byte* values, std::uint32_t count, Steps& steps) {
  find_steps<std::int32_t>(values, count, steps);
}

void find_steps64(const std::byte* values, std::uint32_t count, Steps& steps) {
  find_steps<std::int64_t>(values, count, steps);
}

void pack_steps(std::byte* to, std::uint32_t width, const std::byte* values, std::uint32_t stride,
                std::uint32_t count, std::uint32_t least) {
  std::uint32_t word = 0;
  std::uint32_t filled = 0;
  const std::byte* const all = to + 4 * width;
  const std::byte* const end = values + std::size_t{count} * stride;
  std::uint32_t base = util::load_aligned<std::uint32_t>(values - stride) + least;
  do {
    const auto value = util::load_aligned<std::uint32_t>(values);
    values += stride;
    const std::uint32_t number = value - base;
    base = value + least;
    word |= number << filled;
    filled += width;
    if (filled < 32) continue;
    util::store(to, word);
    to += 4;
    filled -= 32;
    word = number >> 1 >> (width - filled - 1);
  } while (values != end);
  for (; to != all; word = 0, to += 4) util::store(to, word);
}

void store_steps(std::byte* to, const std::byte* values, std::uint32_t count, std::uint64_t least) {
  std::byte* const all = to + 8 * kMiniblock;
  for (; count != 0; --count, to += 8, values += 8) {
    util::store(to, util::load_aligned<std::uint64_t>(values) -
                        util::load_aligned<std::uint64_t>(values - 8) - least);
  }
  util::clear_bytes(to, static_cast<std::size_t>(all - to));
}

// Repacks from last to first, which never overwrites a number not yet read. It reads the two words in which a
// number's bits may lie: the second one is in the page too, since the miniblock grows.
void repack(std::byte* to, std::uint32_t to_width, const std::byte* from, std::uint32_t from_width,
            std::uint32_t more) {
  const std::uint32_t mask = from_width < 32 ? (1U << from_width) - 1 : ~0U;
  std::uint32_t word = 0;
  std::uint32_t filled = 0;  // bits used in the word, from its top
  to += 4 * to_width;
  for (std::uint32_t bit = kMiniblock * from_width, i = 0; i < kMiniblock; ++i) {
    bit -= from_width;
    const std::byte* const at = from + bit / 32 * 4;
    const std::uint32_t inside = bit % 32;
    const std::uint32_t found = util::load<std::uint32_t>(at) >> inside | util::load<std::uint32_t>(at + 4)
                                                                              << 1 << (31 - inside);
    const std::uint32_t number = (found & mask) + more;
    filled += to_width;
    if (filled >= 32) {
      filled -= 32;
      to -= 4;
      util::store(to, word | number >> filled);
      word = 0;
    }
    word |= number << 1 << (31 - filled);
  }
}

}  // namespace microparquet::encoding
