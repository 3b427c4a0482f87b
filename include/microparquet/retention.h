// A log that keeps its newest files where the medium is full.
#pragma once

#include <cstdint>

#include "microparquet/file.h"
#include "microparquet/rolling.h"
#include "microparquet/status.h"

namespace microparquet {

// Choice for a log whose medium is full, or that has reached a limit.
enum class WhenFull : std::uint8_t {
  kStopWhenFull,  // it ends, with a whole file: nothing goes that nobody allowed to
  kDropOldest,    // its oldest files go
};

// Limits at which the oldest files of a log go. 0: no such limit.
struct RetentionLimits {
  // What the log does then.
  WhenFull when_full = WhenFull::kStopWhenFull;
  // Bytes to be kept free on the medium, where its port can count them. The oldest file goes before they are
  // used up: enough for what the log writes in half a minute, and for the space that a file reserves at once.
  std::uint32_t low_water = 4 << 20;
  // Bytes of all files of the log but the one being written.
  std::uint64_t bytes = 0;
  // Number of files of the log, with the one being written.
  std::uint32_t files = 0;
  // Seconds since a file was written last. It counts only where the clock is known and the file has a date.
  // One file goes for its age each time a file begins, so that a clock that jumps takes no more than that.
  std::uint32_t age_s = 0;
};

// Returns kInvalidArgument if the limit of bytes is below one file: none but the open one could stay.
constexpr Status check_limits(const RetentionLimits& limits, const RollLimits& files) {
  const bool is_small = limits.bytes != 0 && limits.bytes < files.bytes;
  return is_small ? Status::kInvalidArgument : Status::kOk;
}

// A file of a log, as its folder lists it.
struct LogFile {
  std::uint32_t session = 0;   // 1 where the log has none
  std::uint32_t split = 0;     // number in the session, from 1
  std::uint64_t bytes = 0;     // size that the file system reports
  std::int64_t written_s = 0;  // date of the last change, seconds since 1970; 0: not known
  std::uint32_t name = 0;      // the folder's own: what else its name has
};

// The files of one log on its medium, which a port or a program implements. Only files with names of this log
// are listed. Calls return kOk, kMediumLost, kIoError where the same call may be repeated or this one file or
// session is left alone, and what they name. Each does no more than a few reads or writes of a sector.
class LogFolder {
 public:
  // Begins a list of the sessions, in any order. A log without sessions lists one, 1.
  virtual Status list_sessions() = 0;
  // Gives the next entry of the list, as number 0 if it is not of this log.
  // - kEnd: no more entries
  virtual Status next_session(std::uint32_t& session) = 0;

  // Begins a list of a session's files, in any order.
  virtual Status list_files(std::uint32_t session) = 0;
  // Likewise: with split 0 if it is not of this log.
  // - kEnd: no more entries
  virtual Status next_file(LogFile& file) = 0;

  // Opens a file to be read; `opened` stays the folder's until close_file(). kIoError: it is not to be removed,
  // because it is open, protected or no longer there.
  virtual Status open_file(const LogFile& file, File*& opened) = 0;
  // Closes it, if one is open.
  virtual void close_file() = 0;
  // Returns whether this log gives the id to the file, see FileStart.
  virtual bool has_id(const LogFile& file, std::uint32_t file_id) = 0;

  // Does a part of a removal, and tells whether this was the last one. A power cut after any part leaves the
  // file with all its bytes, or an empty file, or none; where it is empty, the next removal finishes this one.
  virtual Status remove_file(const LogFile& file, bool& is_done) = 0;
  // Removes the folder of a session without files. kUnsupported: it stays.
  virtual Status remove_session(std::uint32_t session) {
    static_cast<void>(session);
    return Status::kUnsupported;
  }

  // Does a part of a count of the free bytes, up to `enough`, and tells whether this was the last one.
  // kUnsupported: they cannot be counted.
  virtual Status count_free(std::uint64_t enough, std::uint64_t& bytes, bool& is_done) {
    static_cast<void>(enough), static_cast<void>(bytes), static_cast<void>(is_done);
    return Status::kUnsupported;
  }

 protected:
  ~LogFolder() = default;
};

// Removes a log's oldest files within limits, a little in each call, beside a RollingWriter or a program's own
// loop. Nothing goes with WhenFull::kStopWhenFull, which is the default.
//
// A file goes only if all of this holds:
// - Its name is this log's, and its bytes are: it ends in a footer of this library with an id of this log. A
//   file that was cut off before its first footer has only the begin of one, and may be empty.
// - It is older than the file being written: an earlier session, or an earlier split of this session. Numbers
//   that start again after the last one are older than the present one as long as they are greater.
// - No file system says that somebody has it open.
// Everything else stays, and is counted by foreign().
//
// A loop calls begin_file() after each file that begins, and step() beside tick(), which returns at once where there
// is nothing to do. Where append(), tick() or close() returns kNoSpace, it calls make_space() until `is_done`, and repeats
// that call. port/retention.md shows it.
//
// One thread. Costs nothing where it is not used, and 150 bytes of memory.
class Retention {
 public:
  // Time between two counts of the free space.
  static constexpr std::uint32_t kCheckMs = 10'000;
  // Entries of a folder that one call looks at.
  static constexpr unsigned kEntriesAtATime = 16;

  // Takes the folder, which must stay.
  Retention(LogFolder& folder, const RetentionLimits& limits) : folder_(folder), limits_(limits) {}

  // Starts again: the medium was away, or is another one. Call it before the folder is used again.
  void restart();

  // Tells which file is being written from now on.
  void begin_file(std::uint32_t session, std::uint32_t split);

  // Returns whether this is the file of the last begin_file().
  bool is_writing(std::uint32_t session, std::uint32_t split) const {
    return session == session_ && split == split_;
  }

  // Tells the time, in seconds since 1970; for RetentionLimits::age_s. A time before 2026 counts as not known.
  void set_time(std::int64_t unix_s) { unix_s_ = unix_s; }

  // Does what is due, a part of it. `now_ms` is a clock that may wrap. A failed call is repeated by the next one.
  // - kOk
  // - kMediumLost: call restart() when the medium is back
  // - kIoError: the folder has failed; the file or session that could not be read or removed is left alone
  Status step(std::uint32_t now_ms);

  // Does a part of removing the oldest file, whatever the limits say; for a call that returned kNoSpace, which
  // is repeated when `is_done`.
  // - kNoSpace: no file may go, or none is allowed to
  // - kMediumLost, kIoError: as step()
  Status make_space(bool& is_done);

  // Returns the number of files removed since the object was made; for facts::kFilesRemoved.
  std::uint32_t removed() const { return removed_; }
  // Returns the number of files with names of this log that were left alone since the last file began.
  std::uint32_t foreign() const { return foreign_; }
  // Returns whether there is nothing to do before the next file or the next count of free space.
  bool is_idle() const { return phase_ == Phase::kIdle; }

 private:
  enum class Phase : std::uint8_t { kIdle, kSpace, kSessions, kFiles, kProof, kRemoval, kEmptySession };

  bool drops() const { return limits_.when_full == WhenFull::kDropOldest; }
  bool has_totals() const { return limits_.bytes != 0 || limits_.files != 0; }
  std::uint64_t rank(std::uint32_t session, std::uint32_t split) const;
  bool is_over() const;
  bool is_old() const;
  void begin_walk(bool counts);
  void begin_round();
  void decide();
  Status work();
  Status count_space();
  Status look_at_sessions();
  Status look_at_files();
  void end_files();
  void leave_session();
  void end_walk();
  Status prove();
  Status remove();
  Status remove_session();
  void leave_alone();
  void forget_file();
  Status failed(Status status);

  LogFolder& folder_;
  RetentionLimits limits_;
  Phase phase_ = Phase::kIdle;
  bool listed_ = false;       // the list of the phase has begun
  bool counts_ = false;       // the walk adds up all files; otherwise it looks for the oldest
  bool recounts_ = true;      // the totals are not known
  bool is_due_ = false;       // a limit is reached
  bool asks_age_ = true;      // no file has gone for its age since the file began
  bool demanded_ = false;     // make_space() was called
  bool exhausted_ = false;    // no file may go
  bool has_found_ = false;    // the list had what was looked for
  bool has_entries_ = false;  // the session has files
  std::uint32_t session_ = ~std::uint32_t{0};  // file being written
  std::uint32_t split_ = ~std::uint32_t{0};
  std::uint32_t checked_ms_ = 0;
  std::uint32_t removed_ = 0;
  std::uint32_t foreign_ = 0;
  std::uint32_t files_ = 0;       // of the log, without the one being written
  std::uint64_t bytes_ = 0;       // of these
  std::uint64_t free_ = 0;        // counted last
  std::uint64_t floor_ = 0;       // rank below which the walk looks at nothing
  std::uint64_t left_alone_ = 0;  // rank below which all files that are there were left alone
  std::uint64_t least_ = 0;       // least rank found
  LogFile found_;                 // the file, or the session, of that rank
  std::int64_t unix_s_ = 0;
};

// Finds out whether a file is the log's: by its last footer, or by the begin of its first one where it was cut
// off. `folder` says whether an id is right. An empty file has nothing of anybody's, and counts as own. Statuses
// as File::read_at().
Status is_own_file(File& file, LogFolder& folder, const LogFile& listed, bool& is_own);

}  // namespace microparquet
