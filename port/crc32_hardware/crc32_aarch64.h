#pragma once

#include <cstddef>
#include <cstdint>

// clang offers the intrinsics only if the whole file is compiled for them.
#if defined(__AARCH64EL__) && defined(__linux__) && \
    (!defined(__clang__) || (defined(__ARM_FEATURE_CRC32) && defined(__ARM_FEATURE_AES)))
#define MICROPARQUET_CRC32_AARCH64 1

namespace microparquet {

// Returns whether the processor has the instructions of crc32_pmull: CRC-32 and 64-bit polynomial multiply.
bool has_crc32_pmull();

// CRC-32 of bytes of any number and alignment, for `crc32_hardware` alone.
//
// `state` is the shift register: the complement of the checksum so far. Returns the register after `bytes`
// bytes.
//
// Requires: has_crc32_pmull().
std::uint32_t crc32_pmull(std::uint32_t state, const unsigned char* data, std::size_t bytes);

}  // namespace microparquet

#endif
