#include "crc32_x86_64.h"

#ifdef MICROPARQUET_CRC32_X86_64

#include <immintrin.h>

#include "crc32_polynomial.h"

// A message is congruent, modulo P, to the same message with 128 bits of it multiplied by x^n modulo P and
// added n bits later. Accumulators therefore walk over the message: each step carries them one stride forward
// and adds the bytes found there. At the end they are carried into one, whose 128 bits are reduced to 32.
#define MICROPARQUET_TARGET_SSE __attribute__((target("pclmul,sse4.1")))
#define MICROPARQUET_TARGET_AVX512 __attribute__((target("pclmul,sse4.1,vpclmulqdq,avx512f,avx512vl")))

namespace microparquet {
namespace {

using namespace crc32_polynomial;

MICROPARQUET_TARGET_SSE inline __m128i load(const unsigned char* data) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(data));
}

template <unsigned kBits>
MICROPARQUET_TARGET_SSE inline __m128i factors() {
  constexpr long long kFirst = fold_first_half(kBits);
  constexpr long long kSecond = fold_second_half(kBits);
  return _mm_set_epi64x(kSecond, kFirst);
}

// Carries `accumulator` forward onto `next`.
MICROPARQUET_TARGET_SSE inline __m128i fold(__m128i accumulator, __m128i factors, __m128i next) {
  const __m128i first = _mm_clmulepi64_si128(accumulator, factors, 0x00);
  const __m128i second = _mm_clmulepi64_si128(accumulator, factors, 0x11);
  return _mm_xor_si128(_mm_xor_si128(first, second), next);
}

// Reduces 128 bits to the 32 of the register: to 96 bits, to 64, then by Barrett.
MICROPARQUET_TARGET_SSE inline std::uint32_t reduce(__m128i value) {
  const __m128i low_32 = _mm_setr_epi32(-1, 0, -1, 0);
  value = _mm_xor_si128(_mm_srli_si128(value, 8), _mm_clmulepi64_si128(value, factors<128>(), 0x10));
  constexpr long long kBy64 = fold_constant(64);
  const __m128i by_64 = _mm_cvtsi64_si128(kBy64);
  value = _mm_xor_si128(_mm_srli_si128(value, 4),
                        _mm_clmulepi64_si128(_mm_and_si128(value, low_32), by_64, 0x00));

  constexpr long long kQuotient = barrett_quotient();
  constexpr long long kP = kWhole;
  const __m128i quotient_and_p = _mm_set_epi64x(kQuotient, kP);
  __m128i multiple = _mm_clmulepi64_si128(_mm_and_si128(value, low_32), quotient_and_p, 0x10);
  multiple = _mm_clmulepi64_si128(_mm_and_si128(multiple, low_32), quotient_and_p, 0x00);
  return static_cast<std::uint32_t>(_mm_extract_epi32(_mm_xor_si128(value, multiple), 1));
}

// Continues over the last `bytes` bytes, 1 to 15. Preceded by as many zeros as it lacks of 32 bytes, the
// accumulator and these bytes are two blocks; the second one ends with the message.
MICROPARQUET_TARGET_SSE inline __m128i fold_rest(__m128i accumulator, const unsigned char* data,
                                                 std::size_t bytes) {
  // Source of each byte; 0x80: it is zero.
  alignas(16) static constexpr unsigned char kFrom[48] = {
      0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
      0,    1,    2,    3,    4,    5,    6,    7,    8,    9,    10,   11,   12,   13,   14,   15,
      0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80};
  const __m128i first = _mm_shuffle_epi8(accumulator, load(kFrom + bytes));
  const __m128i from = load(kFrom + 16 + bytes);
  const __m128i second = _mm_blendv_epi8(_mm_shuffle_epi8(accumulator, from), load(data + bytes - 16), from);
  return fold(first, factors<128>(), second);
}

// Continues with one accumulator over the last bytes, then reduces it. Requires: 16 bytes before them.
MICROPARQUET_TARGET_SSE inline std::uint32_t finish(__m128i accumulator, const unsigned char* data,
                                                    std::size_t bytes) {
  for (; bytes >= 16; bytes -= 16, data += 16) accumulator = fold(accumulator, factors<128>(), load(data));
  return reduce(bytes != 0 ? fold_rest(accumulator, data, bytes) : accumulator);
}

constexpr std::size_t kAhead = 1024;

// Prefetches the 256 bytes that come kAhead after `data`. The processor itself looks ahead only within a page
// of memory, and a page of values is longer.
MICROPARQUET_TARGET_SSE inline void prefetch(const unsigned char* data) {
  constexpr std::size_t kLine = 64;
  for (std::size_t line = 0; line < 256; line += kLine)
    _mm_prefetch(reinterpret_cast<const char*>(data + kAhead + line), _MM_HINT_T0);
}

MICROPARQUET_TARGET_AVX512 inline __m512i load_512(const unsigned char* data) {
  return _mm512_loadu_si512(data);
}

// Extracts a quarter. The forms without a mask read an undefined register, of which GCC 12 warns.
template <int kIndex>
MICROPARQUET_TARGET_AVX512 inline __m128i quarter(__m512i value) {
  return _mm512_maskz_extracti32x4_epi32(0xF, value, kIndex);
}

template <unsigned kBits>
MICROPARQUET_TARGET_AVX512 inline __m512i factors_512() {
  constexpr long long kFirst = fold_first_half(kBits);
  constexpr long long kSecond = fold_second_half(kBits);
  return _mm512_set4_epi64(kSecond, kFirst, kSecond, kFirst);
}

MICROPARQUET_TARGET_AVX512 inline __m512i fold_512(__m512i accumulator, __m512i factors, __m512i next) {
  const __m512i first = _mm512_clmulepi64_epi128(accumulator, factors, 0x00);
  const __m512i second = _mm512_clmulepi64_epi128(accumulator, factors, 0x11);
  constexpr int kXorOfThree = 0x96;
  return _mm512_ternarylogic_epi64(first, second, next, kXorOfThree);
}

}  // namespace

MICROPARQUET_TARGET_SSE std::uint32_t crc32_pclmulqdq(std::uint32_t state, const unsigned char* data,
                                                      std::size_t bytes) {
  const __m128i start = _mm_cvtsi32_si128(static_cast<int>(state));
  __m128i a = _mm_xor_si128(load(data), start);
  if (bytes < 64) return finish(a, data + 16, bytes - 16);

  __m128i b = load(data + 16);
  __m128i c = load(data + 32);
  __m128i d = load(data + 48);
  const __m128i by_stride = factors<512>();
  for (data += 64, bytes -= 64; bytes >= 64; data += 64, bytes -= 64) {
    a = fold(a, by_stride, load(data));
    b = fold(b, by_stride, load(data + 16));
    c = fold(c, by_stride, load(data + 32));
    d = fold(d, by_stride, load(data + 48));
  }
  b = fold(a, factors<128>(), b);
  c = fold(b, factors<128>(), c);
  d = fold(c, factors<128>(), d);
  return finish(d, data, bytes);
}

MICROPARQUET_TARGET_AVX512 std::uint32_t crc32_vpclmulqdq(std::uint32_t state, const unsigned char* data,
                                                          std::size_t bytes) {
  const __m512i start = _mm512_zextsi128_si512(_mm_cvtsi32_si128(static_cast<int>(state)));
  __m512i a = _mm512_xor_si512(load_512(data), start);
  __m512i b = load_512(data + 64);
  __m512i c = load_512(data + 128);
  __m512i d = load_512(data + 192);
  const __m512i by_stride = factors_512<2048>();
  for (data += 256, bytes -= 256; bytes >= 256; data += 256, bytes -= 256) {
    if (bytes >= kAhead + 256) prefetch(data);
    a = fold_512(a, by_stride, load_512(data));
    b = fold_512(b, by_stride, load_512(data + 64));
    c = fold_512(c, by_stride, load_512(data + 128));
    d = fold_512(d, by_stride, load_512(data + 192));
  }
  const __m512i by_512 = factors_512<512>();
  d = fold_512(a, factors_512<1536>(), fold_512(b, factors_512<1024>(), fold_512(c, by_512, d)));
  for (; bytes >= 64; data += 64, bytes -= 64) d = fold_512(d, by_512, load_512(data));

  __m128i last = quarter<3>(d);
  last = fold(quarter<0>(d), factors<384>(), last);
  last = fold(quarter<1>(d), factors<256>(), last);
  last = fold(quarter<2>(d), factors<128>(), last);
  return finish(last, data, bytes);
}

}  // namespace microparquet

#endif
