// The only edge between the library and the outside: a file with positions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// What create() of the ports that know names does with a file that holds bytes. They all have
//
//   Status create(path, Existing = Existing::kRefuse);  // to be written, empty: for Writer::open()
//   Status open_for_append(path);                       // as it is, or a new one: for Writer::resume()
//   Status open_for_reading(path);
//   Status close();
//
// Each of the first three closes the file that is open before. What open_for_append() finds in a file is on
// the medium when it returns. close() is kOk also when nothing is open, and closes the file whatever the
// status. native_error() tells what the system below answered to the call that failed last.
enum class Existing : std::uint8_t {
  kRefuse,     // it is left alone, and the call answers kIoError
  kOverwrite,  // it is emptied
};

// What a File can do beyond writing forward.
struct FileAbilities {
  bool seek = false;       // write_at anywhere, also beyond the end, in any order
  bool read_back = false;  // read_at of what was written, before the file is closed
  bool shrink = false;     // publishes a smaller size first and frees the space after
  // What a write that a power cut ends may destroy: the aligned block of the file around it. A power of two,
  // at least 512. Writers whose Options::block_bytes are less refuse the file.
  std::uint16_t block_bytes = 512;
  // write_at of parts of sectors is as good as of whole ones: the system puts them together.
  bool gathers = false;
};

// A port derives from File and implements what its medium can do. Offsets are bytes from the start of the
// file, 64 bits wide. read_at and write_at move all bytes or fail; a failed call may have moved some, and
// is repeated as it was. Returned statuses: kOk, kIoError, kMediumLost, kNoSpace (write_at, reserve, sync);
// for what abilities() denies, kInvalidArgument of write_at and kUnsupported of read_at and shrink; of ports
// that are opened also kWrongState, when no file is open, or none that may be written.
//
// Durability: a port must do two things. barrier() puts everything written so far on the medium. The size
// that the file system reports changes only in sync(); if that cannot be had, it must never stay inside a
// footer for long. A write of one aligned sector of 512 bytes is done or not done, unless abilities() names a
// larger block: then all of the blocks it touches may be lost. Others keep what a barrier confirmed.
//
// A port says by kIoError that the same call may succeed when it is repeated, and by kMediumLost that it will
// not until the file is opened again.
//
// Threading: one call at a time; never from an interrupt.
class File {
 public:
  // What the medium can do; the same as long as the file is open.
  virtual FileAbilities abilities() const = 0;

  // The size the file has now, published or not.
  virtual Status size(std::uint64_t& bytes) = 0;

  // Fills `out` from `offset`. Bytes past the end are kIoError.
  virtual Status read_at(std::uint64_t offset, Span<std::byte> out) = 0;

  // Writes all of `data` at `offset`. Without the ability to seek, `offset` is where the last write ended, and
  // any other one is kInvalidArgument. Beyond the end: the bytes between are whatever the medium has.
  virtual Status write_at(std::uint64_t offset, Span<const std::byte> data) = 0;

  // Says that the file will be written up to `end`, so that the port can allocate clusters ahead. Does not
  // publish a size. kNoSpace leaves the file as it was: the medium, or what the file system lets a file be,
  // ends before.
  virtual Status reserve(std::uint64_t end) {
    static_cast<void>(end);
    return Status::kOk;
  }

  // All bytes written so far are on the medium when it returns. Publishes no size.
  virtual Status barrier() { return Status::kOk; }

  // As barrier, and publishes that the file is `size` bytes long. What was written after that does not
  // belong to it. Never less than what is published, nor more than was written: ports that notice answer
  // kInvalidArgument.
  virtual Status sync(std::uint64_t size) = 0;

  // Publishes the smaller `size`, then frees what lies after it.
  virtual Status shrink(std::uint64_t size) {
    static_cast<void>(size);
    return Status::kUnsupported;
  }

 protected:
  ~File() = default;  // never deleted through this interface: a virtual destructor would link operator delete
};

}  // namespace microparquet
