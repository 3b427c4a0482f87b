// File of a POSIX system.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/file.h"
#include "microparquet/port/system_file.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

class PosixFile;
extern template class SystemFile<PosixFile>;

// File that seeks, reads back and shrinks: see system_file.h. The destructor closes it. One thread.
//
// A kill of the process cannot tear a write inside one page of memory, 4 KiB, but it can tear a longer one:
// it may leave the first pages of a longer footer. Every durable row is in the file then, but the file ends
// in the middle of a footer: `mpq recover` repairs it.
//
// A full disk, a used-up quota or a limit on the size of files is kNoSpace. kMediumLost is a device or file
// server that is gone (ENODEV, ENXIO, ESTALE, ENOTCONN), a file system that fell back to read-only while a
// file was open (EROFS; kIoError if it cannot be opened), and any failure of fsync, after which the system
// has dropped bytes and does not tell which. All other errors are kIoError, and the call may be repeated.
class PosixFile final : public SystemFile<PosixFile> {
 public:
  PosixFile();
  PosixFile(const PosixFile&) = delete;
  PosixFile& operator=(const PosixFile&) = delete;
  ~PosixFile();

  // Creates a file: see file.h. This and open_for_append() lock the file against other writers that use
  // flock.
  // - kOk
  // - kIoError, kMediumLost: native_error() is EEXIST for a file that was refused, EWOULDBLOCK for one that
  //   another program writes, otherwise the system's error
  Status create(const char* path, Existing existing = Existing::kRefuse);
  // Opens a file to continue it at its end: see file.h. Otherwise as create().
  Status open_for_append(const char* path);

  // Opens a file only to read it: see file.h.
  // - kOk
  // - kIoError, kMediumLost: native_error() is ESPIPE if it cannot seek, otherwise the system's error
  Status open_for_reading(const char* path);

  // Closes the file: releases reserved and unused space, and drops unsynced bytes past the end of the file.
  // - kOk
  // - kIoError: the system could not write something earlier
  Status close();

  // Returns whether a file is open.
  bool is_open() const { return descriptor_ >= 0; }

  // Returns whether the path of opening still leads to this file: not after it was removed, renamed or
  // replaced, as log rotation does. Writing then continues without an error, but no row is durable in a file
  // without a name. A program that reports durable rows to others calls this before, and ends if the result
  // is false. A path that cannot be examined for want of rights counts as leading to the file. Requires:
  // open; the working directory is the same, for a relative path.
  bool has_name() const;

 private:
  friend class SystemFile<PosixFile>;

  Status open_descriptor(const char* path, int flags);
  Status open_for_writing(const char* path, const Existing* existing);
  Status lock(const Existing* existing);
  int read_some(std::uint64_t offset, Span<std::byte> out, std::size_t& moved);
  int write_some(std::uint64_t offset, Span<const std::byte> data, std::size_t& moved);
  int cut(std::uint64_t size);
  int allocate(std::uint64_t begin, std::uint64_t end, bool allocates);
  int put_on_medium();
  Status status_of(int error) const;

  detail::MappedBytes path_;  // ends in a zero
  int descriptor_ = -1;
};

}  // namespace microparquet
