#include "next_files.h"

#include <cerrno>
#include <cstring>

#include "microparquet/compatible.h"
#include "microparquet/facts.h"
#include "waiting.h"

namespace host_log {

namespace mpq = microparquet;

namespace {

constexpr std::uint8_t kMaxKeyValues = 8;  // those of a new file, and the reason why it stopped

}  // namespace

Log::Log(const Settings& settings) : fields_(kSchema.fields) {
  for (mpq::Field& field : fields_) {
    field = encoded(field, settings);
  }
  options_.page_bytes = page_bytes_of(settings);
  options_.row_group_bytes = settings.row_group_bytes;
  options_.max_key_values = kMaxKeyValues;
  if (settings.compatible) {
    options_ = mpq::compatible(options_);
  }
  if (settings.page_index || !settings.bloom.empty()) {
    fault_ = index_.watch(fields_, settings);
    options_.layout = &index_.over(mpq::Schema(fields_), options_);
  }
  arena_bytes_ = required_bytes(mpq::Schema(fields_), options_);
  arena_.reset(new std::byte[arena_bytes_]);
}

mpq::Status Log::resume(mpq::File& file, std::string_view host) {
  const mpq::KeyValue about[] = {{mpq::facts::kDevice, host},
                                 {"unit.cpu_percent", "%"},
                                 {"unit.memory_used_bytes", "B"},
                                 {"unit.temperature_c", "\u00B0C"}};
  mpq::FileStart start;
  if (!host.empty()) {
    start.key_values = about;
  }
  return Writer::resume(file, mpq::Schema(fields_), options_, {arena_.get(), arena_bytes_}, start);
}

mpq::Status Log::append(const Sample& sample) {
  const mpq::Value row[] = {mpq::Value::of(sample.time_us), mpq::Value::of(sample.cpu_percent),
                            mpq::Value::of(sample.memory_used_bytes), mpq::Value::of(sample.load_1min),
                            sample.temperature_c ? mpq::Value::of(*sample.temperature_c) : mpq::Value()};
  return Writer::append(row);
}

using mpq::Status;

namespace {

constexpr std::uint32_t kMostFailures = 16;
constexpr std::uint32_t kMostFiles = 3;
constexpr double kRestSeconds = 60;

std::string numbered(const std::string& path, std::uint32_t number) {
  const std::size_t slash = path.find_last_of('/');
  const std::size_t point = path.find_last_of('.');
  const bool has_ending = point != std::string::npos && (slash == std::string::npos || point > slash + 1);
  const std::size_t end = has_ending ? point : path.size();
  return path.substr(0, end) + "-" + std::to_string(number) + path.substr(end);
}

}  // namespace

bool NextFiles::takes_samples() {
  if (!between_) {
    return true;
  }
  if (left_ >= kMostFiles && Clock::now() < next_try_) {
    return false;
  }
  return begin_next();
}

Status NextFiles::after(Status status) {
  if (status == Status::kOk) {
    failures_ = writer_.durable_rows() == failed_at_ ? failures_ : 0;
    return status;
  }
  if (status == Status::kCorrupt && writer_.checkpoint() == Status::kOk) {
    return Status::kOk;
  }
  if (status != Status::kCorrupt && status != Status::kIoError) {
    return status;
  }
  if (status == Status::kIoError && failures_++ == 0) {
    failed_at_ = writer_.durable_rows();
  }
  if (status == Status::kIoError && failures_ < kMostFailures) {
    return Status::kOk;
  }
  leave(status);
  static_cast<void>(begin_next());
  return Status::kOk;
}

// Leaves the file; its rows since the last checkpoint are lost.
void NextFiles::leave(Status status) {
  const std::uint64_t lost = writer_.rows() - writer_.durable_rows();
  const std::string why = status == Status::kCorrupt ? "it does not give back what was written"
                                                     : std::string(std::strerror(file_.native_error()));
  tell(path_ + ": " + why + "; " + std::to_string(lost) + " samples of it are lost");
  lost_samples_ += lost;
  left_ = has_new_row() ? 0 : left_ + 1;
  writer_.leave();
  static_cast<void>(file_.close());
  between_ = true;
  failures_ = 0;
  rest();
}

void NextFiles::rest() {
  next_try_ = Clock::now() + seconds(kRestSeconds);
  if (left_ >= kMostFiles) {
    tell(std::to_string(kMostFiles) + " files have taken no sample: one try a minute from now on");
  }
}

bool NextFiles::create(std::uint32_t number, mpq::Existing existing) {
  const std::string path = numbered(first_path_, number);
  if (file_.create(path.c_str(), existing) != Status::kOk) {
    return false;
  }
  number_ = number;
  path_ = path;
  return true;
}

// The name of a file without a durable row is used again once the disk is known to fail.
bool NextFiles::begin_next() {
  const bool again = left_ >= kMostFiles && number_ > 1;
  bool created = again && create(number_, mpq::Existing::kOverwrite);
  std::uint32_t number = number_ + 1;
  for (; !again && !(created = create(number, mpq::Existing::kRefuse)) && file_.native_error() == EEXIST;) {
    ++number;
  }
  if (created && writer_.roll(file_) == Status::kOk) {
    durable_before_ = 0;
    between_ = false;
    tell(path_ + ": the log continues here");
    return true;
  }
  tell(numbered(first_path_, again ? number_ : number) + ": " + std::strerror(file_.native_error()));
  static_cast<void>(file_.close());
  writer_.leave();
  ++left_;
  rest();
  return false;
}

}  // namespace host_log
