// Logging over a sequence of files.
#pragma once

#include <cstdint>

#include "microparquet/file.h"
#include "microparquet/status.h"

namespace microparquet {

// Source of the next file: the program's naming scheme, and its port.
class FileSequence {
 public:
  // Closes the port's handle of the last file, which is complete or was left, and creates the next one, which
  // must be empty. `file` stays the sequence's, and is written until the next call. append() or tick() return
  // a failure of this call; the call is then repeated.
  virtual Status next(File*& file) = 0;
  // Creates the next file after one without a durable row, whose name this one may take over and replace. The
  // writer calls it when file after file has failed, so that a bad card does not use up the names.
  virtual Status again(File*& file) { return next(file); }

 protected:
  ~FileSequence() = default;
};

// Limits at which a file ends. 0: no such limit.
struct RollLimits {
  std::uint64_t bytes = 256 << 20;  // size of the file, without a last row group and the footer
  // Time since the file's first row, measured by tick() in this boot only. The age of a resumed file is
  // estimated: all of its rows at the pace of this boot's rows, from the eighth on. The medium does not
  // record how long earlier boots were, and the clock stands while the power is off.
  std::uint32_t ms = 0;
  std::uint32_t failures = 16;  // consecutive calls that return kIoError
};

// Drives a Writer or StaticWriter over a sequence of files; no row is lost between two of them. A file also
// ends before the format's or the file system's limits: 32,767 row groups, 4 GiB on FAT32. The writer's
// key-values stay for all files. Call the writer itself for everything else.
//
// A file that fails for good does not end the log: if it returns kCorrupt, also to a checkpoint, or kIoError
// several times, the writer leaves it as it is, and begins the next one. lost_rows() counts its rows that no
// checkpoint covered. After kFilesTried files in a row without one durable row the medium is at fault: calls
// then return the last status without touching it, and one tick() in kRestMs tries again, under the same name
// until a row is durable.
template <typename AnyWriter>
class RollingWriter {
 public:
  // Number of files without a durable row after which the medium is left alone.
  static constexpr unsigned kFilesTried = 3;
  // Time between two tries after that.
  static constexpr std::uint32_t kRestMs = 60'000;

  // Takes objects of the caller, which must stay. The writer must be open, or resumed, on the first file at
  // the first call.
  RollingWriter(AnyWriter& writer, FileSequence& files, RollLimits limits)
      : writer_(writer), files_(files), limits_(limits) {}

  // Appends a row as the writer's append(). kNoSpace: there is no space for another file either.
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

  // Calls the writer's tick(), and begins the next file when it is due. The current file is `file`.
  Status tick(std::uint32_t now_ms) {
    now_ms_ = now_ms;
    if (!begun_) look_at_first();
    if (rolling_) return roll();
    if (writer_.rows() == rows_before_ || !ticks_) began_ms_ = now_ms;
    ticks_ = true;
    // The last footer of an old file serves as the checkpoint that may be due. The next file gets the time, too.
    if (is_old()) {
      if (const Status status = roll(); status != Status::kOk) return status;
    }
    if (const Status status = writer_.tick(now_ms); status != Status::kOk) return after(status);
    const bool large = limits_.bytes != 0 && writer_.bytes_so_far() >= limits_.bytes;
    return large ? roll() : Status::kOk;
  }

  // Makes a checkpoint as the writer's checkpoint(). kOk also if the file has failed and the next one has
  // begun: see lost_rows().
  Status checkpoint() {
    if (!begun_) look_at_first();
    if (rolling_) {
      if (const Status status = roll(); status != Status::kOk) return status;
    }
    const Status status = writer_.checkpoint();
    return status == Status::kOk ? took_rows() : after(status);
  }

  // Makes rows safe as the writer's save(). kOk as of checkpoint().
  Status save() {
    if (!begun_) look_at_first();
    if (rolling_) {
      if (const Status status = roll(); status != Status::kOk) return status;
    }
    const Status status = writer_.save();
    return status == Status::kOk ? took_rows() : after(status);
  }

  // Returns whether the last file is complete, or was left, and the next one could not be begun yet: then the
  // writer's numbers of rows are those of the last file.
  bool is_between_files() const { return closed_; }
  // Returns whether the medium has failed file after file, and is tried only once in kRestMs.
  bool is_resting() const { return left_ >= kFilesTried && rolling_; }
  // Returns the number of rows that append() has taken and that are in no file, because files were left that
  // failed.
  std::uint64_t lost_rows() const { return lost_rows_; }

  // Ends the file and begins the next one.
  Status roll() {
    if (is_resting() && now_ms_ - rests_ms_ < kRestMs) return resting_;
    rolling_ = true;
    const Status status = roll_now();
    if (status == Status::kOk) begin_file();
    // A missing or full card is not the file's fault.
    if (status == Status::kIoError || status == Status::kCorrupt) count_failure(status);
    return status;
  }

  // Leaves the file as it is, for a caller who knows that the card is sound and this file is not. The next
  // call begins another file.
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

  // Handles a failure. kOk: repeat the failed call, in this file, whose bits were misread, or in the next
  // one.
  Status after(Status status) {
    const bool full = status == Status::kLimitReached || status == Status::kNoSpace;
    if (full) return writer_.rows() != 0 ? roll() : status;
    if (status == Status::kCorrupt && writer_.checkpoint() == Status::kOk) return Status::kOk;
    if (status != Status::kCorrupt && (status != Status::kIoError || !fails_again())) return status;
    resting_ = status;
    leave_file();
    return roll();
  }

  // Returns whether to give up the file. A medium that has failed several times gets fewer tries.
  bool fails_again() {
    if (limits_.failures == 0) return false;
    return ++failures_ >= limits_.failures || (left_ >= kFilesTried && (closed_ || !has_new_row()));
  }

  bool has_new_row() const { return writer_.durable_rows() != durable_before_; }

  // Returns whether the file is `ms` old. The age of a resumed file is `elapsed` times the ratio of all its
  // rows to those of this boot.
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

  // Counts a failure of the file that ends, or of the one that should begin.
  void count_failure(Status status) {
    resting_ = status;
    const bool again = status == Status::kCorrupt ? ++failures_ > 1 : fails_again();
    if (again) leave_file();
  }

  // Gives up the next file, which could not be begun.
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
  Status resting_ = Status::kOk;  // status returned meanwhile
  std::uint32_t now_ms_ = 0;
  std::uint32_t began_ms_ = 0;
  std::uint32_t rests_ms_ = 0;
  std::uint32_t failures_ = 0;        // consecutive failures
  std::uint32_t left_ = 0;            // consecutive files without a durable row of their own
  std::uint64_t rows_before_ = 0;     // rows of the file when it was resumed
  std::uint64_t durable_before_ = 0;  // durable ones of these
  std::uint64_t lost_rows_ = 0;
};

}  // namespace microparquet
