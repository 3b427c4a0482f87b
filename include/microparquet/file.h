// File, the only interface between the library and the outside: a file with positions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// Choice for create() of ports that know names, if the file already holds bytes. These ports all have
//
//   Status create(path, Existing = Existing::kRefuse);  // to be written, empty: for Writer::open()
//   Status open_for_append(path);                       // as it is, or a new one: for Writer::resume()
//   Status open_for_reading(path);
//   Status close();
//
// Each of the first three closes the file that was open before. When open_for_append() returns, everything
// the file holds is on the medium. close() closes the file whatever its status, and is kOk if none is open.
// native_error() is the error code of the underlying system for the last call that failed.
enum class Existing : std::uint8_t {
  kRefuse,     // create() leaves it alone and returns kIoError
  kOverwrite,  // create() empties it
};

// Abilities of a File beyond being written from beginning to end.
struct FileAbilities {
  bool seek = false;       // write_at anywhere, also beyond the end, in any order
  bool read_back = false;  // read_at of written bytes, before the file is closed
  bool shrink = false;     // publishes a smaller size first and then frees the space
  // A power cut during a write may destroy the aligned block of this many bytes around it. A power of two, at
  // least 512. Writers whose Options::block_bytes is smaller refuse the file.
  std::uint16_t block_bytes = 512;
  // The system gathers writes: write_at of parts of sectors is as cheap as of whole ones.
  bool gathers = false;
};

// Base class of ports, which implement the functions that their medium supports. Offsets are bytes from the
// start of the file, 64 bits wide. read_at and write_at move all bytes or fail; a failed call may have moved
// some; repeat it unchanged. Returned statuses: kOk, kIoError, kMediumLost, kNoSpace (write_at, reserve,
// sync); without the ability, kInvalidArgument from write_at and kUnsupported from read_at and shrink; in
// ports with an open call also kWrongState, if no file is open, or none that may be written.
//
// Durability: a port must do two things. barrier() puts everything written so far on the medium. The size
// that the file system reports changes only in sync(); if the system does not allow that, the size must never
// stay inside a footer for long. A write of one aligned sector of 512 bytes happens completely or not at all,
// unless abilities() names a larger block: then all blocks that it touches may be lost. Other blocks keep the
// bytes that a barrier confirmed.
//
// A port returns kIoError if the same call may succeed when repeated, and kMediumLost if it cannot succeed
// before the file has been opened again.
//
// Threading: one call at a time; never from an interrupt.
class File {
 public:
  // Returns the abilities of the medium. They do not change while the file is open.
  virtual FileAbilities abilities() const = 0;

  // Returns the file's present size, published or not.
  virtual Status size(std::uint64_t& bytes) = 0;

  // Fills `out` from `offset`. Bytes past the end are kIoError.
  virtual Status read_at(std::uint64_t offset, Span<std::byte> out) = 0;

  // Writes all of `data` at `offset`. Without the ability to seek, `offset` must be where the last write
  // ended; any other is kInvalidArgument. After a write beyond the end the bytes between have any content.
  virtual Status write_at(std::uint64_t offset, Span<const std::byte> data) = 0;

  // Announces that the file will be written up to `end`, so that the port can allocate space in advance. Does
  // not publish a size. kNoSpace: the medium, or the largest file that the file system allows, is too small;
  // the file is unchanged.
  virtual Status reserve(std::uint64_t end) {
    static_cast<void>(end);
    return Status::kOk;
  }

  // Puts all bytes written so far on the medium before it returns. Publishes no size.
  virtual Status barrier() { return Status::kOk; }

  // Works as barrier(), and then publishes that the file is `size` bytes long; bytes after that do not belong
  // to it. Requires: `size` is not less than the published size, nor more than was written. Ports that notice
  // a violation return kInvalidArgument.
  virtual Status sync(std::uint64_t size) = 0;

  // Publishes the smaller `size`, then frees the space after it.
  virtual Status shrink(std::uint64_t size) {
    static_cast<void>(size);
    return Status::kUnsupported;
  }

 protected:
  ~File() = default;  // never deleted through this interface: a virtual destructor would link operator delete
};

}  // namespace microparquet
