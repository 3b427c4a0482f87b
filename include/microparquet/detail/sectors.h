// Sectors, blocks and bytes. Bytes are plain integers. The others are types of their own, which are never
// taken for bytes nor for each other: all conversions stand here and have names.
#pragma once

#include <cstdint>

namespace microparquet::detail {

inline constexpr unsigned kSectorBytes = 512;

// Bytes from `bytes` to the next whole sector.
constexpr std::uint32_t bytes_to_sector(std::uint32_t bytes) { return (0 - bytes) & (kSectorBytes - 1); }

// A number of sectors, which reaches to 2 TiB.
class Sectors {
 public:
  Sectors() = default;
  constexpr explicit Sectors(std::uint32_t count) : count_(count) {}
  // As many as these bytes are, without the last one if it is not whole.
  static constexpr Sectors whole_in(std::uint32_t bytes) { return Sectors(bytes / kSectorBytes); }
  // As many as these bytes take.
  static constexpr Sectors holding(std::uint32_t bytes) { return whole_in(bytes + kSectorBytes - 1); }

  constexpr std::uint32_t count() const { return count_; }
  // Requires: they are less than 4 GiB.
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

// A place in the file where a sector begins. Number 0, where every file has its PAR1, stands for none.
class SectorIndex {
 public:
  SectorIndex() = default;
  constexpr explicit SectorIndex(std::uint32_t number) : number_(number) {}
  // The sector that the byte at `offset` lies in.
  static constexpr SectorIndex of(std::uint64_t offset) {
    return SectorIndex(static_cast<std::uint32_t>(offset / kSectorBytes));
  }
  // The first one that has no byte before `offset`.
  static constexpr SectorIndex from(std::uint64_t offset) { return of(offset + kSectorBytes - 1); }

  constexpr std::uint32_t number() const { return number_; }
  // Of its first byte.
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

// How large a block is: what a power cut may take, a power of two of sectors (Options::block_bytes).
class BlockSize {
 public:
  constexpr explicit BlockSize(std::uint32_t bytes) : bytes_(bytes) {}

  constexpr std::uint32_t bytes() const { return bytes_; }
  constexpr Sectors sectors() const { return Sectors::whole_in(bytes_); }

  // Bytes after the last whole block.
  constexpr std::uint32_t inside(std::uint64_t bytes) const {
    return static_cast<std::uint32_t>(bytes) & (bytes_ - 1);
  }
  // Bytes from there to the next whole block.
  constexpr std::uint32_t bytes_to_block(std::uint64_t bytes) const { return inside(0 - bytes); }

  // Whole blocks.
  constexpr std::uint32_t round_up(std::uint32_t bytes) const { return (bytes + bytes_ - 1) & ~(bytes_ - 1); }
  constexpr Sectors holding(std::uint32_t bytes) const { return Sectors::whole_in(round_up(bytes)); }
  // Where the next block begins.
  constexpr SectorIndex round_up(SectorIndex at) const {
    const std::uint32_t most = sectors().count() - 1;
    return SectorIndex((at.number() + most) & ~most);
  }

 private:
  std::uint32_t bytes_;
};

}  // namespace microparquet::detail
