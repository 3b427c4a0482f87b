// Building blocks of Lempel-Ziv decompressors: literals, and copies of earlier bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "microparquet/detail/desktop.h"
#include "microparquet/span.h"

namespace microparquet::codec {

// A page on its way from `in` to `out`. No input makes it read or write outside of these.
class Copies {
 public:
  Copies(Span<const std::byte> in, Span<std::byte> out)
      : in_(in.data()), in_end_(in_ + in.size()), out_(out.data()), end_(out_ + out.size()), begin_(out_) {}

  bool input_left() const { return in_ != in_end_; }
  bool full() const { return out_ == end_; }

  // Takes the next byte of the input.
  bool take(std::uint32_t& byte) {
    if (in_ == in_end_) return false;
    byte = std::to_integer<std::uint32_t>(*in_++);
    return true;
  }

  // Takes a little-endian number of up to four bytes.
  bool take_number(unsigned bytes, std::uint32_t& number) {
    if (static_cast<std::size_t>(in_end_ - in_) < bytes) return false;
    number = 0;
    for (unsigned i = 0; i < bytes; ++i) number |= std::to_integer<std::uint32_t>(*in_++) << 8 * i;
    return true;
  }

  // Copies `bytes` bytes of the input.
  bool literal(std::size_t bytes) {
    if (bytes > static_cast<std::size_t>(in_end_ - in_) || bytes > static_cast<std::size_t>(end_ - out_))
      return false;
    if constexpr (detail::kDesktop) {
      // Most literals are short: a copy of fixed length is faster if there is space for it.
      if (bytes <= kAtOnce && static_cast<std::size_t>(in_end_ - in_) >= kAtOnce &&
          static_cast<std::size_t>(end_ - out_) >= kAtOnce) {
        std::memcpy(out_, in_, kAtOnce);
        in_ += bytes;
        out_ += bytes;
        return true;
      }
    }
    if (bytes != 0) std::memcpy(out_, in_, bytes);
    in_ += bytes;
    out_ += bytes;
    return true;
  }

  // Copies bytes from `distance` bytes back; source and destination may overlap.
  bool copy(std::size_t distance, std::size_t bytes) {
    if (distance == 0 || distance > static_cast<std::size_t>(out_ - begin_)) return false;
    if (bytes > static_cast<std::size_t>(end_ - out_)) return false;
    const std::byte* from = out_ - distance;
    if constexpr (detail::kDesktop) {
      if (distance >= kAtOnce && static_cast<std::size_t>(end_ - out_) >= bytes + kAtOnce) {
        std::byte* const to = out_;
        for (std::size_t i = 0; i < bytes; i += kAtOnce) std::memcpy(to + i, from + i, kAtOnce);
        out_ += bytes;
        return true;
      }
    }
    // Each copied part doubles the bytes that can be copied next.
    for (std::size_t part = distance; bytes != 0; part = static_cast<std::size_t>(out_ - from)) {
      if (part > bytes) part = bytes;
      std::memcpy(out_, from, part);
      out_ += part;
      bytes -= part;
    }
    return true;
  }

 private:
  static constexpr std::size_t kAtOnce = 16;

  const std::byte* in_;
  const std::byte* in_end_;
  std::byte* out_;
  std::byte* end_;
  const std::byte* begin_;
};

}  // namespace microparquet::codec
