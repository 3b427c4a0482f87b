#pragma once

#include <cstddef>
#include <cstdint>

namespace microparquet {

// Returns the CRC-32 of gzip and of Parquet pages (polynomial 0x04C11DB7, reflected, complemented at both
// ends) over the bytes of `crc` followed by `bytes` bytes at `data`. Over no bytes it is 0, so a first call
// passes 0. It has the type and the results of `crc32_portable`, and replaces it in options.
//
// The first call chooses the processor's fastest way: 512-bit or 128-bit carry-less multiply on x86-64,
// 64-bit polynomial multiply on AArch64 Linux, otherwise the library's own `crc32_portable`. The program need
// not be compiled for a certain processor. It takes any length and alignment.
//
// Threads: any number may call it at once.
std::uint32_t crc32_hardware(std::uint32_t crc, const void* data, std::size_t bytes);

}  // namespace microparquet
