// ALP:
//
//   header      mode, 0; encoding of integers, 0; logarithm of a vector's values; values, four bytes
//   places      of the vectors, four bytes each, counted from here
//   vectors     of equal numbers of values, fewer in the last one:
//     head      exponent, factor; exceptions, two bytes; least integer, as wide as a value; bits of a packed one
//     integers  less the least one, packed, least significant bits first
//     exceptions: their places in the vector, two bytes each; their values
//
// A value is an integer times ten to the factor times ten to minus the exponent, in this order and in its own
// precision. Numbers are little-endian. The page stays where it is until its last value is taken.
#include "microparquet/decoders.h"

#include <cstring>

#include "base/endian.h"
#include "base/try.h"
#include "encoding/delta_numbers.h"

namespace microparquet {
namespace {

constexpr std::uint32_t kAlpHeadBytes = 7;
constexpr std::uint32_t kVectorPlaceBytes = 4;
constexpr unsigned kLeastVectorBits = 3;
constexpr unsigned kMostVectorBits = 15;
constexpr std::uint32_t kExceptionPlaceBytes = 2;

constexpr float kTens[] = {1e0F, 1e1F, 1e2F, 1e3F, 1e4F, 1e5F, 1e6F, 1e7F, 1e8F, 1e9F, 1e10F};
constexpr float kTenths[] = {1e-0F, 1e-1F, 1e-2F, 1e-3F, 1e-4F, 1e-5F, 1e-6F, 1e-7F, 1e-8F, 1e-9F, 1e-10F};
constexpr double kWideTens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8, 1e9,
                                1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18};
constexpr double kWideTenths[] = {1e-0,  1e-1,  1e-2,  1e-3,  1e-4,  1e-5,  1e-6,  1e-7,  1e-8, 1e-9,
                                  1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15, 1e-16, 1e-17, 1e-18};

struct DecimalFloat {
  using Value = float;
  using Integer = std::int32_t;
  static constexpr std::uint8_t kMostExponent = 10;
  static float value(std::int32_t integer, unsigned factor, unsigned exponent) {
    const float scaled = static_cast<float>(integer) * kTens[factor];
    return scaled * kTenths[exponent];
  }
};

struct DecimalDouble {
  using Value = double;
  using Integer = std::int64_t;
  static constexpr std::uint8_t kMostExponent = 18;
  static double value(std::int64_t integer, unsigned factor, unsigned exponent) {
    const double scaled = static_cast<double>(integer) * kWideTens[factor];
    return scaled * kWideTenths[exponent];
  }
};

struct AlpPage {
  std::uint64_t least;       // smallest integer of the vector
  std::byte value[8];        // value shown to the caller
  std::uint32_t left;        // values left in the page
  std::uint32_t next;        // offset of the next vector in the page
  std::uint32_t place;       // offset of that vector's entry in the list of places
  std::uint32_t packed;      // offset of the vector's integers
  std::uint32_t positions;   // offset of its exceptions' places
  std::uint32_t exceptions;  // offset of its exceptions' values
  std::uint16_t taken;       // values taken from the vector
  std::uint16_t values;      // values in the vector
  std::uint16_t exception;   // number of the next exception
  std::uint16_t exception_count;
  std::uint8_t width;
  std::uint8_t factor;
  std::uint8_t exponent;
  std::uint8_t vector_bits;  // logarithm of a vector's values
};
static_assert(sizeof(AlpPage) <= AlpDecoder::kStateBytes);

template <typename T>
T alp_number(PageInput page, std::uint32_t at) {
  return util::load<T>(page.data() + at);
}

std::uint16_t exception_place(PageInput page, const AlpPage& state, std::uint32_t exception) {
  return alp_number<std::uint16_t>(page, state.positions + kExceptionPlaceBytes * exception);
}

// Checks that the places of exceptions rise and lie in the vector: one pass can then find them.
Status check_positions(PageInput page, const AlpPage& state) {
  for (std::uint32_t i = 0; i < state.exception_count; ++i) {
    const std::uint16_t position = exception_place(page, state, i);
    if (position >= state.values) return Status::kCorrupt;
    if (i != 0 && position <= exception_place(page, state, i - 1)) return Status::kUnsupported;
  }
  return Status::kOk;
}

// Begins the next vector. Its parts must fill the page up to the vector after it, or to the page's end.
template <typename Type>
Status begin_vector(PageInput page, AlpPage& state) {
  using Integer = typename Type::Integer;
  constexpr std::uint32_t kHead = 2 + kExceptionPlaceBytes + sizeof(Integer) + 1;
  const std::uint32_t all = page.available();
  if (all - state.next < kHead) return Status::kCorrupt;
  AlpPage vector = state;
  const std::uint32_t most = 1U << state.vector_bits;
  vector.values = static_cast<std::uint16_t>(state.left < most ? state.left : most);
  vector.exponent = alp_number<std::uint8_t>(page, state.next);
  vector.factor = alp_number<std::uint8_t>(page, state.next + 1);
  vector.exception_count = alp_number<std::uint16_t>(page, state.next + 2);
  vector.least = static_cast<std::uint64_t>(alp_number<Integer>(page, state.next + 4));
  vector.width = alp_number<std::uint8_t>(page, state.next + kHead - 1);
  if (vector.exponent > Type::kMostExponent || vector.factor > vector.exponent ||
      vector.exception_count > vector.values || vector.width > 8 * sizeof(Integer))
    return Status::kCorrupt;
  const std::uint32_t packed_bytes = (std::uint32_t{vector.values} * vector.width + 7) / 8;
  const std::uint32_t count = vector.exception_count;
  if (all - state.next - kHead < packed_bytes + count * (kExceptionPlaceBytes + sizeof(Integer)))
    return Status::kCorrupt;
  vector.packed = state.next + kHead;
  vector.positions = vector.packed + packed_bytes;
  vector.exceptions = vector.positions + count * kExceptionPlaceBytes;
  vector.next = vector.exceptions + count * static_cast<std::uint32_t>(sizeof(Integer));
  vector.place += kVectorPlaceBytes;
  vector.taken = vector.exception = 0;
  const bool is_last = state.left <= most;
  const std::uint32_t end = is_last ? all - kAlpHeadBytes : alp_number<std::uint32_t>(page, vector.place);
  if (vector.next - kAlpHeadBytes != end) return Status::kCorrupt;
  MICROPARQUET_TRY(check_positions(page, vector));
  state = vector;
  return Status::kOk;
}

// Stores the vector's next `count` values as if none were an exception.
template <typename Type>
void unpack_decimals(PageInput page, const AlpPage& state, typename Type::Value* out, std::uint32_t count) {
  constexpr unsigned kMostInWord = 57;
  const std::byte* const packed = page.data() + state.packed;
  const std::uint32_t bytes = page.available() - state.packed;
  const unsigned width = state.width;
  const std::uint64_t mask = width != 0 ? ~std::uint64_t{0} >> (64 - width) : 0;
  std::uint32_t bit = state.taken * width;
  for (std::uint32_t i = 0; i < count; ++i, bit += width) {
    std::uint64_t integer = state.least;
    const std::uint32_t byte = bit / 8;
    if (width <= kMostInWord && byte + sizeof(std::uint64_t) <= bytes) {
      integer += util::load<std::uint64_t>(packed + byte) >> bit % 8 & mask;
    } else if (width != 0) {
      integer += encoding::bits_at(packed + byte, bit % 8, width);
    }
    out[i] = Type::value(static_cast<typename Type::Integer>(integer), state.factor, state.exponent);
  }
}

// Overwrites the exceptions among the vector's next `count` values with their exact bits.
template <typename Value>
void put_exceptions(PageInput page, AlpPage& state, Value* out, std::uint32_t count) {
  for (; state.exception < state.exception_count; ++state.exception) {
    const std::uint32_t place = std::uint32_t{exception_place(page, state, state.exception)} - state.taken;
    if (place >= count) return;
    std::memcpy(out + place, page.data() + state.exceptions + state.exception * sizeof(Value), sizeof(Value));
  }
}

template <typename Type>
Status read_vector(PageInput page, AlpPage& state, typename Type::Value* out, std::uint32_t count,
                   std::uint32_t& stored) {
  if (state.left == 0) return Status::kCorrupt;
  if (state.taken == state.values) MICROPARQUET_TRY(begin_vector<Type>(page, state));
  const std::uint32_t there = std::uint32_t{state.values} - state.taken;
  stored = count < there ? count : there;
  unpack_decimals<Type>(page, state, out, stored);
  put_exceptions(page, state, out, stored);
  state.taken = static_cast<std::uint16_t>(state.taken + stored);
  state.left -= stored;
  if (state.left == 0) page.take(page.available());
  return Status::kOk;
}

template <typename Type>
Status show_decimal(PageInput page) {
  auto& state = page.state<AlpPage>();
  typename Type::Value value = 0;
  std::uint32_t stored = 0;
  MICROPARQUET_TRY(read_vector<Type>(page, state, &value, 1, stored));
  std::memcpy(state.value, &value, sizeof value);
  page.show(state.value, sizeof value);
  return Status::kOk;
}

}  // namespace

Status AlpDecoder::begin_page(PageInput page, std::uint32_t values) const {
  auto& state = page.state<AlpPage>();
  state = {};
  // Some writers store no header in a page without values.
  if (page.left() == 0) return values == 0 || page.may_have_nulls() ? Status::kOk : Status::kCorrupt;
  MICROPARQUET_TRY(page.load_all());
  if (page.available() < kAlpHeadBytes) return Status::kCorrupt;
  if (alp_number<std::uint8_t>(page, 0) != 0 || alp_number<std::uint8_t>(page, 1) != 0)
    return Status::kUnsupported;
  state.vector_bits = alp_number<std::uint8_t>(page, 2);
  state.left = alp_number<std::uint32_t>(page, 3);
  if (state.vector_bits < kLeastVectorBits || state.vector_bits > kMostVectorBits) return Status::kCorrupt;
  if (state.left > values || (state.left < values && !page.may_have_nulls())) return Status::kCorrupt;
  state.place = kAlpHeadBytes;
  const std::uint32_t whole = state.left >> state.vector_bits;
  const std::uint32_t vectors = whole << state.vector_bits == state.left ? whole : whole + 1;
  if (vectors > (page.available() - kAlpHeadBytes) / kVectorPlaceBytes) return Status::kCorrupt;
  state.next = kAlpHeadBytes + vectors * kVectorPlaceBytes;
  if (state.left == 0) {
    if (page.available() != kAlpHeadBytes) return Status::kCorrupt;
    page.take(kAlpHeadBytes);
    return Status::kOk;
  }
  const std::uint32_t first = alp_number<std::uint32_t>(page, state.place);
  return first == state.next - kAlpHeadBytes ? Status::kOk : Status::kCorrupt;
}

Status AlpDecoder::next(PageInput page) const {
  return page.type() == Type::kFloat ? show_decimal<DecimalFloat>(page) : show_decimal<DecimalDouble>(page);
}

Status AlpDecoder::read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const {
  auto& state = page.state<AlpPage>();
  return page.type() == Type::kFloat
             ? read_vector<DecimalFloat>(page, state, static_cast<float*>(out), count, stored)
             : read_vector<DecimalDouble>(page, state, static_cast<double*>(out), count, stored);
}

Status AlpDecoder::skip(PageInput page) const { return next(page); }

}  // namespace microparquet
