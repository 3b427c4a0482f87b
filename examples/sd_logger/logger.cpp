#include "logger.h"

#include "file_dates.h"
#include "microparquet/facts.h"
#include "microparquet/port/fatfs_space.h"
#include "sensor.h"

namespace mpq = microparquet;
namespace facts = microparquet::facts;
using mpq::Status;

namespace {

constexpr std::uint32_t kReportMs = 10'000;
constexpr std::uint32_t kNoticeMs = 30'000;  // time that the LED shows a state which is over
constexpr std::uint32_t kMaxFailures = 3;    // failures in a row after which the logger leaves a file
constexpr std::uint32_t kMaxFiles = 3;       // files left in a row without a row before the logger lets the
                                             // card rest
constexpr std::uint32_t kRestMs = 60'000;    // time from one try to the next then
// Space that a stream needs to begin a file: more than it leaves when the card is full.
constexpr std::uint32_t kLeastFile = 256 << 10;

// Whether the log only grows: its layout reserves no space.
constexpr bool is_stream() { return !kOptions.layout->in_place; }

}  // namespace

Logger::Logger(SampleQueue& queue, SerialConsole& console, const mpq::RollLimits& limits,
               const Keeping& keeping)
    : queue_(queue),
      console_(console),
      limits_(limits),
      keeping_(keeping),
      files_(kDeviceId, link_map_, volume_),
      retention_(folder_, keeping.limits) {}

void Logger::step(std::uint32_t now_ms) {
  now_ms_ = now_ms;
  tell_time();
  if (makes_space_) return make_space();
  if (!writes_ && now_ms - tried_ms_ >= kRetryMs) {
    tried_ms_ = now_ms;
    try_card();
  }
  if (log_ && writes_ && !closing_) take(write(*log_));
  if (writes_ && log_ && !closing_ && !makes_space_) keep();
  if (writes_ && closing_) take(close());
  if (writes_ && now_ms - state_ms_ >= kNoticeMs) show(CardState::kLogging);
  if (now_ms - reported_ms_ >= kReportMs) report();
}

void Logger::try_card() {
  if (const FRESULT mounted = f_mount(&volume_, "", 1); mounted != FR_OK) {
    was_away_ = was_away_ || mounted == FR_NOT_READY;
    failures_ = files_left_ = 0;  // they may have been another card's
    return show(why(mounted));
  }
  retention_.restart();
  if (rests() && now_ms_ - rests_ms_ < kRestMs) return;
  rests_ms_ = now_ms_;
  CardState found = state_ == CardState::kLosesWrites ? state_ : CardState::kLogging;
  Status status = log_ ? reconnect() : Status::kOk;
  if (status == Status::kSchemaMismatch) {
    found = CardState::kOtherCard;
    abandon();
    files_.end_session();
  } else if (status == Status::kWrongState) {
    if (log_->is_resting()) files_left_ = kMaxFiles;
    end_log();  // it was lost between two files
    closing_ = false;
  } else if (status != Status::kOk && fails_again()) {
    leave_file();
  }
  if (!log_ && was_away_) files_.end_session();  // this may be another card
  if (!log_) status = begin();
  const bool fails = !log_ && status != Status::kNoSpace && files_.file().is_open();
  if (fails && fails_again()) leave_file();
  writes_ = status == Status::kOk;
  was_away_ = was_away_ && !writes_;
  tell_retention();
  if (writes_) return show(found);
  makes_space_ = status == Status::kNoSpace && keeping_.limits.when_full == mpq::WhenFull::kDropOldest;
  if (makes_space_) return;
  show(status == Status::kNoSpace ? CardState::kFull : why(files_.result()));
}

// kWrongState: there is nothing to continue. So it is where a file was lost before it had rows, whose entry
// may not be written, and where all rows are durable, as at the end of a file.
Status Logger::reconnect() {
  const std::uint32_t before = writer_.lost_rows();
  Status status = files_.reopen();
  if (status == Status::kOk) status = writer_.reconnect(files_.file());
  if (status == Status::kOk) rows_lost_ += writer_.lost_rows() - before;
  // A card that fails now and then is no reason to leave a file: its rows become durable in between.
  if (status == Status::kOk && is_stream()) status = writer_.checkpoint();
  const bool all_durable = writer_.rows() == writer_.durable_rows();
  return status == Status::kSchemaMismatch && all_durable ? Status::kWrongState : status;
}

Status Logger::begin() {
  mpq::File* file = nullptr;
  static_cast<void>(files_.close());
  if (keeping_.boots_are_wakes && !has_woken_) {
    const Status woken = continue_last();
    has_woken_ = woken != Status::kMediumLost;
    if (woken == Status::kOk || woken == Status::kMediumLost) return woken;
  }
  Status status = rests() ? files_.again(file) : files_.next(file);
  writer_.reset();
  if (status == Status::kOk) status = open(*file, true);
  if (status == Status::kOk) status = reserve(kLeastFile);
  if (status == Status::kOk) log_.emplace(writer_, files_, limits_);
  return status;
}

// Continues the file of the last boot. One that cannot be continued stays as it is, and the next one begins.
Status Logger::continue_last() {
  mpq::File* file = nullptr;
  Status status = files_.open_last(file);
  writer_.reset();
  if (status != Status::kOk) return status;
  status = open(*file, false);
  if (status == Status::kOk) {
    log_.emplace(writer_, files_, limits_);
  } else {
    writer_.reset();
    if (status != Status::kMediumLost) files_.leave_last();
  }
  return status;
}

// Removes the oldest files ahead of need. A file that cannot be removed stays.
void Logger::keep() {
  tell_retention();
  if (retention_.step(now_ms_) == Status::kMediumLost) take(Status::kMediumLost);
}

// Removes the oldest file of a full card, a part in each step.
void Logger::make_space() {
  bool is_done = false;
  const Status status = retention_.make_space(is_done);
  if (status == Status::kOk && !is_done) return;
  if (status == Status::kIoError) return;  // of that file: the next one may go
  makes_space_ = false;
  if (status == Status::kMediumLost) return take(status);
  if (!writes_) tried_ms_ = now_ms_ - kRetryMs;  // at once
  if (status != Status::kNoSpace) return;
  closing_ = log_.has_value();
  tried_ms_ = now_ms_;
  show(CardState::kFull);
}

// Says which file is written, once for each.
void Logger::tell_retention() {
  const std::uint32_t session = files_.session_number();
  const std::uint32_t split = files_.split_number();
  if (session != 0 && !retention_.is_writing(session, split)) {
    folder_.set_folder(files_.folder());
    retention_.begin_file(session, split);
  }
}

void Logger::tell_time() {
  clock_.count(now_ms_);
  const std::int64_t unix_s = clock_.unix_s();
  if (unix_s == 0) return;
  files_.set_time(unix_s);
  retention_.set_time(unix_s);
  file_dates::set(unix_s);
}

// The file says where it is from before its first row. The strings stay where they are; session and split
// change with the path.
Status Logger::open(mpq::File& file, bool is_new) {
  const mpq::KeyValue key_values[] = {{facts::kDevice, kDeviceId},
                                      {facts::kFirmware, kFirmwareVersion},
                                      {facts::kSchemaVersion, kSchemaVersion},
                                      {facts::kSession, files_.session()},
                                      {facts::kSplit, files_.split()},
                                      {facts::kSamplingRate, sensor::rate_hz()},
                                      dropped_.key_value(queue_.dropped()),
                                      lost_.key_value(rows_lost()),
                                      removed_.key_value(retention_.removed()),
                                      kUnits[0],
                                      kUnits[1],
                                      kUnits[2],
                                      kUnits[3],
                                      kUnits[4],
                                      kUnits[5],
                                      kUnits[6],
                                      {facts::kStartedAt, clock_.started_at()}};
  constexpr std::size_t kAll = sizeof key_values / sizeof key_values[0];
  static_assert(kAll == kOptions.max_key_values);
  has_started_at_ = !clock_.started_at().empty();
  const mpq::Span<const mpq::KeyValue> known(key_values, has_started_at_ ? kAll : kAll - 1);
  const mpq::FileStart start{known, files_.file_id()};
  return is_new ? writer_.open(file, start) : writer_.resume(file, start);
}

// The writer takes none between two files: they come with the next call. A footer on its way goes out first.
void Logger::update_key_values() {
  static_cast<void>(dropped_.update(writer_, queue_.dropped()));
  static_cast<void>(lost_.update(writer_, rows_lost()));
  static_cast<void>(removed_.update(writer_, retention_.removed()));
  if (clock_.started_at().empty() || has_started_at_ || writer_.checkpoint_in_progress()) return;
  has_started_at_ = writer_.set_key_value(facts::kStartedAt, clock_.started_at()) == Status::kOk;
}

Status Logger::write(Log& log) {
  update_key_values();
  Status status = log.is_between_files() ? Status::kOk : reserve(0);
  if (status == Status::kOk) status = queue_.drain(log);
  if (writer_.durable_rows() != 0) files_left_ = 0;
  return status == Status::kOk ? log.tick(now_ms_) : status;
}

// A stream reserves nothing itself. A full card is found while there still is space for the row group in memory and
// for the footer that completes the file, also after a footer that was given up.
// `least_end`: it reaches so far at least.
Status Logger::reserve(std::uint64_t least_end) {
  if (!is_stream()) return Status::kOk;
  std::uint64_t end = 0;
  const Status status = files_.file().size(end);
  const std::uint64_t footer = std::uint64_t{writer_.checkpoint_sectors()} * FF_MAX_SS;
  end += kOptions.row_group_bytes + 2 * footer;
  return status == Status::kOk ? files_.file().reserve(end > least_end ? end : least_end) : status;
}

// The last numbers come with it, where a footer on its way can be finished: on a full card it may not. A file
// between two is complete already.
Status Logger::close() {
  if (writer_.checkpoint_in_progress()) {
    const Status finished = writer_.checkpoint();
    if (finished == Status::kIoError || finished == Status::kMediumLost) return finished;
  }
  static_cast<void>(lost_.update(writer_, rows_lost()));
  const Status status = end_file();
  if (status != Status::kOk && status != Status::kWrongState) return status;
  report();
  if (!sleeps_) static_cast<void>(files_.close());  // the next session cleans up if this fails
  files_.end_session();
  end_log();
  writes_ = closing_ = false;
  return Status::kOk;
}

// A wake leaves the pages open that the next one continues, and the space that the file has.
Status Logger::end_file() {
  if (!sleeps_) return dropped_.close(writer_, queue_.dropped());
  static_cast<void>(dropped_.update(writer_, queue_.dropped()));
  return writer_.checkpoint();
}

bool Logger::stop() {
  closing_ = log_.has_value();
  sleeps_ = kOptions.layout->checkpoints == mpq::CheckpointKind::kKeepPages && keeping_.boots_are_wakes;
  if (writes_) take(close());
  return !log_;
}

void Logger::take(Status status) {
  if (status == Status::kOk) return;
  if (status == Status::kNoSpace) {
    makes_space_ = keeping_.limits.when_full == mpq::WhenFull::kDropOldest && !closing_;
    if (makes_space_) return;
    closing_ = true;  // the file has space for that
    return show(CardState::kFull);
  }
  writes_ = false;
  tried_ms_ = now_ms_;
  static_cast<void>(files_.close());
  show(why(FR_DISK_ERR));
  // The file cannot continue if its block fails each time: the next file lies elsewhere on the card.
  if (state_ == CardState::kLosesWrites || fails_again()) leave_file();
}

// Whether the card was there each time, and no row has become durable in between.
bool Logger::fails_again() {
  const std::uint64_t durable = writer_.durable_rows();
  failures_ = durable == failed_at_ ? failures_ + 1 : 1;
  failed_at_ = durable;
  return failures_ > kMaxFailures;
}

// A card that takes no row of any file gets no more names, and is tried once a minute.
void Logger::leave_file() {
  files_left_ = writer_.durable_rows() == 0 ? files_left_ + 1 : 0;
  abandon();
  rests_ms_ = now_ms_;
  if (!rests()) files_.leave_file();
}

bool Logger::rests() const { return files_left_ >= kMaxFiles; }

std::uint32_t Logger::rows_lost() const {
  return rows_lost_ + static_cast<std::uint32_t>(log_ ? log_->lost_rows() : 0);
}

// The count of lost rows outlives the log that lost them.
void Logger::end_log() {
  rows_lost_ = rows_lost();
  log_.reset();
}

// Rows after the last footer are not on the card, or not known to be.
void Logger::abandon() {
  const bool is_counted = log_ && log_->is_between_files();
  if (!is_counted) rows_lost_ += static_cast<std::uint32_t>(writer_.rows() - writer_.durable_rows());
  writer_.reset();
  end_log();
  closing_ = false;
  failures_ = 0;
}

void Logger::show(CardState state) {
  if (state == state_) return;
  state_ = state;
  state_ms_ = now_ms_;
  report();
}

// Says what a format of the card would mend.
void Logger::report_costs() {
  const mpq::VolumeCosts costs = mpq::costs_of(volume_);
  if (costs.small_clusters) console_.print("; clusters below 16 KiB");
  if (costs.unaligned) console_.print("; clusters not aligned to 16 KiB");
}

void Logger::report() {
  reported_ms_ = now_ms_;
  console_.print(now_ms_).print(" ms, ").print(to_string(state_));
  if (log_ && !log_->is_between_files()) {  // else the path is the next file's, and the rows are not
    console_.print(": ").print(files_.path()).print(", ").print(writer_.rows()).print(" rows, ");
    console_.print(writer_.durable_rows()).print(" durable");
  }
  console_.print("; ").print(std::uint64_t{queue_.dropped()}).print(" dropped, ");
  console_.print(std::uint64_t{rows_lost()}).print(" lost");
  if (files_.has_left_folder()) console_.print("; a folder is damaged, LOG or one in it: check the card");
  if (writes_) report_costs();
  if (rests()) console_.print("; no file takes a row: tried once a minute");
  console_.print("\n");
}
