// A card that takes what it is given into a cache, and loses that with its power; and fails on request.
#pragma once

#include <cstring>
#include <unordered_map>
#include <utility>

#include "support/ram_disk.h"

namespace filesystems {

// Watches a disk as long as it exists.
class WriteCache {
 public:
  explicit WriteCache(RamDisk& disk) : disk_(disk) { watch(); }
  ~WriteCache() { disk_.set_watch({}); }
  WriteCache(const WriteCache&) = delete;
  WriteCache& operator=(const WriteCache&) = delete;

  // The next access fails; false: none does any more.
  void fail_next(bool fails) { fails_ = fails; }

  // Whether one has failed since this was last asked.
  bool has_failed() { return std::exchange(has_failed_, false); }

  // Loses the writes since the last sync. The caller must mount the volume again.
  void lose() {
    for (const auto& [sector, data] : before_) std::memcpy(disk_.sector(sector), data.data(), kSectorBytes);
    before_.clear();
    watch();  // where mounting has taken it off
  }

 private:
  void watch() {
    disk_.set_watch([this](RamDisk::Access access, std::uint32_t sector, const std::byte*) {
      if (std::exchange(fails_, false)) {
        has_failed_ = true;
        return false;
      }
      if (access == RamDisk::Access::kWrite) {
        const auto [place, is_new] = before_.try_emplace(sector);
        if (is_new) std::memcpy(place->second.data(), disk_.sector(sector), kSectorBytes);
      }
      if (access == RamDisk::Access::kSync) before_.clear();
      return true;
    });
  }

  RamDisk& disk_;
  std::unordered_map<std::uint32_t, Sector> before_;
  bool fails_ = false;
  bool has_failed_ = false;
};

}  // namespace filesystems
