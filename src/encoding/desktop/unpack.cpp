#include "encoding/desktop/unpack.h"

#include <utility>

#include "base/endian.h"

namespace microparquet::encoding {
namespace {

using Unpack = void (*)(const std::byte* from, std::uint32_t* numbers);

template <unsigned Width, std::size_t I>
std::uint32_t number_at(const std::byte* from) {
  constexpr unsigned kBit = I * Width;
  constexpr unsigned kShift = kBit % 32;
  constexpr std::uint32_t kMask = static_cast<std::uint32_t>((std::uint64_t{1} << Width) - 1);
  const std::byte* const word = from + kBit / 32 * 4;
  std::uint32_t bits = util::load<std::uint32_t>(word) >> kShift;
  if constexpr (kShift + Width > 32) bits |= util::load<std::uint32_t>(word + 4) << (32 - kShift);
  return bits & kMask;
}

template <unsigned Width, std::size_t... I>
void unpack_all(const std::byte* from, std::uint32_t* numbers, std::index_sequence<I...> /*places*/) {
  if constexpr (Width == 0) {
    ((numbers[I] = 0), ...);
  } else {
    ((numbers[I] = number_at<Width, I>(from)), ...);
  }
}

template <unsigned Width>
void unpack_width(const std::byte* from, std::uint32_t* numbers) {
  unpack_all<Width>(from, numbers, std::make_index_sequence<kUnpacked>());
}

struct Table {
  Unpack of_width[33];
};

template <unsigned... Width>
constexpr Table make_table(std::integer_sequence<unsigned, Width...> /*widths*/) {
  return {{&unpack_width<Width>...}};
}

constexpr Table kTable = make_table(std::make_integer_sequence<unsigned, 33>());

}  // namespace

void unpack(const std::byte* from, unsigned width, std::uint32_t* numbers) {
  kTable.of_width[width](from, numbers);
}

}  // namespace microparquet::encoding
