// One file of a simulated card, and what a loss of power leaves of it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "microparquet/span.h"

namespace lives {

namespace mpq = microparquet;

inline constexpr std::size_t kSector = 512;

using Bytes = std::vector<std::byte>;

// The fate of writes that were not on the medium yet.
struct Loss {
  std::uint64_t seed = 0;
  std::uint32_t block_bytes = kSector;  // what the medium erases at once
  bool destroys = false;                // the block around a write in flight, or else tears it
  std::uint32_t whole_below = 0;        // no sector before this one is torn or destroyed
  // Offset from which on a torn sector answers with an error.
  std::uint64_t unreadable_from = ~std::uint64_t{0};
};

class Medium {
 public:
  // `remains` are the bytes that lay there before the file.
  explicit Medium(Bytes remains = {}) : bytes_(std::move(remains)) {}

  void read(std::uint64_t offset, mpq::Span<std::byte> out) const;
  void write(std::uint64_t offset, mpq::Span<const std::byte> data);
  // A byte has wrong bits, until it is written or healed.
  void damage(std::uint64_t offset, std::byte wrong);
  void heal() {
    if (wrong_ != std::byte{0}) *at(damaged_) ^= wrong_;
    wrong_ = std::byte{0};
  }
  bool is_damaged() const { return wrong_ != std::byte{0}; }
  // Whether these bytes can be read: a sector that was torn may answer with an error until it is written.
  bool can_read(std::uint64_t offset, std::size_t bytes) const {
    return offset >= unreadable_ + kSector || offset + bytes <= unreadable_;
  }
  // All that was written is on the medium for good.
  void settle() { versions_.clear(); }
  // The file is `size` bytes long, and what follows does not belong to it.
  void publish(std::uint64_t size) {
    reach(size);
    size_ = end_ = size;
  }

  std::uint64_t size() const { return size_; }
  // The size with what is written and not published.
  std::uint64_t end() const { return end_; }
  // The file as it is published.
  mpq::Span<const std::byte> file() const { return {bytes_.data(), static_cast<std::size_t>(size_)}; }
  // All that lies there.
  const Bytes& all() const { return bytes_; }

  // The power was gone: of each sector that was written since settle(), any of the states it had may be
  // left; and one of them is torn or destroyed.
  void lose(const Loss& loss);

 private:
  using Sector = std::array<std::byte, kSector>;
  // A sector before a write to it.
  struct Version {
    std::uint32_t sector;
    Sector before;
  };

  std::byte* at(std::uint64_t offset) { return bytes_.data() + static_cast<std::size_t>(offset); }
  void reach(std::uint64_t end);
  void hurt(const Loss& loss, std::uint32_t sector, const Sector& before, std::uint64_t bits);

  Bytes bytes_;
  std::uint64_t size_ = 0;
  std::uint64_t end_ = 0;
  std::uint64_t damaged_ = 0;  // the byte that has
  std::byte wrong_{0};         // these bits wrong
  static constexpr std::uint64_t kNone = std::uint64_t{1} << 60;
  std::uint64_t unreadable_ = kNone;  // where a sector begins that cannot be read
  std::vector<Version> versions_;     // since the last settle(), in order
};

}  // namespace lives
