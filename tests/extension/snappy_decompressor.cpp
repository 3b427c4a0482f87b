#include "snappy_decompressor.h"

#include <cstdint>

namespace extension {
namespace {

// The rest of the input. Reading past its end yields zeros and marks the input as failed.
struct Input {
  mpq::Span<const std::byte> in;
  std::size_t at = 0;
  bool failed = false;

  std::size_t left() const { return in.size() - at; }

  std::uint64_t number(unsigned bytes) {
    std::uint64_t value = 0;
    failed = failed || left() < bytes;
    if (failed) return 0;
    for (unsigned i = 0; i < bytes; ++i)
      value |= std::uint64_t{std::to_integer<std::uint8_t>(in[at++])} << 8 * i;
    return value;
  }

  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
      const std::uint64_t byte = number(1);
      value |= (byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    failed = true;
    return 0;
  }
};

// A literal or a copy of `bytes` bytes; a copy stands `distance` bytes back.
struct Element {
  std::uint64_t bytes;
  std::uint64_t distance;  // 0: a literal
};

Element next_element(Input& input) {
  const std::uint64_t tag = input.number(1);
  const std::uint64_t high = tag >> 2;
  switch (tag & 3) {
    case 0: return {(high < 60 ? high : input.number(static_cast<unsigned>(high - 59))) + 1, 0};
    case 1: return {(high & 7) + 4, (tag >> 5 << 8) | input.number(1)};
    case 2: return {high + 1, input.number(2)};
    default: return {high + 1, input.number(4)};
  }
}

}  // namespace

mpq::Status SnappyDecompressor::decompress(mpq::Span<const std::byte> in, mpq::Span<std::byte> out,
                                           mpq::Span<std::byte> /*scratch*/) const {
  Input input{in};
  std::size_t done = 0;
  if (input.varint() != out.size()) return mpq::Status::kCorrupt;
  while (!input.failed && input.left() != 0) {
    const bool copies = (std::to_integer<unsigned>(in[input.at]) & 3) != 0;
    const Element element = next_element(input);
    if (input.failed || element.bytes > out.size() - done) return mpq::Status::kCorrupt;
    if (copies && (element.distance == 0 || element.distance > done)) return mpq::Status::kCorrupt;
    if (!copies && element.bytes > input.left()) return mpq::Status::kCorrupt;
    for (std::uint64_t i = 0; i < element.bytes; ++i, ++done)
      out[done] = copies ? out[done - static_cast<std::size_t>(element.distance)] : in[input.at++];
  }
  return !input.failed && done == out.size() ? mpq::Status::kOk : mpq::Status::kCorrupt;
}

}  // namespace extension
