// A log that goes from file to file.
#pragma once

#include <cstdint>

#include "microparquet/file.h"
#include "microparquet/status.h"

namespace microparquet {

// Where the next file comes from: the program's naming scheme, and its port.
class FileSequence {
 public:
  // Closes the port's handle of the file before, which is complete or was left, and creates the next one, which is empty.
  // `file` stays the sequence's, and is written until the next call. A failure is what append() or tick()
  // answers then; the call is repeated.
  virtual Status next(File*& file) = 0;
  // The same, but the file before has no row that is durable: this one may take its name and replace it. It is asked for
  // when file after file has failed, so that a bad card does not use up the names.
  virtual Status again(File*& file) { return next(file); }

 protected:
  ~FileSequence() = default;
};

// When a file gives way to the next one. 0: no such limit.
struct RollLimits {
  std::uint64_t bytes = 256 << 20;  // of the file, but for a last row group and the footer
  // Since its first row, by tick(), which has the time of this boot only. A file that was resumed is held to be as old as all
  // of its rows take at the pace of those of this boot, from the eighth on: nothing on the medium says how long earlier boots
  // were, and the clock does not count while the power is off.
  std::uint32_t ms = 0;
  std::uint32_t failures = 16;  // calls in a row that answer kIoError
};

// Drives a Writer or StaticWriter over a sequence of files; no row is lost between two of them. A file also
// ends before the format's or the file system's limits: 32,767 row groups, 4 GiB on FAT32. Key-values that
// the writer was given stay for all files. What else the writer can do is done by it itself.
//
// A file that fails for good does not end the log: where it answers kCorrupt, also to a checkpoint, or kIoError time after
// time, it is left as it is, and the next one begins. lost_rows() counts what it had taken and no checkpoint covered. Where
// kFilesTried files in a row have been left without one durable row it is the medium that fails: then calls answer the last
// status without touching it, and one in kRestMs, by tick(), tries again, under the same name until a row is durable.
template <typename AnyWriter>
class RollingWriter {
 public:
  // Files left without a durable row until the medium is left in peace.
  static constexpr unsigned kFilesTried = 3;
  // Then from one try to the next.
  static constexpr std::uint32_t kRestMs = 60'000;

  // All are the caller's and must stay. The writer is open, or resumed, on the first file when the first call comes.
  RollingWriter(AnyWriter& writer, FileSequence& files, RollLimits limits)
      : writer_(writer), files_(files), limits_(limits) {}

  // As the writer's append(). kNoSpace: there is no space for another file either.
  template <typename Row = typename AnyWriter::Row>
  Status append(const Row& row) {
    if (!begun_) look_at_first();
    if (rolling_) {
      if (const Status status = roll(); status != Status::kOk) return status;
    }
    const Status status = writer_.append(row);
    if (status == Status::kOk) return took_rows();
    const Status next = after(status);
    return next == Status::kOk ? writer_.append(row) : next;
  }

  // As the writer's tick(), and begins the next file when it is due. `file` is the one that is written.
  Status tick(std::uint32_t now_ms) {
    now_ms_ = now_ms;
    if (!begun_) look_at_first();
    if (rolling_) return roll();
    if (const Status status = writer_.tick(now_ms); status != Status::kOk) return after(status);
    if (writer_.rows() == rows_before_ || !ticks_) began_ms_ = now_ms;
    ticks_ = true;
    const bool large = limits_.bytes != 0 && writer_.bytes_so_far() >= limits_.bytes;
    return is_old() || large ? roll() : Status::kOk;
  }

  // As the writer's checkpoint(). kOk: also where the file has failed and the next one has begun: see lost_rows().
  Status checkpoint() {
    if (!begun_) look_at_first();
    if (rolling_) {
      if (const Status status = roll(); status != Status::kOk) return status;
    }
    const Status status = writer_.checkpoint();
    return status == Status::kOk ? took_rows() : after(status);
  }

  // Whether a file is complete, or was left, and the next one could not be begun yet: what the writer says of rows is still
  // about the former.
  bool is_between_files() const { return closed_; }
  // Whether the medium has failed file after file, and is tried at each kRestMs only.
  bool is_resting() const { return left_ >= kFilesTried && rolling_; }
  // Rows that append() has taken and that are in no file, since files were left that failed.
  std::uint64_t lost_rows() const { return lost_rows_; }

  // Ends the file and begins the next one.
  Status roll() {
    if (is_resting() && now_ms_ - rests_ms_ < kRestMs) return resting_;
    rolling_ = true;
    const Status status = roll_now();
    if (status == Status::kOk) begin_file();
    // A card that is away, or full, is no file's fault.
    if (status == Status::kIoError || status == Status::kCorrupt) count_failure(status);
    return status;
  }

  // For a caller who knows that the card is sound, and this file is not: leaves it as it is. The next call begins another.
  void leave_file() {
    if (closed_) return drop_next();
    lost_rows_ += writer_.rows() - writer_.durable_rows();
    writer_.leave();
    left_ = has_new_row() ? 0 : left_ + 1;
    rolling_ = closed_ = true;
    failures_ = 0;
    if (left_ >= kFilesTried) rests_ms_ = now_ms_;
  }

 private:
  static constexpr std::uint64_t kRowsOfAPace = 8;

  void look_at_first() {
    begun_ = true;
    rows_before_ = writer_.rows();
    durable_before_ = writer_.durable_rows();
  }

  Status took_rows() {
    failures_ = 0;
    return Status::kOk;
  }

  // kOk: the call that has failed may be repeated, in this file, whose bits were misread, or in the next one.
  Status after(Status status) {
    const bool full = status == Status::kLimitReached || status == Status::kNoSpace;
    if (full) return writer_.rows() != 0 ? roll() : status;
    if (status == Status::kCorrupt && writer_.checkpoint() == Status::kOk) return Status::kOk;
    if (status != Status::kCorrupt && (status != Status::kIoError || !fails_again())) return status;
    resting_ = status;
    leave_file();
    return roll();
  }

  // A medium that has failed so often is not asked as often again.
  bool fails_again() {
    if (limits_.failures == 0) return false;
    return ++failures_ >= limits_.failures || (left_ >= kFilesTried && (closed_ || !has_new_row()));
  }

  bool has_new_row() const { return writer_.durable_rows() != durable_before_; }

  // Whether the file is `ms` old. Where it was resumed, its age is `elapsed` times as much as it has more rows than came since.
  bool is_old() const {
    if (limits_.ms == 0) return false;
    const std::uint32_t elapsed = now_ms_ - began_ms_;
    const std::uint64_t rows = writer_.rows() - rows_before_;
    const bool older = elapsed >= limits_.ms;
    return older ||
           (rows_before_ != 0 && rows >= kRowsOfAPace && writer_.rows() * elapsed >= limits_.ms * rows);
  }

  Status roll_now() {
    if (!closed_) {
      if (const Status status = writer_.close(); status != Status::kOk) return status;
      closed_ = true;
      left_ = 0;
    }
    if (next_ == nullptr) {
      const Status status = left_ >= kFilesTried ? files_.again(next_) : files_.next(next_);
      if (status != Status::kOk) return status;
    }
    return writer_.roll(*next_);
  }

  void begin_file() {
    next_ = nullptr;
    closed_ = rolling_ = false;
    failures_ = 0;
    began_ms_ = now_ms_;
    rows_before_ = durable_before_ = 0;
  }

  // Of the file that ends, or of the one that should begin.
  void count_failure(Status status) {
    resting_ = status;
    const bool again = status == Status::kCorrupt ? ++failures_ > 1 : fails_again();
    if (again) leave_file();
  }

  // The next file could not be begun.
  void drop_next() {
    if (next_ != nullptr) writer_.leave();
    next_ = nullptr;
    ++left_;
    failures_ = 0;
    if (left_ >= kFilesTried) rests_ms_ = now_ms_;
  }

  AnyWriter& writer_;
  FileSequence& files_;
  RollLimits limits_;
  File* next_ = nullptr;
  bool rolling_ = false;  // an interrupted roll continues with the next call
  bool closed_ = false;
  bool begun_ = false;
  bool ticks_ = false;
  Status resting_ = Status::kOk;  // what is answered meanwhile
  std::uint32_t now_ms_ = 0;
  std::uint32_t began_ms_ = 0;
  std::uint32_t rests_ms_ = 0;
  std::uint32_t failures_ = 0;        // in a row
  std::uint32_t left_ = 0;            // files, in a row, without a durable row of theirs
  std::uint64_t rows_before_ = 0;     // of the file, when it was resumed
  std::uint64_t durable_before_ = 0;  // the same, that are durable
  std::uint64_t lost_rows_ = 0;
};

}  // namespace microparquet
