#include "microparquet/port/crc32_hardware.h"

#include "microparquet/crc32.h"

#include "crc32_aarch64.h"
#include "crc32_x86_64.h"

namespace microparquet {
namespace {

using Crc32 = std::uint32_t (*)(std::uint32_t, const void*, std::size_t);

#if defined(MICROPARQUET_CRC32_X86_64)

template <bool kWide>
std::uint32_t crc32_by_multiply(std::uint32_t crc, const void* data, std::size_t bytes) {
  const auto* input = static_cast<const unsigned char*>(data);
  if (kWide && bytes >= kCrc32VpclmulqdqBytes) return ~crc32_vpclmulqdq(~crc, input, bytes);
  if (bytes >= kCrc32PclmulqdqBytes) return ~crc32_pclmulqdq(~crc, input, bytes);
  return crc32_portable(crc, input, bytes);
}

Crc32 fastest() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("pclmul") == 0 || __builtin_cpu_supports("sse4.1") == 0) return crc32_portable;
  const bool wide = __builtin_cpu_supports("vpclmulqdq") != 0 && __builtin_cpu_supports("avx512f") != 0 &&
                    __builtin_cpu_supports("avx512vl") != 0;
  return wide ? crc32_by_multiply<true> : crc32_by_multiply<false>;
}

#elif defined(MICROPARQUET_CRC32_AARCH64)

std::uint32_t crc32_by_multiply(std::uint32_t crc, const void* data, std::size_t bytes) {
  return ~crc32_pmull(~crc, static_cast<const unsigned char*>(data), bytes);
}

Crc32 fastest() { return has_crc32_pmull() ? crc32_by_multiply : crc32_portable; }

#else

Crc32 fastest() { return crc32_portable; }

#endif

}  // namespace

std::uint32_t crc32_hardware(std::uint32_t crc, const void* data, std::size_t bytes) {
  static const Crc32 function = fastest();
  return function(crc, data, bytes);
}

}  // namespace microparquet
