// Blocks of LZ4: what comes out is as long as it may be at most, and our decompressor makes the input of it.
#include "microparquet/codecs.h"

#include <cstring>

#include "support/check.h"
#include "written_file.h"

using microparquet::Lz4RawCompressor;
using microparquet::Span;
using microparquet::Status;

namespace {

constexpr std::uint32_t kMostBytes = 800;
constexpr std::byte kGuard{0xA5};

std::byte input[kMostBytes];
std::byte output[kMostBytes + 16];
std::byte back[kMostBytes];
alignas(8) std::byte table[sizeof(std::uint16_t) << 8];

// Number of bytes that the first `bytes` of the input become; 0: they do not come back, or take more than
// promised.
std::uint32_t compressed(const Lz4RawCompressor& compressor, std::uint32_t bytes) {
  const std::uint32_t most = compressor.growth().most_bytes(bytes);
  std::memset(output, static_cast<int>(kGuard), sizeof output);
  std::memset(table, static_cast<int>(kGuard), sizeof table);
  const std::uint32_t size =
      compressor.compress_page(Span<const std::byte>(input, bytes), Span<std::byte>(output, most),
                               Span<std::byte>(table, compressor.scratch_bytes()));
  const bool within = size <= most && output[most] == kGuard;
  const Status status = microparquet::kLz4RawDecompressor.decompress(Span<const std::byte>(output, size),
                                                                     Span<std::byte>(back, bytes), {});
  return within && status == Status::kOk && std::memcmp(input, back, bytes) == 0 ? size : 0;
}

// Lengths of every kind: around the sizes that tokens hold, and where a block is too short for a copy.
template <typename Fill>
bool all_come_back(Fill fill) {
  constexpr Lz4RawCompressor kSmallest(Lz4RawCompressor::kLeastTableBits);
  constexpr Lz4RawCompressor kLarger(8);
  for (std::uint32_t i = 0; i < kMostBytes; ++i) input[i] = static_cast<std::byte>(fill(i));
  for (std::uint32_t bytes = 1; bytes <= kMostBytes; bytes += bytes < 40 ? 1 : 7) {
    for (const Lz4RawCompressor* compressor : {&kSmallest, &microparquet::kLz4RawCompressor, &kLarger}) {
      if (compressed(*compressor, bytes) == 0) return false;
    }
  }
  return true;
}

}  // namespace

TEST("LZ4_RAW: blocks come back, of noise and of what repeats") {
  CHECK(all_come_back([](std::uint32_t) { return 0U; }));
  CHECK(all_come_back([](std::uint32_t i) { return written::mix(i, 1); }));
  CHECK(all_come_back([](std::uint32_t i) { return i / 3; }));
  for (const std::uint32_t period : {2U, 3U, 4U, 5U, 8U, 37U, 290U}) {
    CHECK(all_come_back([=](std::uint32_t i) { return written::mix(i % period, period); }));
  }
  // Copies of four bytes and a few more, between literals of any number up to that which takes another byte.
  for (const std::uint32_t literals : {1U, 2U, 14U, 15U, 16U, 100U}) {
    CHECK(all_come_back([=](std::uint32_t i) {
      const std::uint32_t at = i % (literals + 4);
      return at < 4 ? at : written::mix(i, literals);
    }));
  }
  // Repeated bytes, interrupted more and more seldom.
  for (const std::uint32_t often : {3U, 9U, 30U, 200U}) {
    CHECK(all_come_back([=](std::uint32_t i) { return written::mix(i, 2) % often == 0 ? i : i % 5; }));
  }
}

TEST("LZ4_RAW: how small blocks become") {
  for (std::byte& byte : input) byte = std::byte{7};
  // A literal, the longest copy, five literals: two tokens, a distance, and what the length has beyond 15.
  constexpr std::uint32_t kRest = kMostBytes - 1 - 5 - 4 - 15;
  CHECK_EQ(compressed(microparquet::kLz4RawCompressor, kMostBytes), 1 + 1 + 2 + kRest / 255 + 1 + 1 + 5U);
  // Nothing repeats: a token, and what the length has beyond 15.
  for (std::uint32_t i = 0; i < kMostBytes; ++i) input[i] = static_cast<std::byte>(i % 251);
  CHECK_EQ(compressed(microparquet::kLz4RawCompressor, 250), 1 + 1 + 250U);
  // No copy may begin in the last twelve bytes.
  std::memset(input, 0, sizeof input);
  CHECK_EQ(compressed(microparquet::kLz4RawCompressor, 12), 1 + 12U);
  CHECK_EQ(compressed(microparquet::kLz4RawCompressor, 13), 1 + 1 + 2 + 1 + 5U);
}
