// File of a POSIX system that is only read, mapped into memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/mapped_file.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// File whose pages readers show where they lie. The destructor closes it. Thread-safe between open and close.
//
// The file keeps the length it had when it was opened. Nobody may cut it while it is open: the system ends a
// program that reads past the new end. Use PosixFile for a file that others write, such as a log.
class MappedPosixFile final : public MappedFile {
 public:
  MappedPosixFile() = default;
  MappedPosixFile(const MappedPosixFile&) = delete;
  MappedPosixFile& operator=(const MappedPosixFile&) = delete;
  ~MappedPosixFile();

  // Opens a file: see file.h.
  // - kOk
  // - kIoError: native_error() is ESPIPE if it is no regular file, ENODEV if it cannot be mapped, ENOMEM if
  //   the address space has no room for it, otherwise the system's error
  Status open_for_reading(const char* path);

  // Sets whether opening a file loads all of it into memory, if the system can, rather than each part when it
  // is first read: that is faster for a program that reads all of it. It is off at first, and applies to
  // every file that this object opens.
  void map_at_once(bool at_once) { maps_at_once_ = at_once; }

  // Closes the file. The bytes of view() are gone.
  void close();

  // Returns whether a file is open.
  bool is_open() const { return is_open_; }

  // Returns errno of the call that failed last; 0 if none has.
  int native_error() const { return native_error_; }

  // Returns the file's bytes. Empty: no file is open, or an empty one.
  Span<const std::byte> view() override { return view_; }

  Status size(std::uint64_t& bytes) override;
  Status read_at(std::uint64_t offset, Span<std::byte> out) override;

 private:
  Status map(int descriptor);
  Status failed(int error);

  Span<const std::byte> view_;
  int native_error_ = 0;
  bool is_open_ = false;
  bool maps_at_once_ = false;
};

}  // namespace microparquet
