#include "microparquet/port/crc32_hardware.h"

#include <array>
#include <cstdint>
#include <cstring>

#include "crc32_aarch64.h"
#include "crc32_polynomial.h"
#include "crc32_x86_64.h"
#include "microparquet/crc32.h"
#include "support/check.h"

namespace {

using microparquet::crc32_hardware;

// One bit at a time, as the definition says.
std::uint32_t crc32_bitwise(std::uint32_t crc, const unsigned char* data, std::size_t bytes) {
  crc = ~crc;
  for (std::size_t i = 0; i < bytes; ++i) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xEDB88320U : 0U);
  }
  return ~crc;
}

constexpr std::size_t kLongest = 2100;  // eight steps of the widest way and every rest
constexpr std::size_t kOffsets = 65;

const unsigned char* noise() {
  static std::array<unsigned char, kLongest + kOffsets> bytes;
  std::uint32_t state = 1;
  for (unsigned char& byte : bytes) {
    state = state * 1664525U + 1013904223U;
    byte = static_cast<unsigned char>(state >> 24);
  }
  return bytes.data();
}

// Whether `function` agrees with the definition on all lengths up to kLongest, each from another start and
// offset.
template <typename Function>
bool agrees(Function function) {
  const unsigned char* data = noise();
  for (std::size_t bytes = 0; bytes <= kLongest; ++bytes) {
    const auto start = static_cast<std::uint32_t>(bytes * 2654435761U);
    const unsigned char* from = data + bytes % kOffsets;
    if (function(start, from, bytes) != crc32_bitwise(start, from, bytes)) return false;
  }
  return true;
}

TEST("hardware CRC-32 of known bytes") {
  CHECK_EQ(crc32_hardware(0, nullptr, 0), 0U);
  CHECK_EQ(crc32_hardware(0, "123456789", 9), 0xCBF43926U);
  CHECK_EQ(crc32_hardware(crc32_hardware(0, "1234", 4), "56789", 5), 0xCBF43926U);
}

TEST("hardware CRC-32 agrees with the definition at every length") { CHECK(agrees(crc32_hardware)); }

TEST("hardware CRC-32 agrees with the definition at every alignment") {
  for (std::size_t offset = 0; offset < kOffsets; ++offset) {
    CHECK_EQ(crc32_hardware(0, noise() + offset, 1031), crc32_bitwise(0, noise() + offset, 1031));
  }
}

TEST("hardware CRC-32 chains at every cut") {
  const std::uint32_t whole = crc32_bitwise(0, noise(), 700);
  for (std::size_t cut = 0; cut <= 700; ++cut) {
    CHECK_EQ(crc32_hardware(crc32_hardware(0, noise(), cut), noise() + cut, 700 - cut), whole);
  }
}

// The constants that the literature prints.
TEST("CRC-32 folding constants") {
  using namespace microparquet::crc32_polynomial;
  CHECK_EQ(fold_first_half(512), 0x154442BD4U);
  CHECK_EQ(fold_second_half(512), 0x1C6E41596U);
  CHECK_EQ(fold_constant(64), 0x163CD6124U);
  CHECK_EQ(kWhole, 0x1DB710641U);
  CHECK_EQ(barrett_quotient(), 0x1F7011641U);
}

#ifdef MICROPARQUET_CRC32_X86_64
// On a machine with the wide way, crc32_hardware takes this one for short inputs only.
TEST("CRC-32 by PCLMULQDQ agrees with the definition") {
  if (__builtin_cpu_supports("pclmul") == 0 || __builtin_cpu_supports("sse4.1") == 0) {
    CHECK_EQ(crc32_hardware(0, "123456789", 9), 0xCBF43926U);  // all that there is to see without it
    return;
  }
  CHECK(agrees([](std::uint32_t crc, const unsigned char* data, std::size_t bytes) {
    return bytes < microparquet::kCrc32PclmulqdqBytes ? crc32_bitwise(crc, data, bytes)
                                                      : ~microparquet::crc32_pclmulqdq(~crc, data, bytes);
  }));
}
#endif

}  // namespace
