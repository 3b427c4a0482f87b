// A log that goes from file to file.
#pragma once

#include <cstdint>

#include "microparquet/file.h"
#include "microparquet/status.h"

namespace microparquet {

// Where the next file comes from: the program's naming scheme, and its port.
class FileSequence {
 public:
  // Closes the port's handle of the file before, which is complete, and creates the next one, which is empty.
  // `file` stays the sequence's, and is written until the next call. A failure is what append() or tick()
  // answers then; the call is repeated.
  virtual Status next(File*& file) = 0;

 protected:
  ~FileSequence() = default;
};

// When a file gives way to the next one. 0: no such limit.
struct RollLimits {
  std::uint64_t bytes = 256 << 20;  // of the file, but for a last row group and the footer
  std::uint32_t ms = 0;             // since its first row, by tick()
};

// Drives a Writer or StaticWriter over a sequence of files; no row is lost between two of them. A file also
// ends before the format's or the file system's limits: 32,767 row groups, 4 GiB on FAT32. Key-values that
// the writer was given stay for all files. What else the writer can do is done by it itself.
template <typename AnyWriter>
class RollingWriter {
 public:
  // All are the caller's and must stay. The writer is open, or resumed, on the first file.
  RollingWriter(AnyWriter& writer, FileSequence& files, RollLimits limits)
      : writer_(writer), files_(files), limits_(limits) {}

  // As the writer's append(). kNoSpace: there is no space for another file either.
  template <typename Row = typename AnyWriter::Row>
  Status append(const Row& row) {
    if (rolling_) {
      if (const Status status = roll(); status != Status::kOk) return status;
    }
    const Status status = writer_.append(row);
    const bool full = status == Status::kLimitReached || status == Status::kNoSpace;
    if (!full || writer_.rows() == 0) return status;
    const Status rolled = roll();
    return rolled == Status::kOk ? writer_.append(row) : rolled;
  }

  // As the writer's tick(), and begins the next file when it is due. `file` is the one that is written.
  Status tick(std::uint32_t now_ms) {
    if (rolling_) return roll();
    if (const Status status = writer_.tick(now_ms); status != Status::kOk) return status;
    now_ms_ = now_ms;
    if (writer_.rows() == 0 || !ticks_) began_ms_ = now_ms;
    ticks_ = true;
    const bool old = limits_.ms != 0 && now_ms - began_ms_ >= limits_.ms;
    const bool large = limits_.bytes != 0 && writer_.bytes_so_far() >= limits_.bytes;
    return old || large ? roll() : Status::kOk;
  }

  // Whether a file is complete and the next one could not be begun yet: what the writer says of rows is still
  // about the complete one.
  bool is_between_files() const { return closed_; }

  // Ends the file and begins the next one.
  Status roll() {
    rolling_ = true;
    if (!closed_) {
      if (const Status status = writer_.close(); status != Status::kOk) return status;
      closed_ = true;
    }
    if (next_ == nullptr) {
      if (const Status status = files_.next(next_); status != Status::kOk) return status;
    }
    if (const Status status = writer_.roll(*next_); status != Status::kOk) return status;
    next_ = nullptr;
    closed_ = false;
    rolling_ = false;
    began_ms_ = now_ms_;
    return Status::kOk;
  }

 private:
  AnyWriter& writer_;
  FileSequence& files_;
  RollLimits limits_;
  File* next_ = nullptr;
  bool rolling_ = false;  // an interrupted roll continues with the next call
  bool closed_ = false;
  bool ticks_ = false;
  std::uint32_t now_ms_ = 0;
  std::uint32_t began_ms_ = 0;
};

}  // namespace microparquet
