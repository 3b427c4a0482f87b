#pragma once

#include <cstddef>
#include <cstdint>

namespace microparquet {

// Returns the CRC-32 of gzip and of Parquet pages (polynomial 0x04C11DB7, reflected, complemented at both
// ends) of the bytes that `crc` stands for followed by `bytes` bytes at `data`. Without bytes it is
// 0, so a first call passes 0. Same type and same results as `crc32_portable`, which it replaces where options take a
// function.
//
// The fastest way that the processor has is chosen at the first call: 512-bit or 128-bit carry-less multiply
// on x86-64, 64-bit polynomial multiply on AArch64 Linux, else the library's own `crc32_portable`. Nothing needs
// compiling for a certain processor. Any length and alignment.
//
// Threads: any number may call it at once.
std::uint32_t crc32_hardware(std::uint32_t crc, const void* data, std::size_t bytes);

}  // namespace microparquet
