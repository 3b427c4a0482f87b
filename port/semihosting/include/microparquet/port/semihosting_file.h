// File of the host, through semihosting: for firmware under a debugger or an emulator.
#pragma once

#include <cstdint>

#include "microparquet/file.h"

namespace microparquet {

namespace semihosting {
enum class OpenMode : std::uint32_t;
}

// File that seeks and reads back. It cannot shrink, so a closing writer puts its last footer at the end of
// the file. The medium is the host's: barrier() and sync() have nothing to call and return kOk, and each
// write publishes the size: a program that is stopped within a footer leaves a file that resume() refuses, with
// kCorrupt, and `mpq recover` reads. Offsets end at 2 GiB - 1, beyond which reserve() and write_at() return
// kNoSpace.
//
// The destructor closes nothing (for a static object it would link atexit): call close(). One thread.
class SemihostingFile final : public File {
 public:
  // Creates a file: see file.h. `path` is the host's.
  // - kOk
  // - kIoError: the host refused; or there is a file with bytes, and `existing` forbids emptying it
  Status create(const char* path, Existing existing = Existing::kRefuse);
  // Opens a file to continue it at its end: see file.h. Otherwise as create().
  Status open_for_append(const char* path);
  // Opens a file only to read it: see file.h. Otherwise as create().
  Status open_for_reading(const char* path);

  // Closes the file.
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

  std::int32_t handle_plus_one_ = 0;  // 0: closed; a static file thus lies in .bss
};

}  // namespace microparquet
