#include "crc32_aarch64.h"

#ifdef MICROPARQUET_CRC32_AARCH64

#include <arm_acle.h>
#include <arm_neon.h>
#include <sys/auxv.h>

#include <cstring>

#include "crc32_polynomial.h"

#ifdef __clang__
#define MICROPARQUET_TARGET_PMULL
#else
#define MICROPARQUET_TARGET_PMULL __attribute__((target("+crc+crypto")))
#endif

// Folds as in crc32_x86_64.cpp; the last 128 bits and the remaining bytes go through the CRC instructions.
namespace microparquet {
namespace {

using namespace crc32_polynomial;

inline uint64x2_t load(const unsigned char* data) { return vreinterpretq_u64_u8(vld1q_u8(data)); }

template <unsigned kBits>
MICROPARQUET_TARGET_PMULL inline uint64x2_t fold(uint64x2_t accumulator, uint64x2_t next) {
  constexpr poly64_t kFirst = fold_first_half(kBits);
  constexpr poly64_t kSecond = fold_second_half(kBits);
  const poly128_t first = vmull_p64(vgetq_lane_u64(accumulator, 0), kFirst);
  const poly128_t second = vmull_p64(vgetq_lane_u64(accumulator, 1), kSecond);
  return veorq_u64(veorq_u64(vreinterpretq_u64_p128(first), vreinterpretq_u64_p128(second)), next);
}

MICROPARQUET_TARGET_PMULL inline std::uint32_t finish(std::uint32_t state, const unsigned char* data,
                                                      std::size_t bytes) {
  for (; bytes >= 8; data += 8, bytes -= 8) {
    std::uint64_t word;
    std::memcpy(&word, data, sizeof(word));
    state = __crc32d(state, word);
  }
  for (; bytes != 0; ++data, --bytes) state = __crc32b(state, *data);
  return state;
}

}  // namespace

bool has_crc32_pmull() {
  constexpr unsigned long kPmull = 1UL << 4;  // bits of HWCAP_PMULL and HWCAP_CRC32 in the Linux interface
  constexpr unsigned long kCrc32 = 1UL << 7;
  const unsigned long features = getauxval(AT_HWCAP);
  return (features & kPmull) != 0 && (features & kCrc32) != 0;
}

MICROPARQUET_TARGET_PMULL std::uint32_t crc32_pmull(std::uint32_t state, const unsigned char* data,
                                                    std::size_t bytes) {
  if (bytes < 128) return finish(state, data, bytes);

  uint64x2_t a = veorq_u64(load(data), vsetq_lane_u64(state, vdupq_n_u64(0), 0));
  uint64x2_t b = load(data + 16);
  uint64x2_t c = load(data + 32);
  uint64x2_t d = load(data + 48);
  for (data += 64, bytes -= 64; bytes >= 64; data += 64, bytes -= 64) {
    a = fold<512>(a, load(data));
    b = fold<512>(b, load(data + 16));
    c = fold<512>(c, load(data + 32));
    d = fold<512>(d, load(data + 48));
  }
  d = fold<384>(a, fold<256>(b, fold<128>(c, d)));
  state = __crc32d(0, vgetq_lane_u64(d, 0));
  state = __crc32d(state, vgetq_lane_u64(d, 1));
  return finish(state, data, bytes);
}

}  // namespace microparquet

#endif
