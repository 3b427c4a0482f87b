#include "microparquet/port/logger_keeper.h"

namespace microparquet {

namespace {

constexpr std::uint32_t kOnlySession = 1;
// Failures of a removal, each of another file, after which the call that needs space fails.
constexpr unsigned kMostRefusals = 8;
constexpr unsigned kFilesKept = 8;  // at least, of a log that fills its card
constexpr std::uint64_t kLeastFileBytes = 1 << 20;

}  // namespace

Status LoggerRetention::start(const NumberedPath& log) {
  retention_.restart();
  is_full_ = has_space_ = false;
  const Status status = folder_.start(log);
  has_failed_ = status != Status::kOk;
  return status;
}

void LoggerRetention::begin_file(std::uint32_t number) {
  if (retention_.is_writing(kOnlySession, number)) return;
  folder_.begin_file(number);
  retention_.begin_file(kOnlySession, number);
  is_full_ = has_space_ = false;
}

std::uint64_t LoggerRetention::max_file_bytes() {
  std::uint64_t bytes = folder_.volume_bytes();
  if (most_bytes_ != 0 && most_bytes_ < bytes) bytes = most_bytes_;
  return bytes / kFilesKept > kLeastFileBytes ? bytes / kFilesKept : kLeastFileBytes;
}

// A file that cannot be listed, read or removed is left alone, and the log continues.
void LoggerRetention::step(std::uint32_t now_ms) {
  is_full_ = has_space_ = false;
  if (!has_failed_) static_cast<void>(retention_.step(now_ms));
  has_failed_ = folder_.has_failed();
}

void LoggerRetention::note(Writer& writer, std::int64_t unix_ms) {
  constexpr std::int64_t kMillis = 1000;
  if (unix_ms != 0) retention_.set_time(unix_ms / kMillis);
  static_cast<void>(count_.update(writer, removed()));
}

// A library that does not say why a call has failed is asked for the free space: a card that has some is not full, but
// fails, and no file goes for that.
bool LoggerRetention::make_space(Status failure) {
  if (is_full_ || has_space_ || has_failed_) return false;
  if (failure != Status::kNoSpace && failure != Status::kIoError) return false;
  std::uint64_t free = 0;
  if (folder_.count(free) != Status::kOk) return false;
  has_space_ = failure == Status::kIoError && free != 0;
  if (has_space_) return false;
  bool is_done = false;
  unsigned refusals = 0;
  while (!is_done && !has_failed_ && refusals < kMostRefusals) {
    const Status status = retention_.make_space(is_done);
    has_failed_ = folder_.has_failed();
    is_full_ = status == Status::kNoSpace;
    if (is_full_ || status == Status::kMediumLost) return false;
    if (status != Status::kOk) ++refusals;
  }
  return is_done;
}

}  // namespace microparquet
