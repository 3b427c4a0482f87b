// Sectors, blocks and bytes. Bytes are plain integers. The others have types of their own, which cannot be
// mixed up with bytes or with each other: all conversions are here and have names.
#pragma once

#include <cstdint>

namespace microparquet::detail {

inline constexpr unsigned kSectorBytes = 512;

// Returns the bytes from `bytes` to the next whole sector.
constexpr std::uint32_t bytes_to_sector(std::uint32_t bytes) { return (0 - bytes) & (kSectorBytes - 1); }

// Number of sectors, up to 2 TiB.
class Sectors {
 public:
  Sectors() = default;
  constexpr explicit Sectors(std::uint32_t count) : count_(count) {}
  // Returns the whole sectors in these bytes.
  static constexpr Sectors whole_in(std::uint32_t bytes) { return Sectors(bytes / kSectorBytes); }
  // Returns the sectors that hold these bytes.
  static constexpr Sectors holding(std::uint32_t bytes) { return whole_in(bytes + kSectorBytes - 1); }

  constexpr std::uint32_t count() const { return count_; }
  // Returns their bytes. Requires: less than 4 GiB.
  constexpr std::uint32_t bytes() const { return count_ * kSectorBytes; }

  friend constexpr Sectors operator+(Sectors a, Sectors b) { return Sectors(a.count_ + b.count_); }
  friend constexpr Sectors operator-(Sectors a, Sectors b) { return Sectors(a.count_ - b.count_); }
  friend constexpr Sectors operator*(std::uint32_t times, Sectors a) { return Sectors(times * a.count_); }
  friend constexpr Sectors operator/(Sectors a, std::uint32_t parts) { return Sectors(a.count_ / parts); }
  friend constexpr std::uint32_t operator/(Sectors a, Sectors b) { return a.count_ / b.count_; }
  constexpr Sectors& operator+=(Sectors other) { return *this = *this + other; }
  constexpr Sectors& operator-=(Sectors other) { return *this = *this - other; }
  friend constexpr bool operator==(Sectors a, Sectors b) { return a.count_ == b.count_; }
  friend constexpr bool operator<(Sectors a, Sectors b) { return a.count_ < b.count_; }
  friend constexpr bool operator>(Sectors a, Sectors b) { return a.count_ > b.count_; }
  friend constexpr bool operator<=(Sectors a, Sectors b) { return a.count_ <= b.count_; }
  friend constexpr bool operator>=(Sectors a, Sectors b) { return a.count_ >= b.count_; }

 private:
  std::uint32_t count_;
};

// Place of a sector in the file. Number 0, where every file has its PAR1, stands for no place.
class SectorIndex {
 public:
  SectorIndex() = default;
  constexpr explicit SectorIndex(std::uint32_t number) : number_(number) {}
  // Returns the sector with the byte at `offset`.
  static constexpr SectorIndex of(std::uint64_t offset) {
    return SectorIndex(static_cast<std::uint32_t>(offset / kSectorBytes));
  }
  // Returns the first sector that begins at or after `offset`.
  static constexpr SectorIndex from(std::uint64_t offset) { return of(offset + kSectorBytes - 1); }

  constexpr std::uint32_t number() const { return number_; }
  // Returns the offset of its first byte.
  constexpr std::uint64_t offset() const { return std::uint64_t{number_} * kSectorBytes; }

  friend constexpr SectorIndex operator+(SectorIndex a, Sectors b) {
    return SectorIndex(a.number_ + b.count());
  }
  friend constexpr Sectors operator-(SectorIndex a, SectorIndex b) { return Sectors(a.number_ - b.number_); }
  friend constexpr SectorIndex operator-(SectorIndex a, Sectors b) {
    return SectorIndex(a.number_ - b.count());
  }
  constexpr SectorIndex& operator+=(Sectors other) { return *this = *this + other; }
  friend constexpr bool operator==(SectorIndex a, SectorIndex b) { return a.number_ == b.number_; }
  friend constexpr bool operator!=(SectorIndex a, SectorIndex b) { return a.number_ != b.number_; }
  friend constexpr bool operator<(SectorIndex a, SectorIndex b) { return a.number_ < b.number_; }
  friend constexpr bool operator>(SectorIndex a, SectorIndex b) { return a.number_ > b.number_; }
  friend constexpr bool operator<=(SectorIndex a, SectorIndex b) { return a.number_ <= b.number_; }
  friend constexpr bool operator>=(SectorIndex a, SectorIndex b) { return a.number_ >= b.number_; }

 private:
  std::uint32_t number_;
};
inline constexpr SectorIndex kNowhere{0};

// Size of a block, which a power cut may destroy: a power of two of sectors (Options::block_bytes).
class BlockSize {
 public:
  constexpr explicit BlockSize(std::uint32_t bytes) : bytes_(bytes) {}

  constexpr std::uint32_t bytes() const { return bytes_; }
  constexpr Sectors sectors() const { return Sectors::whole_in(bytes_); }

  // Returns the bytes after the last whole block.
  constexpr std::uint32_t inside(std::uint64_t bytes) const {
    return static_cast<std::uint32_t>(bytes) & (bytes_ - 1);
  }
  // Returns the bytes from there to the next whole block.
  constexpr std::uint32_t bytes_to_block(std::uint64_t bytes) const { return inside(0 - bytes); }

  // Round up to whole blocks.
  constexpr std::uint32_t round_up(std::uint32_t bytes) const { return (bytes + bytes_ - 1) & ~(bytes_ - 1); }
  constexpr Sectors holding(std::uint32_t bytes) const { return Sectors::whole_in(round_up(bytes)); }
  // Returns the begin of the next block, or `at` if a block begins there.
  constexpr SectorIndex round_up(SectorIndex at) const {
    const std::uint32_t most = sectors().count() - 1;
    return SectorIndex((at.number() + most) & ~most);
  }

 private:
  std::uint32_t bytes_;
};

}  // namespace microparquet::detail
