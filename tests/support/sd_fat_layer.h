// The layer of SdFat 2.3.1 between a file system and a card, as its source has it: its cache of the table,
// and its two ways of using SPI. Any file system that calls a BlockLayer can stand on it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "support/block_layer.h"
#include "support/ram_disk.h"

namespace filesystems {

struct SdFatTraits {
  // A sector of the table is written when another one is wanted, or at a sync, after all else: USE_SEPARATE_FAT_CACHE,
  // which is 1 on Arm. Else the table is written when the file system says so.
  bool holds_table = true;
  // DEDICATED_SPI: a write and a sync return while the card puts the last sector down, which it loses with its power. Each
  // further access waits for it. SHARED_SPI waits at once.
  bool dedicated_spi = false;
};

// Stands in front of the disk as long as it exists. The disk holds a FAT volume without a table of partitions; on exFAT
// SdFat holds nothing back. FSINFO, the count of free clusters, is not kept by SdFat, and stays unknown.
class SdFatLayer final : public BlockLayer {
 public:
  SdFatLayer(RamDisk& disk, SdFatTraits traits);
  ~SdFatLayer();
  SdFatLayer(const SdFatLayer&) = delete;
  SdFatLayer& operator=(const SdFatLayer&) = delete;

  bool read(std::uint32_t first, std::byte* out, std::uint32_t count) override;
  bool write(std::uint32_t first, const std::byte* data, std::uint32_t count) override;
  bool sync() override;
  void settle() override { static_cast<void>(wait()); }
  void lose() override;

  // Asking does not hurry the card.
  bool is_busy() const override { return programming_.has_value(); }
  bool has_in_memory(std::uint32_t sector) const override { return sector == in_memory_; }
  // Number of syncs that have returned while it was busy.
  unsigned syncs_while_busy() const { return syncs_while_busy_; }

 private:
  struct Held {
    std::uint32_t sector;
    Sector data;
  };

  // The number of a sector in its copy of the table, where it is in one.
  std::optional<std::uint32_t> in_table(std::uint32_t sector) const;
  void remember(std::uint32_t first, std::uint32_t count);
  bool put_table();
  bool put(std::uint32_t sector, const std::byte* data);
  bool wait();

  RamDisk& disk_;
  SdFatTraits traits_;
  std::uint32_t table_begin_ = 0;
  std::uint32_t table_sectors_ = 0;  // of a copy
  std::uint32_t data_begin_ = 0;     // directories and files
  std::uint32_t copies_ = 0;
  std::uint32_t summary_ = 0;    // FSINFO; 0: none
  std::uint32_t in_memory_ = 0;  // of a directory or file; 0: none
  std::optional<Held> table_;    // by its number in a copy
  std::optional<Held> programming_;
  unsigned syncs_while_busy_ = 0;
};

}  // namespace filesystems
