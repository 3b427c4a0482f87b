#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "microparquet/desktop/string_encoders.h"

namespace microparquet::desktop {

// Appends the numbers to `out`, in blocks of 128 values and 4 miniblocks. They wrap as numbers of 32 bits.
void append_packed(std::vector<std::byte>& out, const std::vector<std::uint32_t>& numbers);

namespace {

using Bytes = std::vector<std::byte>;

constexpr std::size_t kMiniblockValues = 32;
constexpr std::size_t kMiniblocks = 4;
constexpr std::size_t kBlockValues = kMiniblocks * kMiniblockValues;

using Differences = std::array<std::uint32_t, kBlockValues>;

void append_varint(Bytes& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) {
    out.push_back(static_cast<std::byte>(value | 0x80));
  }
  out.push_back(static_cast<std::byte>(value));
}

void append_zigzag(Bytes& out, std::uint32_t value) {
  append_varint(out, value << 1 ^ (value >> 31 != 0 ? 0xFFFFFFFF : 0));
}

unsigned bits_of(std::uint32_t value) {
  unsigned bits = 0;
  for (; value != 0; value >>= 1) {
    ++bits;
  }
  return bits;
}

// The least significant bits first.
void append_bits(Bytes& out, const std::uint32_t* values, unsigned width) {
  std::uint64_t waiting = 0;
  unsigned bits = 0;
  for (std::size_t i = 0; i < kMiniblockValues; ++i) {
    waiting |= std::uint64_t{values[i]} << bits;
    for (bits += width; bits >= 8; bits -= 8, waiting >>= 8) {
      out.push_back(static_cast<std::byte>(waiting));
    }
  }
}

// `count` differences, from 1 on; those after them fill the last miniblock up, and become zeros.
void append_block(Bytes& out, Differences& block, std::size_t count) {
  const auto is_less = [](std::uint32_t a, std::uint32_t b) {
    return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b);
  };
  const std::uint32_t least = *std::min_element(block.begin(), block.begin() + count, is_less);
  for (std::size_t i = 0; i < kBlockValues; ++i) {
    block[i] = i < count ? block[i] - least : 0;
  }
  append_zigzag(out, least);
  std::array<unsigned, kMiniblocks> widths = {};
  for (std::size_t i = 0; i < kMiniblocks; ++i) {
    const std::uint32_t* const values = block.data() + i * kMiniblockValues;
    widths[i] = bits_of(*std::max_element(values, values + kMiniblockValues));
    out.push_back(static_cast<std::byte>(widths[i]));
  }
  for (std::size_t i = 0; i < kMiniblocks && i * kMiniblockValues < count; ++i) {
    append_bits(out, block.data() + i * kMiniblockValues, widths[i]);
  }
}

}  // namespace

void append_packed(Bytes& out, const std::vector<std::uint32_t>& numbers) {
  append_varint(out, kBlockValues);
  append_varint(out, kMiniblocks);
  append_varint(out, numbers.size());
  append_zigzag(out, numbers.empty() ? 0 : numbers.front());
  for (std::size_t first = 1; first < numbers.size(); first += kBlockValues) {
    Differences block = {};
    const std::size_t count = std::min(kBlockValues, numbers.size() - first);
    for (std::size_t i = 0; i < count; ++i) {
      block[i] = numbers[first + i] - numbers[first + i - 1];
    }
    append_block(out, block, count);
  }
}

}  // namespace microparquet::desktop

namespace microparquet::desktop::detail {

namespace {

using PageBytes = std::vector<std::byte>;

// Shows `visit` the values of a page in PLAIN.
template <typename Visit>
void visit_values(const EndingPage& page, Visit visit) {
  for (const std::byte* at = page.values; at != page.cursor;) {
    std::uint32_t bytes = 0;
    std::memcpy(&bytes, at, sizeof bytes);
    at += sizeof bytes;
    visit(std::string_view(reinterpret_cast<const char*>(at), bytes));
    at += bytes;
  }
}

void append_text(PageBytes& out, std::string_view text) {
  const auto* const bytes = reinterpret_cast<const std::byte*>(text.data());
  out.insert(out.end(), bytes, bytes + text.size());
}

// Takes the body if it is smaller than the page in PLAIN.
void take_body(EndingPage& page, const PageBytes& body) {
  if (body.size() >= static_cast<std::size_t>(page.cursor - page.values)) {
    page.set_encoding(EncodingId::kPlain);
    return;
  }
  std::memcpy(page.values, body.data(), body.size());
  page.cursor = page.values + body.size();
}

std::size_t shared_prefix(std::string_view a, std::string_view b) {
  const std::size_t most = std::min(a.size(), b.size());
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.begin() + most, b.begin()).first - a.begin());
}

}  // namespace

void finish_packed_lengths(EndingPage& page) {
  microparquet::detail::finish_plain(page);
  std::vector<std::uint32_t> lengths;
  PageBytes values;
  visit_values(page, [&](std::string_view value) {
    lengths.push_back(static_cast<std::uint32_t>(value.size()));
    append_text(values, value);
  });
  PageBytes body;
  append_packed(body, lengths);
  body.insert(body.end(), values.begin(), values.end());
  take_body(page, body);
}

void finish_shared_prefixes(EndingPage& page) {
  microparquet::detail::finish_plain(page);
  std::vector<std::uint32_t> prefixes;
  std::vector<std::uint32_t> lengths;
  PageBytes rests;
  std::string_view before;
  visit_values(page, [&](std::string_view value) {
    const std::size_t prefix = shared_prefix(before, value);
    prefixes.push_back(static_cast<std::uint32_t>(prefix));
    lengths.push_back(static_cast<std::uint32_t>(value.size() - prefix));
    append_text(rests, value.substr(prefix));
    before = value;
  });
  PageBytes body;
  append_packed(body, prefixes);
  append_packed(body, lengths);
  body.insert(body.end(), rests.begin(), rests.end());
  take_body(page, body);
}

}  // namespace microparquet::desktop::detail
