// A card in memory, for FatFs's disk functions: it can lose its power between or within two sector writes,
// fail, be full of another file system or be pulled out, and remembers what was written.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ff.h"
#include "support/block_layer.h"

namespace filesystems {

inline constexpr std::size_t kSectorBytes = FF_MIN_SS;
using Sector = std::array<std::byte, kSectorBytes>;

class RamDisk final : public BlockLayer {
 public:
  // Zeros; memory is taken where something is written.
  explicit RamDisk(std::uint32_t sectors);
  ~RamDisk();
  RamDisk(const RamDisk&) = delete;
  RamDisk& operator=(const RamDisk&) = delete;

  // FatFs's drive 0 from now on; null: the drive is empty.
  static void insert(RamDisk* disk);
  static RamDisk* inserted();

  // Sets the layer that FatFs's disk functions call; null: the disk itself.
  void set_front(BlockLayer* front) { front_ = front; }
  BlockLayer& front() { return front_ == nullptr ? *this : *front_; }

  std::uint32_t sectors() const { return sectors_; }
  std::byte* sector(std::uint32_t index) { return bytes_ + index * kSectorBytes; }
  void copy_from(const RamDisk& other);
  bool save(const std::string& path) const;

  // The power fails at the sector write after `writes` more, of which the first `torn` bytes arrive. From
  // then on nothing is written, and all calls fail, until power_on().
  // `whole_below`: no sector before it is torn, so that nothing of it arrives.
  void cut_after(std::uint64_t writes, std::size_t torn, std::uint32_t whole_below = 0);
  void power_on();
  bool is_cut() const { return countdown_ == kCut; }

  // All writes from now on are undone by roll_back().
  void begin_transaction();
  void roll_back();

  // Asked before each read and write of a sector, with the data of a write, and before each sync, whether it
  // succeeds. An empty function: it does.
  enum class Access : std::uint8_t { kRead, kWrite, kSync };
  using Watch = std::function<bool(Access access, std::uint32_t sector, const std::byte* data)>;
  void set_watch(Watch watch) { watch_ = std::move(watch); }

  void set_protected(bool is_protected) { protected_ = is_protected; }
  bool is_protected() const { return protected_; }

  bool read(std::uint32_t first, std::byte* out, std::uint32_t count) override;
  bool write(std::uint32_t first, const std::byte* data, std::uint32_t count) override;
  bool sync() override;
  unsigned syncs() const { return syncs_; }
  // Calls that wrote, of one sector or several.
  unsigned writes() const { return writes_; }
  // Buffers that the disk functions were given at no multiple of four, where many a controller wants them.
  unsigned unaligned() const { return unaligned_; }
  void see(const void* buffer);

 private:
  bool store(std::uint32_t index, const std::byte* data);

  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  static constexpr std::uint64_t kCut = kNever - 1;

  std::uint32_t sectors_;
  std::byte* bytes_;
  std::uint64_t countdown_ = kNever;
  std::size_t torn_ = 0;
  std::uint32_t whole_below_ = 0;
  bool in_transaction_ = false;
  std::unordered_map<std::uint32_t, Sector> before_;
  Watch watch_;
  bool protected_ = false;
  unsigned syncs_ = 0;
  unsigned writes_ = 0;
  unsigned unaligned_ = 0;
  BlockLayer* front_ = nullptr;
};

}  // namespace filesystems
