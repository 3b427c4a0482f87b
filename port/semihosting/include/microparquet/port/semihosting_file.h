// A file of the host, through semihosting: for firmware under a debugger or an emulator.
#pragma once

#include <cstdint>

#include "microparquet/file.h"

namespace microparquet {

namespace semihosting {
enum class OpenMode : std::uint32_t;
}

// Seeks and reads back; cannot shrink, so that a closing writer puts its last footer at the end of the file.
// The medium is the host's: barrier and sync have nothing to call and return kOk, sizes are published at each
// write. Offsets end at 2 GiB - 1, where reserve and write_at answer kNoSpace.
//
// Nothing is closed by itself (a destructor of a static object would link atexit): call close(). One thread.
class SemihostingFile final : public File {
 public:
  // See file.h. `path` is the host's.
  // - kOk
  // - kIoError: the host refused; or a file that holds bytes is there, and `existing` says to leave it
  Status create(const char* path, Existing existing = Existing::kRefuse);
  // To continue a file, at its end: see file.h. Else as create().
  Status open_for_append(const char* path);
  // To read a file only: see file.h. Else as create().
  Status open_for_reading(const char* path);

  // - kOk
  // - kIoError: the host refused; the handle is gone all the same
  Status close();

  FileAbilities abilities() const override;
  Status size(std::uint64_t& bytes) override;
  Status read_at(std::uint64_t offset, Span<std::byte> out) override;
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override;
  Status reserve(std::uint64_t end) override;
  Status sync(std::uint64_t size) override;

 private:
  bool holds_bytes(const char* path);
  Status open_as(const char* path, semihosting::OpenMode mode);
  Status seek(std::uint64_t offset) const;
  bool is_open() const { return handle_plus_one_ != 0; }
  std::int32_t handle() const { return handle_plus_one_ - 1; }

  std::int32_t handle_plus_one_ = 0;  // 0: closed, so that a static file lies in .bss
};

}  // namespace microparquet
