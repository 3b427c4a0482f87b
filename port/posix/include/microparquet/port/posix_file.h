// File of a POSIX system.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/file.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

namespace detail {

// Bytes that grow, in pages that the system maps.
class MappedBytes {
 public:
  MappedBytes() = default;
  MappedBytes(const MappedBytes&) = delete;
  MappedBytes& operator=(const MappedBytes&) = delete;
  ~MappedBytes();

  // Returns false if the system has no memory: nothing has changed then. New bytes are zero.
  bool resize(std::size_t bytes);
  // Puts zeros before the bytes. Returns as resize().
  bool insert_front(std::size_t zeros);
  void clear() { bytes_ = 0; }

  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  std::size_t size() const { return bytes_; }
  bool empty() const { return bytes_ == 0; }

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
  std::size_t places_ = 0;  // length of the pages
};

}  // namespace detail

// File that seeks, reads back and shrinks; offsets are 64 bits wide. The destructor closes it. One thread.
//
// POSIX publishes a file's size at every write. To end in a footer at any instant nevertheless, this port
// keeps back bytes written past the end of the file after reserve(): they are the next footer, which sync()
// appends in one write. A write elsewhere is another footer, and replaces them. Without reserve(), as in the
// forward layout, bytes go out at once.
//
// A kill of the process cannot tear a write inside one page of memory, 4 KiB, but it can tear a longer one:
// it may leave the first pages of a longer footer. Every durable row is in the file then, but the file ends
// in the middle of a footer: `mpq recover` repairs it.
//
// It takes no heap: the system maps pages for the path and for bytes kept back. Where it has none left, a call
// returns kIoError, native_error() is ENOMEM, and the call may be repeated.
//
// A full disk, a used-up quota or a limit on the size of files is kNoSpace. kMediumLost is a device or file
// server that is gone (ENODEV, ENXIO, ESTALE, ENOTCONN), a file system that fell back to read-only while a
// file was open (EROFS; kIoError if it cannot be opened), and any failure of fsync, after which the system
// has dropped bytes and does not tell which. All other errors are kIoError, and the call may be repeated.
class PosixFile final : public File {
 public:
  PosixFile() = default;
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

  // Returns errno of the call that failed last; 0 if none has.
  int native_error() const { return native_error_; }

  FileAbilities abilities() const override;
  Status size(std::uint64_t& bytes) override;
  Status read_at(std::uint64_t offset, Span<std::byte> out) override;
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override;

  // Sets whether reserve() allocates disk space, as it does by default. Without that writing is faster,
  // especially if rows take less than was reserved; a write then finds that a disk is full, and the file's
  // contents are intact all the same. It applies to every file that this object opens.
  void allocate_ahead(bool allocates) { allocates_ = allocates; }

  // Allocates disk space. File systems that cannot (some network ones) return kOk and may be full later.
  Status reserve(std::uint64_t end) override;
  Status barrier() override;

  // Publishes a size. After the first failure to put bytes on the medium, this and barrier() return
  // kMediumLost.
  Status sync(std::uint64_t size) override;
  Status shrink(std::uint64_t size) override;

 private:
  Status open_descriptor(const char* path, int flags);
  Status open_for_writing(const char* path, const Existing* existing);
  Status lock(const Existing* existing);
  Status write_out(std::uint64_t offset, Span<const std::byte> data);
  Status keep_back(std::uint64_t offset, Span<const std::byte> data);
  Status publish();
  Status flush();
  Status failed(int error);

  detail::MappedBytes path_;  // ends in a zero
  int descriptor_ = -1;
  int native_error_ = 0;
  int flush_errno_ = 0;
  bool writable_ = false;
  bool keeps_back_ = false;
  bool allocates_ = true;
  std::uint64_t published_ = 0;   // size known to the file system
  std::uint64_t reserved_ = 0;    // end of allocated space
  std::uint64_t kept_begin_ = 0;  // place of kept_; at or after published_
  detail::MappedBytes kept_;
};

}  // namespace microparquet
