// host_log OUT.parquet: logs the machine's own live readings until Ctrl-C, and leaves a complete file.
//
// It shows the typed writer: the columns come from a struct (sample.h), the writer owns its memory and lies
// in .bss, each sample is one append(), and tick() tells the time, since the library has no clock of its own.
//
// Needs Linux and CLI11 (Debian: libcli11-dev).
#include <unistd.h>
#include <cerrno>
#include <chrono>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>

#include "microparquet/port/posix_file.h"
#include "microparquet/static_writer.h"
#include "microparquet/text/grouped_digits.h"
#include "readings.h"
#include "sample.h"
#include "settings.h"
#include "status_line.h"

namespace mpq = microparquet;

namespace host_log {

namespace {

constexpr mpq::Options make_options() {
  mpq::Options options;
  options.row_group_ms = 60'000;
  return options;
}
constexpr mpq::Options kOptions = make_options();

mpq::StaticWriter<kSchema, kOptions> writer;

using Clock = std::chrono::steady_clock;

// The signals that end the log. They stay blocked: wait_until() takes them where the program expects them.
sigset_t ending_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGHUP);
  return signals;
}

// Returns false when a signal came first.
bool wait_until(Clock::time_point time) {
  const sigset_t signals = ending_signals();
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(time - Clock::now()).count();
    constexpr std::int64_t kNanosPerSecond = 1'000'000'000;
    timespec timeout = {};
    if (left > 0) {
      timeout.tv_sec = static_cast<time_t>(left / kNanosPerSecond);
      timeout.tv_nsec = static_cast<long>(left % kNanosPerSecond);
    }
    if (sigtimedwait(&signals, nullptr, &timeout) > 0) {
      return false;
    }
    if (errno == EAGAIN) {
      return true;
    }
  }
}

std::uint32_t milliseconds_since(Clock::time_point start) {
  return static_cast<std::uint32_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count());
}

// Samples until the time is over or a signal comes.
mpq::Status log_samples(const Settings& settings) {
  const auto period =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1 / settings.hz));
  const Clock::time_point start = Clock::now();
  const Clock::time_point end = settings.seconds == 0
                                    ? Clock::time_point::max()
                                    : start + std::chrono::duration_cast<Clock::duration>(
                                                  std::chrono::duration<double>(settings.seconds));
  Readings readings;
  StatusLine status_line;
  for (Clock::time_point next = start + period; next <= end; next += period) {
    if (!wait_until(next)) {
      return mpq::Status::kOk;
    }
    const Sample sample = readings.take();
    if (const mpq::Status status = writer.append(sample); status != mpq::Status::kOk) {
      return status;
    }
    if (const mpq::Status status = writer.tick(milliseconds_since(start)); status != mpq::Status::kOk) {
      return status;
    }
    status_line.show(sample, writer.rows());
    if (Clock::now() > next + period) {
      next = Clock::now();  // the machine was asleep, or too slow for --hz: samples are left out
    }
  }
  return mpq::Status::kOk;
}

int fail(const Settings& settings, const std::string& what) {
  std::fprintf(stderr, "host_log: %s: %s\n", settings.output.c_str(), what.c_str());
  return 1;
}

std::string advice_for(int error) {
  switch (error) {
    case EEXIST: return "it exists; give another name, or --overwrite to replace it";
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

int run(const Settings& settings) {
  const auto existing =
      settings.overwrite ? mpq::PosixFile::Existing::kOverwrite : mpq::PosixFile::Existing::kRefuse;
  mpq::PosixFile file;
  if (file.create(settings.output.c_str(), existing) != mpq::Status::kOk) {
    return fail(settings, advice_for(file.last_errno()));
  }
  const std::string host = host_name();
  std::string stopped;
  if (writer.open(file) != mpq::Status::kOk || writer.set_key_value("host", host) != mpq::Status::kOk) {
    return fail(settings, std::strerror(file.last_errno()));
  }
  if (log_samples(settings) != mpq::Status::kOk) {
    stopped = std::strerror(file.last_errno());
    static_cast<void>(writer.set_key_value("microparquet.stopped", stopped));
  }
  if (writer.close() != mpq::Status::kOk || file.close() != mpq::Status::kOk) {
    return fail(settings, std::string("could not be completed: ") + std::strerror(file.last_errno()));
  }
  using mpq::text::grouped_digits;
  std::printf("%s\n  rows        %s\n  row groups  %s\n  bytes       %s\n  writer      %s bytes of memory\n",
              settings.output.c_str(), grouped_digits(writer.rows()).c_str(),
              grouped_digits(writer.row_groups()).c_str(), grouped_digits(writer.file_bytes()).c_str(),
              grouped_digits(sizeof writer).c_str());
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
  const sigset_t signals = host_log::ending_signals();
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files is answered as a full disk
  return host_log::run(settings);
}
