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
// there with CONFIG_VFS_SUPPORT_DIR, the default. FAT seeks back from the file's beginning, which reads the
// file allocation table: FatFsFile, over the same FatFs, does not.
class VfsFile final : public NamedFile {
 public:
  VfsFile() : NamedFile({true, true}) {}

 private:
  Status open_handle(const char* path, bool writable, std::uint64_t& bytes) override;
  Status close_handle() override;
  Status read(std::uint64_t offset, Span<std::byte> out) override;
  Status write(std::uint64_t offset, Span<const std::byte> data) override;
  Status flush() override;
  Status cut(std::uint64_t size) override;
  Status seek(std::uint64_t offset);

  int descriptor_ = -1;
};

}  // namespace microparquet
