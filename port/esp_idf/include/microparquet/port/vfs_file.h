// File of ESP-IDF's virtual file system.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/port/named_file.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// Uses open, lseek, read, write, ftruncate, fsync and close: ESP-IDF has neither locks nor fdatasync, and its
// ftruncate makes no file longer. It serves Arduino sketches on an ESP32 as well, whose SD and FFat mount
// their volumes there: "/sd/log.parquet", "/ffat/log.parquet". The remarks of named_file.h on FAT and
// littlefs apply, except with CONFIG_FATFS_IMMEDIATE_FSYNC, which publishes the size at each write.
// CONFIG_VFS_SUPPORT_DIR, the default, provides ftruncate.
//
// "/sd/..." tears 512 bytes. "/ffat/..." and other volumes in flash, mounted by
// esp_vfs_fat_spiflash_mount_rw_wl(), have wear levelling with sectors of 4,096 bytes unless sdkconfig says
// otherwise, and erase a sector before they write any of it: a power cut destroys durable rows, and perhaps
// the volume. Set
//
//   CONFIG_WL_SECTOR_SIZE_512=y and CONFIG_WL_SECTOR_MODE_SAFE=y
//
// which write 512 bytes safely (Arduino's core is built without them), or use littlefs. Below 4,085 clusters,
// as in a partition of one megabyte, FAT is FAT12, whose table a power cut can still tear: use littlefs. With
// sectors of 4,096 bytes give block_bytes 4096 here and in Options: then the file's contents are safe, but
// not the volume's table and directory.
//
// FAT seeks back from the file's beginning, and reads the file allocation table for that; FatFsFile, over the
// same FatFs, does not.
class VfsFile final : public NamedFile {
 public:
  // `block_bytes`: block that the medium tears, see named_file.h.
  explicit VfsFile(std::uint16_t block_bytes = 512) : NamedFile({true, true, block_bytes}) {}

 private:
  Status open_handle(const char* path, bool writable, std::uint64_t& bytes) override;
  Status close_handle() override;
  Status read(std::uint64_t offset, Span<std::byte> out) override;
  Status write(std::uint64_t offset, Span<const std::byte> data) override;
  Status flush() override;
  Status truncate(std::uint64_t size) override;
  Status seek(std::uint64_t offset);
  Status find_end(std::uint64_t& bytes);

  int descriptor_ = -1;
};

}  // namespace microparquet
