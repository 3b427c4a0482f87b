// File of Zephyr's file system API.
#pragma once

#include <cstddef>
#include <cstdint>

#include <zephyr/fs/fs.h>

#include "microparquet/port/named_file.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// File that needs CONFIG_FILE_SYSTEM; a path looks like "/SD:/log.parquet". The remarks of named_file.h on
// FAT and littlefs apply. FAT does not seek past a file's end here: in place the port fills each segment with
// zeros when it is added, in one call. Set Options::row_group_bytes then, since segments hold several row
// groups.
//
// On exFAT a power cut may leave a folder in which FatFs opens no file. With CONFIG_MICROPARQUET_FATFS an open
// mends it, as FatFsFile does.
//
// An SD card ("/SD:") tears 512 bytes. A zephyr,flash-disk erases blocks of its flash, usually 4,096 bytes,
// and writes them again from its cache: give block_bytes 4096 here and in Options, and see named_file.h for
// the remaining risk; or use littlefs.
class ZephyrFile final : public NamedFile {
 public:
  // `block_bytes`: block that the medium tears, see named_file.h.
  explicit ZephyrFile(std::uint16_t block_bytes = 512) : NamedFile({true, false, block_bytes}) {}

 private:
  Status open_handle(const char* path, bool writable, std::uint64_t& bytes) override;
  Status close_handle() override;
  Status read(std::uint64_t offset, Span<std::byte> out) override;
  Status write(std::uint64_t offset, Span<const std::byte> data) override;
  Status flush() override;
  Status truncate(std::uint64_t size) override;
  Status find_end(std::uint64_t& bytes);

  // Converts the result of Zephyr's functions: zero or more, or a negative errno.
  Status answer(off_t result) { return result >= 0 ? Status::kOk : failed(static_cast<int>(-result)); }

  fs_file_t file_ = {};
};

}  // namespace microparquet
