// A file of a POSIX system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "microparquet/file.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// Seeks, reads back and shrinks; offsets are 64 bits wide. Closed by its destructor. One thread.
//
// POSIX publishes a file's size at every write. To end in a footer at any instant all the same, this port
// keeps back what is written past the end of the file once reserve() was called: those bytes are the next
// footer, which sync() appends in one write. A write apart from them is another footer, and replaces them.
// Without reserve(), as in forward mode, bytes go out at once.
//
// A kill of the process cannot tear a write inside one page of memory, 4 KiB, but it can tear a longer one:
// of a footer above that size it may leave the first pages. Every durable row is in the file then, but it
// ends in the middle of a footer: `mpq recover` mends it.
//
// Which errors are what: a full disk, a used-up quota or a limit on the size of files is kNoSpace.
// kMediumLost is a device or file server that is gone (ENODEV, ENXIO, ESTALE, ENOTCONN), a file system that
// fell back to read-only while a file was open (EROFS; of one that cannot be opened it is kIoError), and any
// failure of fsync: after it the system has given up the bytes in question, and does not say which. All
// others are kIoError, and the call may be repeated.
class PosixFile final : public File {
 public:
  PosixFile() = default;
  PosixFile(const PosixFile&) = delete;
  PosixFile& operator=(const PosixFile&) = delete;
  ~PosixFile();

  // See file.h; it and open_for_append() lock the file against other writers that use flock.
  // - kOk
  // - kIoError, kMediumLost: native_error() is EEXIST for a file that was refused, EWOULDBLOCK for one that
  //   another program writes, else what the system said
  Status create(const char* path, Existing existing = Existing::kRefuse);
  // To continue a file, at its end: see file.h. Else as create().
  Status open_for_append(const char* path);

  // - kOk
  // - kIoError, kMediumLost: native_error() is ESPIPE for what cannot seek, else what the system said
  Status open_for_reading(const char* path);

  // Gives back what was reserved and not used; bytes not yet synced past the end of the file are dropped.
  // - kOk
  // - kIoError: the system could not write something earlier
  Status close();

  // Whether a file is open.
  bool is_open() const { return descriptor_ >= 0; }

  // Whether the path it was opened by still leads to this file: not once it was removed or renamed, or
  // another file was put in its place, as logs are rotated. Writing continues without an error then, but no row
  // is durable in a file that has no name any more: a program that tells others of durable rows asks before,
  // and ends if not. A path that cannot be looked at, for want of rights, counts as there. Requires: open;
  // the working directory is the same, for a relative path.
  bool has_name() const;

  // errno of the call that failed last; 0 when none has.
  int native_error() const { return native_error_; }

  FileAbilities abilities() const override;
  Status size(std::uint64_t& bytes) override;
  Status read_at(std::uint64_t offset, Span<std::byte> out) override;
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override;

  // Whether reserve() allocates disk space, as it does unless told otherwise. Without it writing is faster, most of all
  // where rows take less than was reserved; that a disk is full is found by a write then, and what the file has is
  // whole all the same. Of this object, whatever file it opens.
  void allocate_ahead(bool allocates) { allocates_ = allocates; }

  // Allocates disk space. File systems that cannot (some network ones) answer kOk and may be full later.
  Status reserve(std::uint64_t end) override;
  Status barrier() override;

  // From its first failure to put bytes on the medium on, it and barrier() answer kMediumLost.
  Status sync(std::uint64_t size) override;
  Status shrink(std::uint64_t size) override;

 private:
  Status open_descriptor(const char* path, int flags);
  Status open_for_writing(const char* path, const Existing* existing);
  Status lock(const Existing* existing);
  Status write_out(std::uint64_t offset, Span<const std::byte> data);
  void keep_back(std::uint64_t offset, Span<const std::byte> data);
  Status publish();
  Status flush();
  Status failed(int error);

  std::string path_;
  int descriptor_ = -1;
  int native_error_ = 0;
  int flush_errno_ = 0;
  bool writable_ = false;
  bool keeps_back_ = false;
  bool allocates_ = true;
  std::uint64_t published_ = 0;   // the size the file system knows
  std::uint64_t reserved_ = 0;    // allocated up to here
  std::uint64_t kept_begin_ = 0;  // where kept_ belongs; at or after published_
  std::vector<std::byte> kept_;
};

}  // namespace microparquet
