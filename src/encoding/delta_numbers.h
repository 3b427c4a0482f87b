// DELTA_BINARY_PACKED (Encodings.md) for decoders:
//
//   header     varints: values of a block, miniblocks of a block, values of all; zigzag varint: first value
//   blocks     zigzag varint: least difference; a byte each: bit widths of the miniblocks; miniblocks
//   miniblock  differences less the least one, packed, least significant bits first
//
// Numbers wrap, which allows computing those of 32 bits in 64. Their differences may have as many bits:
// DuckDB packs unsigned numbers of 32 bits in 33. The bytes come from a `Source` with the functions of
// PageInput: a page, or memory that holds other bytes after the numbers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/endian.h"
#include "base/try.h"
#include "encoding/desktop/unpack.h"
#include "encoding/packed_values.h"
#include "microparquet/detail/desktop.h"
#include "microparquet/detail/math.h"
#include "microparquet/status.h"

namespace microparquet::encoding {

// A source whose bytes are all in memory.
class LoadedBytes {
 public:
  LoadedBytes(const std::byte* at, std::uint32_t bytes) : at_(at), bytes_(bytes) {}

  const std::byte* data() const { return at_; }
  std::uint32_t available() const { return bytes_; }
  std::uint32_t left() const { return bytes_; }
  Status load(std::uint32_t bytes) const { return bytes <= bytes_ ? Status::kOk : Status::kCorrupt; }
  void take(std::uint32_t bytes) {
    at_ += bytes;
    bytes_ -= bytes;
  }

 private:
  const std::byte* at_;
  std::uint32_t bytes_;
};

// Reader for varints at the beginning of loaded bytes.
class Varints {
 public:
  static constexpr std::uint32_t kLongest = 10;

  Varints(const std::byte* at, std::uint32_t bytes) : begin_(at), at_(at), end_(at + bytes) {}

  std::uint64_t next() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 7 * kLongest; shift += 7) {
      if (at_ == end_) break;
      const auto byte = std::to_integer<std::uint64_t>(*at_++);
      value |= (byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    sound_ = false;
    return 0;
  }
  std::uint64_t next_zigzag() { return detail::unzigzag(next()); }
  bool sound() const { return sound_; }
  const std::byte* at() const { return at_; }
  std::uint32_t bytes() const { return static_cast<std::uint32_t>(at_ - begin_); }

 private:
  const std::byte* begin_;
  const std::byte* at_;
  const std::byte* end_;
  bool sound_ = true;
};

// Returns `width` bits from the first `bit` bits after `at` on. Requires: 0 < width.
inline std::uint64_t bits_at(const std::byte* at, unsigned bit, unsigned width) {
  const unsigned bytes = (bit + width + 7) / 8;
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < bytes && i < 8; ++i) bits |= std::to_integer<std::uint64_t>(at[i]) << 8 * i;
  bits >>= bit;
  if (bytes > 8) bits |= std::to_integer<std::uint64_t>(at[8]) << (64 - bit);
  return bits & ~std::uint64_t{0} >> (64 - width);
}

// Position in one sequence of numbers. It lies in a decoder's state.
class DeltaNumbers {
 public:
  // Largest number of miniblocks in a block.
  static constexpr std::uint32_t kMostMiniblocks = 32;

  // Returns the number of values that have not been read.
  std::uint32_t left() const { return left_; }
  // Returns the last number read.
  const std::uint64_t& value() const { return value_; }

  // Reads the header of a sequence.
  // - kUnsupported: a block has more than kMostMiniblocks
  template <typename Source>
  Status begin(Source& source) {
    constexpr std::uint32_t kLongestHeader = 4 * Varints::kLongest;
    *this = {};
    MICROPARQUET_TRY(load_most(source, kLongestHeader));
    Varints head(source.data(), source.available());
    const std::uint64_t block = head.next();
    const std::uint64_t miniblocks = head.next();
    const std::uint64_t count = head.next();
    const std::uint64_t first = head.next_zigzag();
    if (!head.sound() || count > 0xFFFFFFFF) return Status::kCorrupt;
    if (miniblocks == 0 || miniblocks > block || block > 0xFFFFFFFF) return Status::kCorrupt;
    if (miniblocks > kMostMiniblocks) return Status::kUnsupported;
    const auto block_values = static_cast<std::uint32_t>(block);
    const auto parts = static_cast<std::uint32_t>(miniblocks);
    if (block_values % (parts * kMiniblockUnit) != 0) return Status::kCorrupt;
    source.take(head.bytes());
    value_ = first;
    miniblocks_ = miniblock_ = static_cast<std::uint8_t>(miniblocks);
    per_miniblock_ = block_values / parts;
    left_ = static_cast<std::uint32_t>(count);
    first_ = count != 0;
    return Status::kOk;
  }

  // Stores up to `count` numbers, at least one: those of the current miniblock whose bytes are loaded.
  // - kCorrupt: there is none
  template <typename T, typename Source>
  Status read(Source& source, T* out, std::uint32_t count, std::uint32_t& stored) {
    if (count > left_) count = left_;
    if (count == 0) return Status::kCorrupt;
    stored = 1;
    if (first_) {
      first_ = false;
      --left_;
      *out = static_cast<T>(value_);
      return Status::kOk;
    }
    MICROPARQUET_TRY(find_miniblock(source));
    if (count > in_miniblock_) count = in_miniblock_;
    MICROPARQUET_TRY(source.load(packed_bytes(1)));
    if (packed_bytes(count) > source.available()) count = packed_values(source.available(), bit_, width_);
    unpack(source, out, count);
    count_taken(source, count);
    stored = count;
    return Status::kOk;
  }

  // Returns how many of the next numbers are certain to equal the last one and take no bytes. Callers handle
  // them in one step, since a few bytes may claim billions of them.
  std::uint32_t equal_run() const {
    if (width_ != 0 || least_ != 0) return 0;
    return in_miniblock_ < left_ ? in_miniblock_ : left_;
  }
  // Passes `count` of them.
  void pass_equal(std::uint32_t count) {
    left_ -= count;
    in_miniblock_ -= count;
  }

  // Passes all numbers left, and the padding of the last miniblock, by the widths alone.
  // - kCorrupt: they are cut off
  template <typename Source>
  Status pass_all(Source& source) {
    if (first_) --left_;
    first_ = false;
    while (left_ != 0) {
      MICROPARQUET_TRY(find_miniblock(source));
      const std::uint64_t bytes = (std::uint64_t{in_miniblock_} * width_ + bit_ + 7) / 8;
      if (bytes > source.left()) return Status::kCorrupt;
      source.take(static_cast<std::uint32_t>(bytes));
      left_ -= in_miniblock_ < left_ ? in_miniblock_ : left_;
      in_miniblock_ = 0;
    }
    return Status::kOk;
  }

 private:
  static constexpr std::uint32_t kMiniblockUnit = 32;  // miniblocks hold a multiple of this many values
  static constexpr std::uint8_t kMostBits = 64;        // largest width of a difference

  // Loads `bytes` bytes, or all that are left if these are fewer.
  template <typename Source>
  static Status load_most(Source& source, std::uint32_t bytes) {
    return source.load(source.left() < bytes ? static_cast<std::uint32_t>(source.left()) : bytes);
  }

  // Begins a block. It takes nothing before all of the head is loaded, so that the call can be repeated after
  // a failure of the file.
  template <typename Source>
  Status begin_block(Source& source) {
    MICROPARQUET_TRY(load_most(source, Varints::kLongest + miniblocks_));
    Varints head(source.data(), source.available());
    const std::uint64_t least = head.next_zigzag();
    if (!head.sound() || source.available() - head.bytes() < miniblocks_) return Status::kCorrupt;
    least_ = least;
    for (unsigned i = 0; i < miniblocks_; ++i) widths_[i] = std::to_integer<std::uint8_t>(head.at()[i]);
    source.take(head.bytes() + miniblocks_);
    miniblock_ = 0;
    return Status::kOk;
  }

  // Makes sure that the next number has a miniblock.
  template <typename Source>
  Status find_miniblock(Source& source) {
    if (in_miniblock_ != 0) return Status::kOk;
    if (miniblock_ == miniblocks_) MICROPARQUET_TRY(begin_block(source));
    const std::uint8_t width = widths_[miniblock_];
    if (width > kMostBits) return Status::kCorrupt;
    ++miniblock_;
    in_miniblock_ = per_miniblock_;
    if constexpr (detail::kDesktop) {
      // Join consecutive miniblocks without bytes.
      for (; width == 0 && miniblock_ != miniblocks_ && widths_[miniblock_] == 0; ++miniblock_)
        in_miniblock_ += per_miniblock_;
    }
    width_ = width;
    bit_ = 0;
    return Status::kOk;
  }

  std::uint32_t packed_bytes(std::uint32_t numbers) const {
    return static_cast<std::uint32_t>((std::uint64_t{numbers} * width_ + bit_ + 7) / 8);
  }

  // Adds up kUnpacked differences after `value`, in steps of four, which compilers unroll. noinline: inlined,
  // one compiler warns of numbers that are not read.
  template <typename T>
  [[gnu::noinline]] static std::uint64_t add_up(T* out, const std::uint32_t* differences, std::uint64_t value,
                                                std::uint64_t least) {
    constexpr std::uint32_t kFew = 4;
    for (std::uint32_t i = 0; i < kUnpacked; i += kFew) {
      for (std::uint32_t j = i; j < i + kFew; ++j) out[j] = static_cast<T>(value += least + differences[j]);
    }
    return value;
  }

  // Unpacks differences and adds them up. Their bytes are loaded, and are taken.
  template <typename T, typename Source>
  void unpack(Source& source, T* out, std::uint32_t count) {
    constexpr unsigned kWordBytes = 8;
    constexpr unsigned kMostInWord = 57;
    std::uint64_t value = value_;
    std::uint32_t i = 0;
    unsigned bit = bit_;
    const unsigned width = width_;
    const std::uint64_t least = least_;
    const std::byte* at = source.data();
    const auto pass = [&] {
      bit += width;
      at += bit / 8;
      bit %= 8;
    };
    if constexpr (detail::kDesktop) {
      if (width - 1 < 32 && bit == 0) {
        const std::uint32_t bytes = kUnpacked / 8 * width;
        for (std::uint32_t there = source.available(); count - i >= kUnpacked && there >= bytes;
             there -= bytes) {
          std::uint32_t numbers[kUnpacked];
          encoding::unpack(at, width, numbers);
          value = add_up(out + i, numbers, value, least);
          i += kUnpacked;
          at += bytes;
        }
      }
    }
    if (width == 0) {
      for (; i < count; ++i) out[i] = static_cast<T>(value += least);
    } else if (width <= kMostInWord && source.available() >= kWordBytes) {
      const std::uint64_t mask = ~std::uint64_t{0} >> (64 - width);
      for (const std::byte* const last = source.data() + source.available() - kWordBytes;
           i < count && at <= last; ++i) {
        value += least + (util::load<std::uint64_t>(at) >> bit & mask);
        out[i] = static_cast<T>(value);
        pass();
      }
    }
    for (; i < count; ++i) {
      value += least + bits_at(at, bit, width);
      out[i] = static_cast<T>(value);
      pass();
    }
    value_ = value;
    bit_ = static_cast<std::uint8_t>(bit);
    source.take(static_cast<std::uint32_t>(at - source.data()));
  }

  // Takes the last, partly used byte of a miniblock.
  template <typename Source>
  void count_taken(Source& source, std::uint32_t count) {
    left_ -= count;
    in_miniblock_ -= count;
    if (in_miniblock_ != 0 || bit_ == 0) return;
    source.take(1);
    bit_ = 0;
  }

  std::uint64_t value_;  // the last one; before the first number, the first
  std::uint64_t least_;  // least difference of the block
  std::uint32_t left_;
  std::uint32_t in_miniblock_;  // numbers left in it
  std::uint32_t per_miniblock_;
  std::uint8_t miniblocks_;  // number in a block
  std::uint8_t miniblock_;   // number of the next miniblock
  std::uint8_t bit_;         // next bit in the next byte
  std::uint8_t width_;       // bits of the miniblock's differences
  bool first_;               // whether no number has been read
  std::uint8_t widths_[kMostMiniblocks];
};

}  // namespace microparquet::encoding
