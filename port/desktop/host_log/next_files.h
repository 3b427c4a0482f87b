// The file of the log, and the next ones where one fails for good.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "host_settings.h"
#include "microparquet/file.h"
#include "microparquet/port/posix_file.h"
#include "microparquet/status.h"
#include "microparquet/writer.h"
#include "readings.h"
#include "waiting.h"

namespace host_log {

// The columns are those of Sample, encoded as the settings say.
class Log : public microparquet::Writer {
 public:
  explicit Log(const Settings& settings);

  // The fault of the settings, for people; empty: there is none, and the other functions may be called.
  const std::string& fault() const { return fault_; }
  // Resumes like Writer::resume(). A new file names its `host` and the units of its columns; `host` must
  // stay, and is empty for a file that exists.
  microparquet::Status resume(microparquet::File& file, std::string_view host);
  // Appends like Writer::append().
  microparquet::Status append(const Sample& sample);

  std::size_t memory_bytes() const { return sizeof *this + arena_bytes_; }

 private:
  decltype(kSchema.fields) fields_;
  FileIndex index_;  // index whose layout the options name, if pages are to have one
  microparquet::Options options_;
  std::string fault_;
  std::size_t arena_bytes_;
  std::unique_ptr<std::byte[]> arena_;
};

// A file fails for good that does not give back what was written, also to a checkpoint, or that answers kIoError time after
// time until a sample more is durable: calls in between that only take samples succeed. The next one is called OUT-2.parquet then, or by the first number that is free. Where three files in a row have
// failed before one sample was durable it is the disk: one try a minute then, under the same name.
class NextFiles {
 public:
  // All are the caller's and must stay. The writer has begun or resumed `file`, which has the name `path`.
  NextFiles(Log& writer, microparquet::PosixFile& file, const std::string& path)
      : writer_(writer),
        file_(file),
        first_path_(path),
        path_(path),
        durable_before_(writer.durable_rows()) {}

  // Whether samples can be written: not while the disk is left in peace, where the caller counts them as lost.
  bool takes_samples();
  // Call it after a call of the writer has answered `status`. kOk: the log continues, here or in another
  // file. Otherwise the log ends.
  microparquet::Status after(microparquet::Status status);
  // A sample that was not taken.
  void lose_sample() { ++lost_samples_; }

  const std::string& path() const { return path_; }
  // Samples lost of all files that were left, and those that no file has taken.
  std::uint64_t lost_samples() const { return lost_samples_; }
  bool has_failed() const { return number_ > 1 || lost_samples_ != 0; }

 private:
  bool has_new_row() const { return writer_.durable_rows() != durable_before_; }
  void leave(microparquet::Status status);
  void rest();
  bool begin_next();
  bool create(std::uint32_t number, microparquet::Existing existing);

  Log& writer_;
  microparquet::PosixFile& file_;
  std::string first_path_;
  std::string path_;
  std::uint64_t durable_before_;  // rows of the file, when it was begun
  std::uint64_t lost_samples_ = 0;
  std::uint32_t number_ = 1;     // number of the file
  std::uint32_t failures_ = 0;   // calls that failed since a sample became durable
  std::uint64_t failed_at_ = 0;  // durable rows at the first of them
  std::uint32_t left_ = 0;       // files, in a row, without a durable row
  bool between_ = false;         // the file was left, and no other one has begun
  Clock::time_point next_try_;   // time of the next try, if left_ counts enough files
};

}  // namespace host_log
