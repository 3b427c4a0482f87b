// Blocks of LZ4 that are longer than a copy reaches back.
#include <cstddef>
#include <cstring>
#include <vector>

#include "microparquet/codecs.h"
#include "support/check.h"
#include "written_file.h"

using microparquet::Lz4RawCompressor;
using microparquet::Span;
using microparquet::Status;

namespace {

// Number of bytes that `block` becomes; 0: it does not come back.
std::size_t compressed(const Lz4RawCompressor& compressor, const std::vector<std::byte>& block) {
  std::vector<std::byte> out(compressor.growth().most_bytes(static_cast<std::uint32_t>(block.size())));
  std::vector<std::byte> scratch(compressor.scratch_bytes());
  std::vector<std::byte> back(block.size());
  const std::uint32_t size = compressor.compress_page(Span<const std::byte>(block.data(), block.size()),
                                                      Span<std::byte>(out.data(), out.size()),
                                                      Span<std::byte>(scratch.data(), scratch.size()));
  const Status status = microparquet::kLz4RawDecompressor.decompress(
      Span<const std::byte>(out.data(), size), Span<std::byte>(back.data(), back.size()), {});
  return status == Status::kOk && back == block ? size : 0;
}

}  // namespace

TEST("LZ4_RAW: what stands 64 KiB back is not copied from elsewhere") {
  constexpr std::size_t kReach = 65'535;
  for (const std::size_t distance : {kReach - 1, kReach, kReach + 1, kReach + 2, 2 * kReach}) {
    std::vector<std::byte> block(3 * distance);
    for (std::size_t i = 0; i < block.size(); ++i)
      block[i] = static_cast<std::byte>(written::mix(static_cast<std::uint32_t>(i % distance), 3));
    for (const unsigned bits : {4U, 6U, 12U, 16U}) CHECK(compressed(Lz4RawCompressor(bits), block) != 0);
    // The largest table finds it if it is in reach.
    const std::size_t found = compressed(Lz4RawCompressor(16), block);
    CHECK_EQ(found < block.size() * 2 / 3, distance <= kReach);
  }
}
