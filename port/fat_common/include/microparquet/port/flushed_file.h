// What ports have in common whose file system learns a file's size when the file is flushed, as those of FAT.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/file.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// What such a file can do beyond appending.
struct FlushedAbilities {
  bool truncates = false;  // can be made shorter, to a size that is not less than what was flushed last
  bool skips = false;      // can be written past its end; else the gap is filled with zeros
  std::uint16_t block_bytes = 512;  // see FileAbilities
};

// A file that is moved to a position, read and written there, and flushed. It reads back; a file that can be
// cut also seeks. It never shrinks: these file systems free clusters before they change the size.
//
// There is one way to put bytes on the medium, a flush, and it publishes the size as well. So a barrier is a
// flush where nothing was written past the published size. Elsewhere it relies on the order of writes:
// bytes go to the medium as they are written, but for a sector or so, and the size goes last. On a medium
// that keeps this order a size is never published before what lies below it. A port whose system writes the size
// before its tables overrides barrier() and sync(), as ArduinoFile does.
//
// Tested over FAT. It reads back through the handle that writes, which makes littlefs program a block again:
// LittleFsFile does not.
//
// A port derives from it and implements the protected calls, which are asked for what is possible only.
// After kMediumLost all calls answer the same until the file is opened again.
class FlushedFile : public File {
 public:
  // Whether a file is open. One that is lost is, until it is closed.
  bool is_open() const { return mode_ != Mode::kClosed; }

  FileAbilities abilities() const override;
  Status size(std::uint64_t& bytes) override;
  Status read_at(std::uint64_t offset, Span<std::byte> out) override;

  // - kNoSpace: the medium is full, or the largest size of a file is exceeded
  // - kInvalidArgument: `offset` is not where the file ends, and it cannot be cut
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override;

  // Makes the file that long, unless it is only appended to; the next sync cuts what it does not publish.
  // - kNoSpace: the medium is full, or the largest size of a file is exceeded; the file is as it was
  Status reserve(std::uint64_t end) override;
  Status barrier() override;

  // - kUnsupported: more than `size` was written, and the file cannot be cut
  Status sync(std::uint64_t size) override;

 protected:
  // `can`: what the system below offers.
  explicit FlushedFile(FlushedAbilities can) : can_(can) {}
  FlushedFile(const FlushedFile&) = delete;
  FlushedFile& operator=(const FlushedFile&) = delete;
  ~FlushedFile() = default;

  // kOk, or what every call answers now.
  Status usable(bool to_write) const;

  // What the file had is forgotten, and nothing of it is written any more. It counts as closed.
  void forget() { mode_ = Mode::kClosed; }

  // The file is open, has `size` bytes, and may grow to `most_bytes`.
  void begin(std::uint64_t size, std::uint64_t most_bytes, bool writable);

  // Puts on the medium what the file holds that was just begun: a sync that failed may have left it in a cache
  // only, and whoever resumes it relies on it.
  Status confirm();

  // Cuts what was not synced, so that closing the file does not publish it. The file counts as closed.
  // - kUnsupported: it cannot be cut
  Status end();

  // Reads all bytes at an offset. A failed call may have read some.
  virtual Status read(std::uint64_t offset, Span<std::byte> out) = 0;
  // Writes all bytes at an offset. A failed call may have written some, and is repeated as it was.
  virtual Status write(std::uint64_t offset, Span<const std::byte> data) = 0;
  // Puts what was written on the medium, before the file was opened too, and then publishes how far the file
  // was ever written.
  virtual Status flush() = 0;
  // Makes the file `size` bytes long. Asked where FlushedAbilities::truncates says that it can be.
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
  std::uint64_t most_bytes_ = 0;
  std::uint64_t size_ = 0;
  std::uint64_t reserved_ = 0;   // how far space is known to be there
  std::uint64_t tried_ = 0;      // how far a write has tried to go: the file may be as long
  std::uint64_t published_ = 0;  // what a flush has published, or may have
};

}  // namespace microparquet
