// What a Logger does where its card is full: older files of it make place.
#pragma once

#include <cstdint>

#include "microparquet/dropped_rows.h"
#include "microparquet/facts.h"
#include "microparquet/port/numbered_path.h"
#include "microparquet/retention.h"
#include "microparquet/status.h"
#include "microparquet/writer.h"

namespace microparquet {

// Removes files of a log, for LoggerCore. A log without one links none of it.
class LoggerKeeper {
 public:
  // Begins on a card that was started, before anything takes a cluster there. kIoError: a removal that was
  // interrupted is not finished; nothing may be written until this is repeated.
  virtual Status start(const NumberedPath& log) = 0;
  // Tells which file is written from now on.
  virtual void begin_file(std::uint32_t number) = 0;
  // Returns the size at which the next file begins, so that a file is a small part of what is kept.
  virtual std::uint64_t max_file_bytes() = 0;
  // Does a part of what is due, after a row was taken.
  virtual void step(std::uint32_t now_ms) = 0;
  // Removes the oldest file if a call has failed because the card is full. True: repeat the call.
  virtual bool make_space(Status failure) = 0;
  // Tells the file how many files were removed: one that the writer has opened, and before a checkpoint, with the time
  // since 1970 if it is known, else 0.
  virtual void begin_note(Writer& writer) = 0;
  // See begin_note().
  virtual void note(Writer& writer, std::int64_t unix_ms) = 0;
  // Returns how many were.
  virtual std::uint32_t removed() const = 0;

  // Returns whether a removal has failed half-way: nothing may be written until start() was kOk.
  bool has_failed() const { return has_failed_; }
  // Returns whether the card is full, and no older file may go.
  bool is_full() const { return is_full_; }

 protected:
  ~LoggerKeeper() = default;

  bool has_failed_ = false;  // see has_failed()
  bool is_full_ = false;     // see is_full()
};

// The folder of a Logger's files, whose free space is known once the card was full.
class LoggerFolder : public LogFolder {
 public:
  // See LoggerKeeper.
  virtual Status start(const NumberedPath& log) = 0;
  // See LoggerKeeper.
  virtual void begin_file(std::uint32_t number) = 0;
  // Counts the free bytes, which takes as long as the library does. kIoError: it cannot.
  virtual Status count(std::uint64_t& bytes) = 0;
  // Returns whether a removal has failed half-way.
  virtual bool has_failed() const = 0;
  // Returns the size of the volume, in bytes.
  virtual std::uint64_t volume_bytes() = 0;

 protected:
  ~LoggerFolder() = default;
};

// Keeper of the files in a folder. One thread.
class LoggerRetention final : public LoggerKeeper {
 public:
  // Takes the folder, which must stay.
  LoggerRetention(LoggerFolder& folder, const RetentionLimits& limits)
      : folder_(folder), most_bytes_(limits.bytes), retention_(folder, limits) {}

  Status start(const NumberedPath& log) override;
  void begin_file(std::uint32_t number) override;
  std::uint64_t max_file_bytes() override;
  void step(std::uint32_t now_ms) override;
  bool make_space(Status failure) override;
  void begin_note(Writer& writer) override { static_cast<void>(count_.begin(writer, removed())); }
  void note(Writer& writer, std::int64_t unix_ms) override;
  std::uint32_t removed() const override { return retention_.removed(); }

 private:
  LoggerFolder& folder_;
  const std::uint64_t most_bytes_;  // limit of all files; 0: none
  Retention retention_;
  bool has_space_ = false;  // there was some when a call failed, and none has succeeded since
  DroppedRows count_{facts::kFilesRemoved};
};

}  // namespace microparquet
