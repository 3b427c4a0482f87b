// host_log OUT.parquet: logs the machine's own live readings until Ctrl-C, and leaves a complete file.
//
// It shows columns that come from a struct (sample.h) and what encodes them chosen at run time (../common), each
// sample as one append(), and tick(), which tells the time, since the library has no clock of its own:
// checkpoints fall due by it, so that a crash or power cut costs the last samples only. With --append the log
// continues the file it finds.
//
// Needs Linux and CLI11 (Debian: libcli11-dev).
#include <unistd.h>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <string>

#include "host_settings.h"
#include "microparquet/port/posix_file.h"
#include "microparquet/text/grouped_digits.h"
#include "microparquet/text/printed_text.h"
#include "microparquet/text/progress_line.h"
#include "microparquet/text/quoted.h"
#include "next_files.h"
#include "readings.h"
#include "waiting.h"

namespace mpq = microparquet;

namespace host_log {

namespace {

using mpq::text::print_line;
using mpq::text::To;

constexpr Clock::duration kTick = std::chrono::milliseconds(100);
constexpr std::chrono::milliseconds kStatusPeriod(200);

// Tells the writer the time, and asks for the checkpoints that are due by the command line.
class Durability {
 public:
  Durability(Log& writer, const Settings& settings, const mpq::PosixFile& file, NextFiles& files)
      : writer_(writer), settings_(settings), file_(file), files_(files) {
    acknowledge();
  }

  // kMediumLost also when the file has lost its name: its rows are durable for nobody then.
  mpq::Status tick() {
    if (!files_.takes_samples()) {
      return mpq::Status::kOk;
    }
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start_).count();
    mpq::Status status = writer_.tick(static_cast<std::uint32_t>(ms));
    if (status == mpq::Status::kOk && settings_.checkpoint_seconds && Clock::now() >= next_) {
      status = writer_.checkpoint();
      next_ = Clock::now() + seconds(*settings_.checkpoint_seconds);
    }
    if (!file_.has_name()) {
      return mpq::Status::kMediumLost;
    }
    acknowledge();
    return files_.after(status);
  }

  // Counts the samples of another file from its own first one.
  void acknowledge() {
    if (path_ != files_.path()) {
      path_ = files_.path();
      acknowledged_ = 0;
    }
    if (settings_.ack && writer_.durable_rows() > acknowledged_) {
      acknowledged_ = writer_.durable_rows();
      status_line_.clear();
      print_line(To::kOutput, "durable " + std::to_string(acknowledged_));
      mpq::text::flush(To::kOutput);
    }
  }

  // The line in place of which the acknowledgements are printed.
  mpq::text::ProgressLine& status_line() { return status_line_; }

 private:
  Log& writer_;
  const Settings& settings_;
  const mpq::PosixFile& file_;
  NextFiles& files_;
  std::string path_ = files_.path();
  const Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = start_ + seconds(settings_.checkpoint_seconds.value_or(0));
  std::uint64_t acknowledged_ = 0;
  mpq::text::ProgressLine status_line_{kStatusPeriod, kStatusPeriod};
};

// Waits until it is time for a sample. kEnd: a signal came first.
mpq::Status wait_for_sample(Clock::time_point time, Durability& durability) {
  while (true) {
    const bool last = time - Clock::now() <= kTick;
    if (!wait_until(last ? time : Clock::now() + kTick)) {
      return mpq::Status::kEnd;
    }
    if (last) {
      return mpq::Status::kOk;
    }
    if (const mpq::Status status = durability.tick(); status != mpq::Status::kOk) {
      return status;
    }
  }
}

// Samples until the time is over or a signal comes, which is kEnd.
mpq::Status log_samples(Log& writer, const Settings& settings, Durability& durability, NextFiles& files) {
  const Clock::duration period = seconds(1 / settings.hz);
  const Clock::time_point start = Clock::now();
  const Clock::time_point end =
      settings.seconds == 0 ? Clock::time_point::max() : start + seconds(settings.seconds);
  Readings readings;
  mpq::text::ProgressLine& status_line = durability.status_line();
  for (Clock::time_point next = start + period; next <= end; next += period) {
    mpq::Status status = wait_for_sample(next, durability);
    if (status != mpq::Status::kOk) {
      return status;
    }
    const Sample sample = readings.take();
    const bool takes = files.takes_samples();
    if (takes) {
      status = writer.append(sample);
    }
    if (!takes || status != mpq::Status::kOk) {
      files.lose_sample();
      status = files.after(status);
    }
    if (status == mpq::Status::kOk) {
      status = durability.tick();
    }
    if (status != mpq::Status::kOk) {
      return status;
    }
    if (status_line.is_due()) {
      status_line.show(status_text(sample, writer.rows()));
    }
    if (Clock::now() > next + period) {
      next = Clock::now();  // the machine was asleep, or too slow for --hz: samples are left out
    }
  }
  return mpq::Status::kEnd;
}

int fail(const Settings& settings, const std::string& what) {
  tell(settings.output + ": " + what);
  return 1;
}

std::string advice_for(int error) {
  switch (error) {
    case EEXIST: return "it exists; give another name, --append to continue it, or --overwrite to replace it";
    case EWOULDBLOCK: return "another program is writing it; give another name";
    case ESPIPE: return "it is a pipe or a device; give the name of a file on a disk";
    case EISDIR: return "it is a folder; give the name of a file";
    default: return std::strerror(error);
  }
}

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

std::string advice_for(mpq::Status status, const mpq::PosixFile& file, const Settings& settings) {
  switch (status) {
    case mpq::Status::kSchemaMismatch: return "it is no file of this program and version; give another name";
    case mpq::Status::kNotParquet: return "it is no Parquet file; give another name";
    case mpq::Status::kCorrupt:
      return "it ends in the middle of a footer, as when its writing was cut short; mend it with: mpq "
             "recover " +
             mpq::text::shell_path(settings.output);
    default: return std::strerror(file.native_error());
  }
}

void print_summary(const Log& writer, const Settings& settings, const std::string& path,
                   std::uint64_t rows_before) {
  using mpq::text::grouped_digits;
  print_line(To::kOutput, path);
  print_line(To::kOutput, "  rows        " + grouped_digits(writer.rows()));
  if (settings.append) {
    print_line(To::kOutput, "  added       " + grouped_digits(writer.rows() - rows_before));
  }
  print_line(To::kOutput, "  row groups  " + grouped_digits(writer.row_groups()));
  print_line(To::kOutput, "  bytes       " + grouped_digits(writer.file_bytes()));
  print_line(To::kOutput, "  writer      " + grouped_digits(writer.memory_bytes()) + " bytes of memory");
}

// A file is replaced when its first sample is due: `begun` is false when a signal came before.
mpq::Status open(mpq::PosixFile& file, const Settings& settings, bool& begun) {
  const char* const path = settings.output.c_str();
  const bool keeps = settings.append || settings.overwrite;
  mpq::Status status = keeps ? file.open_for_append(path) : file.create(path);
  std::uint64_t bytes = 0;
  begun = true;
  if (status == mpq::Status::kOk && settings.overwrite && file.size(bytes) == mpq::Status::kOk &&
      bytes != 0) {
    begun = wait_until(Clock::now() + seconds(1 / settings.hz));
    status = begun ? file.create(path, mpq::Existing::kOverwrite) : status;
  }
  return status;
}

int run(Log& writer, const Settings& settings) {
  mpq::PosixFile file;
  bool begun = false;
  if (open(file, settings, begun) != mpq::Status::kOk) {
    return fail(settings, advice_for(file.native_error()));
  }
  if (!begun) {
    print_line(To::kOutput, settings.output + " is left as it was");
    return 0;
  }
  std::uint64_t bytes = 0;
  static_cast<void>(file.size(bytes));
  const bool is_new = bytes == 0;
  const std::string host = host_name();
  const mpq::Status status = writer.resume(file, is_new ? host : std::string_view());
  if (status != mpq::Status::kOk) {
    return fail(settings, advice_for(status, file, settings));
  }
  const std::uint64_t rows_before = writer.rows();
  NextFiles files(writer, file, settings.output);
  Durability durability(writer, settings, file, files);
  std::string stopped;
  const mpq::Status status_of_log = log_samples(writer, settings, durability, files);
  durability.status_line().clear();
  if (status_of_log != mpq::Status::kEnd) {
    stopped = file.has_name() ? std::strerror(file.native_error())
                              : "it was removed, renamed or replaced while it was written";
    if (is_new) {
      static_cast<void>(writer.set_key_value("microparquet.stopped", stopped));
    }
  }
  if (!files.takes_samples()) {
    return fail(settings,
                "no file takes a sample any more; " + std::to_string(files.lost_samples()) + " are lost");
  }
  const bool has_name = file.has_name();
  if (writer.close() != mpq::Status::kOk || file.close() != mpq::Status::kOk) {
    return fail(settings, std::string("could not be completed: ") + std::strerror(file.native_error()));
  }
  if (!has_name) {
    return fail(settings,
                "it was removed, renamed or replaced while it was written; the file that was there is "
                "complete, if it has another name now");
  }
  durability.acknowledge();
  print_summary(writer, settings, files.path(), files.path() == settings.output ? rows_before : 0);
  if (files.has_failed() && stopped.empty()) {
    return fail(settings, std::to_string(files.lost_samples()) + " samples are in no file; the log ends in " +
                              files.path());
  }
  return stopped.empty() ? 0 : fail(settings, stopped + "; the file is complete with the rows before that");
}

}  // namespace

}  // namespace host_log

int main(int argc, char** argv) {
  host_log::Settings settings;
  int exit_code = 0;
  if (!host_log::parse_command_line(argc, argv, settings, exit_code)) {
    return exit_code;
  }
  host_log::block_ending_signals();
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files is answered as a full disk
  host_log::Log log(settings);
  if (!log.fault().empty()) {
    host_log::tell(log.fault());
    return 1;
  }
  return host_log::run(log, settings);
}
