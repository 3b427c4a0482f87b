// The contents of a card with one FAT32 volume: where its parts lie, and what each sector of them holds.
#pragma once

#include <stdint.h>
#include <string.h>

struct Fat32Layout {
  static constexpr uint32_t kAlignment = 8192;     // sectors: 4 MiB, in which cards erase
  static constexpr uint32_t kClusterSectors = 64;  // 32 KiB
  static constexpr uint32_t kMinReserved = 32;     // sectors before the tables
  static constexpr uint32_t kMinClusters = 65525;  // fewer are FAT16
  static constexpr uint32_t kEntriesPerSector = 128;

  uint32_t first;        // sector at which the volume begins
  uint32_t sectors;      // length of the volume
  uint32_t first_table;  // sector of the first of two tables
  uint32_t table_sectors;
  uint32_t data;  // sector of the first cluster, which is the root directory
  uint32_t clusters;

  // Returns the sector after the last one that a new volume has to write.
  uint32_t end_of_root() const { return data + kClusterSectors; }
};

// Places a volume on a card. Returns false if the card is too small, below about 2.2 GB.
inline bool place_volume(uint32_t card_sectors, Fat32Layout& layout) {
  layout.first = Fat32Layout::kAlignment;
  layout.data = layout.first;
  do {
    layout.data += Fat32Layout::kAlignment;
    if (layout.data >= card_sectors) return false;
    layout.clusters = (card_sectors - layout.data) / Fat32Layout::kClusterSectors;
    layout.table_sectors = (layout.clusters + 1) / Fat32Layout::kEntriesPerSector + 1;
  } while (layout.first + Fat32Layout::kMinReserved + 2 * layout.table_sectors > layout.data);
  layout.first_table = layout.data - 2 * layout.table_sectors;
  layout.sectors = layout.data - layout.first + layout.clusters * Fat32Layout::kClusterSectors;
  return layout.clusters >= Fat32Layout::kMinClusters;
}

inline void put_number(uint8_t* at, uint32_t number, int bytes = 4) {
  for (int i = 0; i < bytes; ++i) at[i] = static_cast<uint8_t>(number >> (8 * i));
}

inline void fill_boot_sector(const Fat32Layout& layout, uint32_t id, uint8_t* bytes) {
  memcpy(bytes, "\xEB\x58\x90MSDOS5.0", 11);
  put_number(bytes + 11, 512, 2);
  bytes[13] = Fat32Layout::kClusterSectors;
  put_number(bytes + 14, layout.first_table - layout.first, 2);
  bytes[16] = 2;     // tables
  bytes[21] = 0xF8;  // fixed medium
  put_number(bytes + 24, 63, 2);
  put_number(bytes + 26, 255, 2);
  put_number(bytes + 28, layout.first);
  put_number(bytes + 32, layout.sectors);
  put_number(bytes + 36, layout.table_sectors);
  put_number(bytes + 44, 2);     // cluster of the root directory
  put_number(bytes + 48, 1, 2);  // sector of the count of free clusters
  put_number(bytes + 50, 6, 2);  // sector of the copy of this one
  bytes[64] = 0x80;
  bytes[66] = 0x29;
  put_number(bytes + 67, id);
  memcpy(bytes + 71, "NO NAME    FAT32   ", 19);
  put_number(bytes + 510, 0xAA55, 2);
}

inline void fill_count(const Fat32Layout& layout, uint8_t* bytes) {
  memcpy(bytes, "RRaA", 4);
  memcpy(bytes + 484, "rrAa", 4);
  put_number(bytes + 488, layout.clusters - 1);  // free ones
  put_number(bytes + 492, 2);                    // the last one that was taken
  put_number(bytes + 510, 0xAA55, 2);
}

inline void fill_partition_table(const Fat32Layout& layout, uint8_t* bytes) {
  constexpr uint32_t kFat32 = 0x0C;
  put_number(bytes + 446, 0xFFFFFE00);
  put_number(bytes + 450, 0xFFFFFE00 | kFat32);
  put_number(bytes + 454, layout.first);
  put_number(bytes + 458, layout.sectors);
  put_number(bytes + 510, 0xAA55, 2);
}

// Fills the 512 bytes of a sector of the card. `id`: any number, the volume's.
inline void fill_sector(const Fat32Layout& layout, uint32_t sector, uint32_t id, uint8_t* bytes) {
  memset(bytes, 0, 512);
  const uint32_t in_volume = sector - layout.first;
  if (sector == 0) {
    fill_partition_table(layout, bytes);
  } else if (in_volume == 0 || in_volume == 6) {
    fill_boot_sector(layout, id, bytes);
  } else if (in_volume == 1 || in_volume == 7) {
    fill_count(layout, bytes);
  } else if (in_volume == 2 || in_volume == 8) {
    put_number(bytes + 510, 0xAA55, 2);
  } else if (sector == layout.first_table || sector == layout.first_table + layout.table_sectors) {
    put_number(bytes, 0x0FFFFFF8);
    put_number(bytes + 4, 0x0FFFFFFF);
    put_number(bytes + 8, 0x0FFFFFFF);  // the root directory has one cluster
  }
}
