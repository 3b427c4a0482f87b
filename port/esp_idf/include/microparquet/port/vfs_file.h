// A file of ESP-IDF's virtual file system.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/port/named_file.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// Uses open, lseek, read, write, ftruncate, fsync and close; ESP-IDF's have neither locks nor fdatasync, and
// make no file longer by ftruncate. Serves Arduino sketches on an ESP32 as well, whose SD and FFat mount
// their volumes there: "/sd/log.parquet", "/ffat/log.parquet". What named_file.h says of FAT and littlefs
// holds, but not with CONFIG_FATFS_IMMEDIATE_FSYNC, which publishes the size at each write. ftruncate is
// there with CONFIG_VFS_SUPPORT_DIR, the default.
//
// "/sd/..." tears 512 bytes. "/ffat/..." and other volumes in flash, mounted by
// esp_vfs_fat_spiflash_mount_rw_wl(), have wear levelling with sectors of 4,096 bytes unless sdkconfig says
// otherwise, and erase one before they write any of it: a power cut takes durable rows with it, and can take
// the volume. Set
//
//   CONFIG_WL_SECTOR_SIZE_512=y and CONFIG_WL_SECTOR_MODE_SAFE=y
//
// which write 512 bytes safely (Arduino's core is built without them), or use littlefs. Below 4,085 clusters,
// as in a partition of one megabyte, FAT is FAT12, whose table a power cut can tear even so: use littlefs.
// With sectors of 4,096 bytes give block_bytes 4096 here and in Options: what the file holds is safe then, the
// volume's table and directory are not.
//
// FAT seeks back from the file's beginning, which reads the file allocation table: FatFsFile, over the same
// FatFs, does not.
class VfsFile final : public NamedFile {
 public:
  // `block_bytes`: what the medium tears, see named_file.h.
  explicit VfsFile(std::uint16_t block_bytes = 512) : NamedFile({true, true, block_bytes}) {}

 private:
  Status open_handle(const char* path, bool writable, std::uint64_t& bytes) override;
  Status close_handle() override;
  Status read(std::uint64_t offset, Span<std::byte> out) override;
  Status write(std::uint64_t offset, Span<const std::byte> data) override;
  Status flush() override;
  Status truncate(std::uint64_t size) override;
  Status seek(std::uint64_t offset);

  int descriptor_ = -1;
};

}  // namespace microparquet
