// A card that puts writes down in any order, and loses any of them when its power fails.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

#include "support/ram_disk.h"

namespace filesystems {

// What a card was given, in the order of its syncs.
class RecordedWrites {
 public:
  explicit RecordedWrites(RamDisk& disk) : disk_(disk), epochs_(1) {
    disk.set_watch([this](RamDisk::Access access, std::uint32_t sector, const std::byte* data) {
      ++accesses_;
      if (access == RamDisk::Access::kSync) epochs_.emplace_back();
      if (access != RamDisk::Access::kWrite) return true;
      epochs_.back().push_back({sector, {}});
      std::memcpy(epochs_.back().back().data.data(), data, kSectorBytes);
      return true;
    });
  }
  ~RecordedWrites() { disk_.set_watch({}); }
  RecordedWrites(const RecordedWrites&) = delete;
  RecordedWrites& operator=(const RecordedWrites&) = delete;

  void stop() { disk_.set_watch({}); }
  unsigned accesses() const { return accesses_; }

  // Calls `judge` with the card as each cut might leave it: of the writes since the last sync each one is lost, each
  // alone is kept, and the first ones are.
  unsigned each_cut(const std::function<void()>& judge) {
    unsigned cuts = 0;
    for (std::size_t epoch = 0; epoch < epochs_.size(); ++epoch) {
      const std::size_t writes = epochs_[epoch].size();
      for (std::size_t chosen = 0; chosen < writes; ++chosen) {
        const std::function<bool(std::size_t)> ways[] = {[=](std::size_t i) { return i != chosen; },
                                                         [=](std::size_t i) { return i == chosen; },
                                                         [=](std::size_t i) { return i < chosen; }};
        for (const auto& is_kept : ways) {
          disk_.begin_transaction();
          for (std::size_t i = 0; i < epoch; ++i) play(epochs_[i], [](std::size_t) { return true; });
          play(epochs_[epoch], is_kept);
          judge();
          disk_.roll_back();
          ++cuts;
        }
      }
    }
    return cuts;
  }

 private:
  struct Write {
    std::uint32_t sector;
    Sector data;
  };

  void play(const std::vector<Write>& writes, const std::function<bool(std::size_t)>& is_kept) {
    for (std::size_t i = 0; i < writes.size(); ++i)
      if (is_kept(i)) disk_.write(writes[i].sector, writes[i].data.data(), 1);
  }

  RamDisk& disk_;
  std::vector<std::vector<Write>> epochs_;
  unsigned accesses_ = 0;
};

}  // namespace filesystems
