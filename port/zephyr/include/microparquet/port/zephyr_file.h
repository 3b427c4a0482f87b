// A file of Zephyr's file system API.
#pragma once

#include <cstddef>
#include <cstdint>

#include <zephyr/fs/fs.h>

#include "microparquet/port/named_file.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// Needs CONFIG_FILE_SYSTEM; no heap. Mounting the volume is the program's; a path is such as
// "/SD:/log.parquet". On FAT both layouts work, and the file's size changes at sync() only, so that a power
// cut leaves a file that ends in a footer. FAT does not seek behind a file's end there: in place each room is
// filled with zeros when it is added, in one call. Give Options::row_group_bytes then, since rooms hold
// several row groups. On littlefs use the forward layout.
//
// FatFs gives up a file after its first failed sector, and littlefs does the like. Once a call has answered
// kMediumLost, unmount the volume before close(), for closing would publish what was written since the last
// sync; then mount it and open the file anew.
class ZephyrFile final : public NamedFile {
 public:
  ZephyrFile() : NamedFile({true, false}) {}

 private:
  Status open_handle(const char* path, bool writable, std::uint64_t& bytes) override;
  Status close_handle() override;
  Status read(std::uint64_t offset, Span<std::byte> out) override;
  Status write(std::uint64_t offset, Span<const std::byte> data) override;
  Status flush() override;
  Status cut(std::uint64_t size) override;

  // Zephyr's functions return zero or more, or a negative errno.
  Status answer(off_t result) { return result >= 0 ? Status::kOk : failed(static_cast<int>(-result)); }

  fs_file_t file_ = {};
};

}  // namespace microparquet
