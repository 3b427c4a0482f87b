// Common part of ports whose file system learns a file's size when the file is flushed, as FAT does.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/file.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// Abilities of such a file beyond appending.
struct FlushedAbilities {
  bool truncates = false;  // can be made shorter, to a size not below the last flushed one
  bool skips = false;      // can be written past its end; otherwise the port fills the gap with zeros
  std::uint16_t block_bytes = 512;  // see FileAbilities
};

// File that moves to a position, reads and writes there, and is flushed. It reads back; a file that can be
// cut also seeks. It never shrinks: these file systems free clusters before they change the size.
//
// There is one way to put bytes on the medium, a flush, and it publishes the size as well. A barrier is
// therefore a flush only if nothing was written past the published size. Otherwise it relies on the order of
// writes: bytes go to the medium as they are written, except a sector or so, and the size goes last. A medium
// that keeps this order never publishes a size before the bytes below it. A port whose system writes the size
// before its tables overrides barrier() and sync(), as ArduinoFile does.
//
// It is tested over FAT. It reads back through the handle that writes, which makes littlefs program a block
// again; LittleFsFile avoids that.
//
// A port derives from it and implements the protected functions, which are only asked for possible things.
// After kMediumLost all calls return the same until the file is opened again.
class FlushedFile : public File {
 public:
  // Returns whether a file is open. A lost file is open until it is closed.
  bool is_open() const { return mode_ != Mode::kClosed; }

  // Returns the largest size of the open file, in bytes: 4 GiB - 1 on FAT, less if the caller or the system
  // says so. Zephyr and ESP-IDF do not tell FAT from exFAT: there the first refusal says it.
  std::uint64_t max_bytes() const { return max_bytes_; }
  // Returns whether the last kNoSpace was a file at max_bytes(), not a full medium: close the file and
  // continue in a new one.
  bool limit_reached() const { return limit_reached_; }

  FileAbilities abilities() const override;
  Status size(std::uint64_t& bytes) override;
  Status read_at(std::uint64_t offset, Span<std::byte> out) override;

  // - kNoSpace: the medium is full, or the file, see limit_reached()
  // - kInvalidArgument: `offset` is not the file's end, and the file cannot be cut
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override;

  // Makes the file that long, unless it can only be appended to; the next sync cuts the part that it does not
  // publish.
  // - kNoSpace: the medium is full, or the file, see limit_reached(); the file is as it was
  Status reserve(std::uint64_t end) override;
  Status barrier() override;

  // - kUnsupported: more than `size` was written, and the file cannot be cut
  Status sync(std::uint64_t size) override;

 protected:
  // `can`: abilities of the system below.
  explicit FlushedFile(FlushedAbilities can) : can_(can) {}
  FlushedFile(const FlushedFile&) = delete;
  FlushedFile& operator=(const FlushedFile&) = delete;
  ~FlushedFile() = default;

  // Returns kOk, or the status of every call now.
  Status usable(bool to_write) const;

  // Forgets the file and writes nothing more of it. It counts as closed.
  void forget() { mode_ = Mode::kClosed; }

  // Begins an open file of `size` bytes that may grow to `max_bytes`.
  void begin(std::uint64_t size, std::uint64_t max_bytes, bool writable);

  // Changes max_bytes().
  void limit_to(std::uint64_t max_bytes) { max_bytes_ = max_bytes; }

  // Puts the contents of a file that has just begun on the medium. A sync that failed may have left them only
  // in a cache, and a writer that resumes the file relies on them.
  Status confirm();

  // Cuts unsynced bytes, so that closing the file does not publish them. The file counts as closed.
  // - kUnsupported: it cannot be cut
  Status end();

  // Reads all bytes at an offset. A failed call may have read some.
  virtual Status read(std::uint64_t offset, Span<std::byte> out) = 0;
  // Writes all bytes at an offset. A failed call may have written some; it is repeated unchanged.
  virtual Status write(std::uint64_t offset, Span<const std::byte> data) = 0;
  // Puts all written bytes on the medium, including those written before the file was opened, and then
  // publishes the furthest end of any write.
  virtual Status flush() = 0;
  // Makes the file `size` bytes long. It is called only with FlushedAbilities::truncates.
  virtual Status truncate(std::uint64_t size) = 0;

 private:
  enum class Mode : std::uint8_t { kClosed, kRead, kWrite, kLost };

  Status may_reach(std::uint64_t end);
  Status truncate_tail();
  Status fill(std::uint64_t end);
  Status latch_lost(Status status);

  const FlushedAbilities can_;
  Mode mode_ = Mode::kClosed;
  bool may_have_tail_ = false;
  bool limit_reached_ = false;
  std::uint64_t max_bytes_ = 0;
  std::uint64_t size_ = 0;
  std::uint64_t reserved_ = 0;   // space is known to exist up to here
  std::uint64_t tried_ = 0;      // a write has tried to go up to here: the file may be as long
  std::uint64_t published_ = 0;  // size that a flush has published, or may have
};

}  // namespace microparquet
