// LZ4's block format, see lz4_raw_decompressor.cpp. A block must not end in a copy: its last five bytes are
// literals, and no copy begins in its last twelve.
#include "microparquet/codecs.h"

#include "base/bytes.h"
#include "base/endian.h"

namespace microparquet {
namespace {

constexpr std::uint32_t kLeastCopy = 4;
constexpr std::uint32_t kLastLiterals = 5;
constexpr std::uint32_t kBytesAfterCopyBegins = 12;
constexpr std::uint32_t kInToken = 15;  // lengths from here on continue after the token
// After this many places without a match the search advances in steps of two bytes, after as many again in
// steps of three, and so on.
constexpr unsigned kTriesShift = 3;
constexpr std::uint32_t kFirstTry = 1U << kTriesShift;
// The steps restart at one byte at the beginning of each of this many parts of the block. In split floats the
// parts are the streams: the last ones, which repeat much, come after the noise of the first ones.
constexpr std::uint32_t kParts = 4;

// Last places of four bytes, by their hash: the low 16 bits, since a copy reaches no further back.
class Table {
 public:
  Table(Span<std::byte> memory, unsigned bits) : entries_(memory.data()), shift_(32 - bits) {
    util::clear_words(memory.data(), memory.size());
  }

  // Returns how far before `place`, which holds `bytes`, the same bytes may have stood last; 0: nowhere. The
  // result lies within the block, since an entry of zeros means its beginning. Stores `place` in the entry.
  std::uint32_t replace(std::uint32_t bytes, std::uint32_t place) {
    constexpr std::uint32_t kGolden = 0x9E3779B1;
    std::byte* const entry = entries_ + sizeof(std::uint16_t) * ((bytes * kGolden) >> shift_);
    const auto last = util::load_aligned<std::uint16_t>(entry);
    util::store_aligned(entry, static_cast<std::uint16_t>(place));
    return (place - last) & 0xFFFF;
  }

 private:
  std::byte* entries_;
  unsigned shift_;
};

// Puts the part of a length that the token has no space for.
std::byte* put_rest(std::byte* to, std::uint32_t length) {
  constexpr std::uint32_t kGoesOn = 255;
  if (length < kInToken) return to;
  for (length -= kInToken; length >= kGoesOn; length -= kGoesOn) *to++ = static_cast<std::byte>(kGoesOn);
  *to++ = static_cast<std::byte>(length);
  return to;
}

std::uint32_t token_part(std::uint32_t length) { return length < kInToken ? length : kInToken; }

// Puts a token, the literals from `from` on, and a copy from `distance` bytes back. `more`: its length beyond
// the minimum. A distance of 0: the block ends in the literals.
std::byte* put_sequence(std::byte* to, const std::byte* from, std::uint32_t literals, std::uint32_t more,
                        std::uint32_t distance) {
  *to++ = static_cast<std::byte>(token_part(literals) << 4 | token_part(more));
  to = put_rest(to, literals);
  util::copy_words(to, from, literals);
  to += literals;
  if (distance == 0) return to;
  util::store(to, static_cast<std::uint16_t>(distance));
  return put_rest(to + sizeof(std::uint16_t), more);
}

// Returns how many bytes from `at` on, up to `end`, equal those `distance` bytes before them.
std::uint32_t repeated(const std::byte* at, const std::byte* end, std::uint32_t distance) {
  const std::byte* const begin = at;
  while (end - at >= 4 && util::load<std::uint32_t>(at) == util::load<std::uint32_t>(at - distance)) at += 4;
  while (at != end && *at == *(at - distance)) ++at;
  return static_cast<std::uint32_t>(at - begin);
}

}  // namespace

std::uint32_t Lz4RawCompressor::compress_page(Span<const std::byte> in, Span<std::byte> out,
                                              Span<std::byte> scratch) const {
  const std::byte* const block = in.data();
  const auto bytes = static_cast<std::uint32_t>(in.size());
  std::byte* to = out.data();
  std::uint32_t literals = 0;  // begin of the literals not written yet
  Table table(scratch, table_bits_);
  // The first byte repeats nothing, and the table's zeros mean its place.
  std::uint32_t at = 1;
  std::uint32_t tries = kFirstTry;
  for (std::uint32_t part_end = 0;;) {
    if (at >= part_end) {
      if (at + kBytesAfterCopyBegins > bytes) break;
      part_end += bytes / kParts;
      if (part_end + kBytesAfterCopyBegins > bytes) part_end = bytes - kBytesAfterCopyBegins + 1;
      tries = kFirstTry;
    }
    const auto four = util::load<std::uint32_t>(block + at);
    const std::uint32_t distance = table.replace(four, at);
    if (util::load<std::uint32_t>(block + at - distance) != four || distance == 0) {
      at += tries++ >> kTriesShift;
      continue;
    }
    while (at != literals && at != distance && block[at - 1] == block[at - 1 - distance]) --at;
    const std::uint32_t more = repeated(block + at + kLeastCopy, block + bytes - kLastLiterals, distance);
    to = put_sequence(to, block + literals, at - literals, more, distance);
    at += kLeastCopy + more;
    literals = at;
    tries = kFirstTry;
  }
  to = put_sequence(to, block + literals, bytes - literals, 0, 0);
  return static_cast<std::uint32_t>(to - out.data());
}

}  // namespace microparquet
