#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define MICROPARQUET_CRC32_X86_64 1

namespace microparquet {

// CRC-32 by carry-less multiply, for `crc32_hardware` alone.
//
// `state` is the shift register: the complement of the checksum so far. Returns the register after `bytes`
// bytes.
//
// Requires: bytes is at least kCrc32PclmulqdqBytes; the processor has PCLMULQDQ and SSE4.1.
std::uint32_t crc32_pclmulqdq(std::uint32_t state, const unsigned char* data, std::size_t bytes);

// Works as crc32_pclmulqdq, 256 bytes a step.
//
// Requires: bytes is at least kCrc32VpclmulqdqBytes; also VPCLMULQDQ, AVX-512 F and VL.
std::uint32_t crc32_vpclmulqdq(std::uint32_t state, const unsigned char* data, std::size_t bytes);

// Smallest accepted numbers of bytes.
inline constexpr std::size_t kCrc32PclmulqdqBytes = 16;
inline constexpr std::size_t kCrc32VpclmulqdqBytes = 256;

}  // namespace microparquet

#endif
