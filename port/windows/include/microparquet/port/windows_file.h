// File of Windows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/file.h"
#include "microparquet/port/system_file.h"
#include "microparquet/port/windows_path.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

class WindowsFile;
extern template class SystemFile<WindowsFile>;

// File that seeks, reads back and shrinks: see system_file.h. The destructor closes it. One thread.
//
// Paths are UTF-8, with / or \, and as long as the system takes, 32,767 characters. A name that Windows gives another
// meaning is refused before anything is opened, and native_error() is ERROR_INVALID_NAME: a device such as AUX, also
// aux.parquet; a colon but after a drive and before a slash, which would name a stream of another file; a dot or space at the end, which would get lost.
//
// Other programs may read, rename and remove the file meanwhile, as on POSIX systems, unless they forbid it
// themselves. A full disk or a used-up quota is kNoSpace. kMediumLost is a device or server that is gone, and any
// failure of FlushFileBuffers. All other errors are kIoError, and the call may be repeated.
class WindowsFile final : public SystemFile<WindowsFile> {
 public:
  WindowsFile();
  WindowsFile(const WindowsFile&) = delete;
  WindowsFile& operator=(const WindowsFile&) = delete;
  ~WindowsFile();

  // Creates a file: see file.h. This and open_for_append() lock a byte that no file has, so that a second writer is
  // refused and readers are not.
  // - kOk
  // - kIoError, kMediumLost: native_error() is ERROR_FILE_EXISTS for a file that was refused, ERROR_LOCK_VIOLATION for
  //   one that another program writes, otherwise the system's error
  Status create(const char* path, Existing existing = Existing::kRefuse);
  // Opens a file to continue it at its end: see file.h. Otherwise as create().
  Status open_for_append(const char* path);

  // Opens a file only to read it: see file.h.
  // - kOk
  // - kIoError, kMediumLost: native_error() is ERROR_SEEK if it cannot seek, ERROR_DIRECTORY_NOT_SUPPORTED for a folder,
  //   otherwise the system's error
  Status open_for_reading(const char* path);

  // Closes the file: releases reserved and unused space, and drops unsynced bytes past the end of the file.
  Status close();

  // Returns whether a file is open.
  bool is_open() const { return handle_ != nullptr; }

  // Returns whether the path of opening still leads to this file: see PosixFile::has_name(). Requires: open.
  bool has_name() const;

 private:
  friend class SystemFile<WindowsFile>;

  Status open_for_writing(const char* path, const Existing* existing);
  Status open_handle(const char* path, bool writes);
  Status lock(const Existing* existing);
  std::uint64_t size_of_handle() const;
  int read_some(std::uint64_t offset, Span<std::byte> out, std::size_t& moved);
  int write_some(std::uint64_t offset, Span<const std::byte> data, std::size_t& moved);
  int cut(std::uint64_t size);
  int allocate(std::uint64_t begin, std::uint64_t end, bool allocates);
  int put_on_medium();
  Status status_of(int error) const;

  detail::WindowsPath path_;
  void* handle_ = nullptr;
};

}  // namespace microparquet
