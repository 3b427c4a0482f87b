// CRC-32 of GZIP and of Parquet's page checksum.
#pragma once

#include <cstddef>
#include <cstdint>

namespace microparquet {

// Continues `crc` over `bytes` bytes at `data`; a checksum starts from 0. Polynomial 0x04C11DB7, reflected
// (parquet.thrift, PageHeader.crc). Thread-safe.
using Crc32 = std::uint32_t (*)(std::uint32_t crc, const void* data, std::size_t bytes);

// Portable CRC-32: a table of 512 bytes in flash, a word a step. A port may name a faster one in the options
// of writer and reader (a CRC unit, carry-less multiply); this one is then not linked.
std::uint32_t crc32_portable(std::uint32_t crc, const void* data, std::size_t bytes);

// Portable CRC-32 with tables of 128 bytes: on a Cortex-M4 about 900 bytes of flash less, and about three
// instructions more for each byte.
std::uint32_t crc32_small(std::uint32_t crc, const void* data, std::size_t bytes);

}  // namespace microparquet
