// A file of a POSIX system that is only read, mapped into memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/mapped_file.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// Readers show its pages where they lie. Closed by its destructor. Thread-safe between open and close.
//
// The file has the bytes that it had when it was opened. Nobody may cut it as long as it is open: the system
// ends a program that reads past the new end. One that others write, as a log, is PosixFile's.
class MappedPosixFile final : public MappedFile {
 public:
  MappedPosixFile() = default;
  MappedPosixFile(const MappedPosixFile&) = delete;
  MappedPosixFile& operator=(const MappedPosixFile&) = delete;
  ~MappedPosixFile();

  // See file.h.
  // - kOk
  // - kIoError: native_error() is ESPIPE for what is no regular file, ENODEV for one that cannot be mapped,
  //   ENOMEM for one that the address space has no room for, else what the system said
  Status open_for_reading(const char* path);

  // Whether opening a file brings all of it to memory, where the system can, rather than each part when it is read first:
  // faster for who reads all of it. Not so at first; of this object, whatever file it opens.
  void map_at_once(bool at_once) { maps_at_once_ = at_once; }

  // What view() showed is there no more.
  void close();

  // Whether a file is open.
  bool is_open() const { return is_open_; }

  // errno of the call that failed last; 0 when none has.
  int native_error() const { return native_error_; }

  // Empty: no file is open, or an empty one.
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
