#include "microparquet/port/logger_core.h"

#include <new>

#include "microparquet/detail/card_plan.h"

namespace microparquet {

namespace {

constexpr std::uint32_t kRetryMs = 2000;  // time between two tries of the card
constexpr unsigned kMostTries = 3;  // failures of a file on a card that is there, until the next one begins
constexpr unsigned kMostFiles = 3;  // consecutive files without a row, after which the card is at fault
constexpr std::uint32_t kRestMs = 60'000;  // time between two tries of such a card

// Length in a footer of each column of each row group, about.
constexpr std::uint32_t kFooterBytesPerChunk = 64;
// A footer is due when its length, spread over the time since the last one, is this many bytes a second:
// those of a small file come soon. No more than LoggerCore::max_loss_ms() is lost.
constexpr std::uint32_t kFooterBytesPerS = 50;
constexpr std::int64_t kMinCheckpointMs = 10'000;
// A longer footer would keep a card busy until samples are missed, so the next file follows.
constexpr std::uint32_t kMaxFooterBytes = 128 << 10;

constexpr char kTooLong[] = "over 64 bytes of text in a row; left out";
constexpr std::int64_t kMicrosInMs = 1000;
constexpr std::int64_t kMillisInSecond = 1000;
constexpr std::int64_t kEarliest = 315'532'800;   // 1980, in seconds
constexpr std::int64_t kLatest = 10'000'000'000;  // 2286

// Returns the text's length, or `most` and one.
std::size_t length(const char* text, std::size_t most) {
  std::size_t bytes = 0;
  while (bytes <= most && text[bytes] != 0) ++bytes;
  return bytes;
}

// Puts `text` at `to`, as far as it fits before `end`, with a zero after it. Returns where it ends.
char* put(char* to, const char* end, std::string_view text) {
  for (const char letter : text) {
    if (to != end) *to++ = letter;
  }
  *to = 0;
  return to;
}

// Makes objects at `at`, which is then their end.
template <typename Type>
Type* made(std::byte*& at, std::size_t count) {
  Type* const first = new (at) Type;
  for (std::size_t i = 1; i < count; ++i) static_cast<void>(new (at + i * sizeof(Type)) Type);
  at += count * sizeof(Type);
  return first;
}

// Returns whether the same file may take the call when it is repeated, since the card may be at fault. After
// any other failure the file cannot be continued.
bool may_be_repeated(Status status) {
  return status == Status::kIoError || status == Status::kMediumLost || status == Status::kNoSpace ||
         status == Status::kWrongState;
}

}  // namespace

LoggerCore::LoggerCore(LoggerBoard& board, const LoggerMemory& memory)
    : board_(board), memory_(memory), status_(Status::kWrongState) {
  static_cast<void>(put(message_, message_ + sizeof message_ - 1, "begin() comes first"));
}

bool LoggerCore::begin(std::string_view name, const LoggerExtras& extras) {
  if (begun_) static_cast<void>(end());
  if (!path_.begin(name))
    return refuse(Status::kInvalidArgument, nullptr, "a log's name has 1 to 6 letters or digits");
  place_extras(extras);
  end_values();
  columns_ = 0;
  fixed_ = is_set_ = clock_set_ = open_ = writing_ = tried_ = is_full_ = no_memory_ = false;
  lost_rows_ = after_failed_ = begun_number_ = files_failed_ = 0;
  tries_ = 0;
  begun_ = true;
  status_ = Status::kOk;
  seen_ms_ = board_.now_ms();
  now_ms_ = checkpoint_ms_ = 0;
  started_ = start_card();
  if (started_) return true;
  fail(Status::kIoError);
  tried_ = true;
  tried_ms_ = seen_ms_;
  return refuse(Status::kIoError, nullptr, trouble_);
}

std::byte* LoggerCore::take_memory(std::size_t bytes) {
  if (begun_) return nullptr;
  taken_bytes_ = static_cast<std::uint16_t>(taken_bytes_ + bytes);
  return memory_.arena.data() + memory_.arena.size() / kArenaAlign * kArenaAlign - taken_bytes_;
}

bool LoggerCore::set_pace(const LoggerPace& pace) {
  static_assert(sizeof(LoggerPace) <= kPaceBytes);
  if (begun_) return false;
  if (pace_ == nullptr) pace_ = new (take_memory(kPaceBytes)) LoggerPace;
  *pace_ = pace;
  return true;
}

// Makes the card usable, and finishes there what a power cut has interrupted.
bool LoggerCore::start_card() { return board_.start() && begin_keeper() == Status::kOk; }

Status LoggerCore::begin_keeper() { return keeper_ == nullptr ? Status::kOk : keeper_->start(path_); }

// Removes older files ahead of need, a part after each row. After a removal that has failed half-way nothing may take a
// cluster before it is finished.
void LoggerCore::keep_newest() {
  if (keeper_ == nullptr || !writing_) return;
  keeper_->step(seen_ms_);
  if (keeper_->has_failed()) fail(Status::kIoError);
}

// Puts into the arena what the extras need, the last things first.
void LoggerCore::place_extras(const LoggerExtras& extras) {
  const std::size_t all = memory_.columns.size() + kOwnColumns;
  const bool has_any = extras.clock != nullptr || extras.mark != nullptr;
  extras_ = extras;
  anchors_ = nullptr;
  fields_ = memory_.fields;
  row_ = memory_.values;
  if (!has_any) return;
  std::byte* at = memory_.arena.data() + arena_bytes();
  if (extras.clock != nullptr) {
    anchors_ = new (at) ClockAnchors;
    at += sizeof(ClockAnchors);
  }
  row_ = Span<Value>(made<Value>(at, all), all);
  fields_ = Span<Field>(made<Field>(at, all), all);
}

void LoggerCore::set_time(std::int64_t unix_seconds) {
  if (!begun_ || unix_seconds < kEarliest || unix_seconds >= kLatest) return;
  count_time();
  unix_ms_ = unix_seconds * 1000 - now_ms_;
  clock_set_ = is_set_ = true;
  note_anchor(*this);
}

Status LoggerCore::begin_clock(LoggerCore& core) {
  std::uint32_t boots = 0;
  core.anchors_->begin(core.writer_);
  const Status status = core.clock_set_ ? Status::kOk : core.writer_.count_inherited(facts::kClock, boots);
  return boots >= ClockAnchors::kMostBoots ? Status::kLimitReached : status;
}

// Tells the file when its rows without a date were. What it does not take now, it takes before a checkpoint.
void LoggerCore::note_anchor(LoggerCore& core) {
  tell_date(core);
  if (!core.open_ || !core.has_date_ || !core.has_undated_) return;
  if (core.is_set_) {
    core.is_set_ =
        core.anchors_->add(core.writer_, core.now_ms_, core.unix_ms_ + core.now_ms_) != Status::kOk;
  }
  if (!core.is_set_) static_cast<void>(core.anchors_->update(core.writer_));
}

// Advances the clock. Rows are less than the 49 days apart after which it wraps.
void LoggerCore::count_time() {
  const std::uint32_t now_ms = board_.now_ms();
  now_ms_ += now_ms - seen_ms_;
  seen_ms_ = now_ms;
}

// Reports a failure with the text `about: text`.
bool LoggerCore::refuse(Status status, const char* about, const char* text) {
  status_ = status;
  const char* const end = message_ + sizeof message_ - 1;
  char* to = message_;
  if (about != nullptr)
    to = put(put(to, end, {about, length(about, LoggerColumn::kMaxNameBytes)}), end, ": ");
  static_cast<void>(put(to, end, text));
  return false;
}

// Begins a row if there is none, and forgets the last row's fault. Returns whether it may have values.
bool LoggerCore::begin_row() {
  if (!begun_) return refuse(Status::kWrongState, nullptr, "begin() comes first");
  if (in_row_) return true;
  in_row_ = true;
  status_ = Status::kOk;
  count_time();
  row_ms_ = now_ms_;
  return true;
}

void LoggerCore::end_values() {
  for (Value& value : row_) value = {};
  values_ = 0;
  text_bytes_ = 0;
  expected_ = 0;
  in_row_ = false;
}

void LoggerCore::add(const char* name, const LoggerType& type, const Value& value) {
  if (begin_row()) take(name, type, value);
}

void LoggerCore::add_text(const char* name, const char* text) {
  Value value;
  if (!begin_row()) return;
  if (copy_text(text, value)) return take(name, kLoggerText, value);
  static_cast<void>(refuse(Status::kValueTooLarge, name, kTooLong));
}

void LoggerCore::mark(const char* text) {
  if (!begin_row()) return;
  const auto left_out = [&](Status status, const char* why) {
    static_cast<void>(refuse(status, kMarkName.data(), why));
  };
  if (text == nullptr) return left_out(Status::kInvalidArgument, "no text; left out");
  if (!mark_of_row().null) return left_out(Status::kInvalidArgument, "twice in a row; left out");
  if (fixed_ && !has_mark_) return refuse_mark();
  if (!copy_text(text, mark_of_row())) return left_out(Status::kValueTooLarge, kTooLong);
  ++values_;
}

void LoggerCore::refuse_mark() {
  static_cast<void>(
      refuse(Status::kSchemaMismatch, kMarkName.data(), "the first row has a column of this name; left out"));
}

// Returns false if there is no space for the text. Null: no text.
bool LoggerCore::copy_text(const char* text, Value& copied) {
  if (text == nullptr) return true;
  const std::size_t left = sizeof text_ - text_bytes_;
  const std::size_t bytes = length(text, left);
  if (bytes > left) return false;
  char* const copy = text_ + text_bytes_;
  for (std::size_t i = 0; i < bytes; ++i) copy[i] = text[i];
  text_bytes_ += bytes;
  copied = Value::of_bytes(std::string_view(copy, bytes));
  return true;
}

void LoggerCore::take(const char* name, const LoggerType& type, const Value& value) {
  const auto left_out = [&](Status status, const char* text) {
    static_cast<void>(refuse(status, name, text));
  };
  const std::size_t bytes = name == nullptr ? 0 : length(name, LoggerColumn::kMaxNameBytes);
  if (bytes == 0 || bytes > LoggerColumn::kMaxNameBytes)
    return left_out(Status::kInvalidArgument, "a column's name has 1 to 23 bytes; left out");
  const std::string_view text(name, bytes);
  std::size_t index = find(text);
  if (index == columns_ && fixed_) return left_out(Status::kSchemaMismatch, "not in the first row; left out");
  if (index == columns_) index = name_column(text, type);
  if (index == columns_) return left_out(Status::kOutOfMemory, "the Logger has no more columns; left out");
  if (memory_.columns[index].type != &type)
    return left_out(Status::kSchemaMismatch, "of another type in the first row; left out");
  Value& place = row_[first_named() + index];
  if (!place.null) return left_out(Status::kInvalidArgument, "twice in a row; left out");
  place = value;
  expected_ = index + 1;
  ++values_;
}

// Returns the index of a named column, columns_ if there is none. Columns usually come in the same order in each row.
std::size_t LoggerCore::find(std::string_view name) const {
  for (std::size_t i = 0; i < columns_; ++i) {
    std::size_t index = expected_ + i;
    if (index >= columns_) index -= columns_;
    if (name == memory_.columns[index].name) return index;
  }
  return columns_;
}

// Returns the index of a new column, columns_ if there is no place.
std::size_t LoggerCore::name_column(std::string_view name, const LoggerType& type) {
  if (columns_ == memory_.columns.size()) return columns_;
  LoggerColumn& column = memory_.columns[columns_];
  static_cast<void>(put(column.name, column.name + LoggerColumn::kMaxNameBytes, name));
  column.type = &type;
  return columns_++;
}

bool LoggerCore::end_row() {
  if (!begun_) return refuse(Status::kWrongState, nullptr, "begin() comes first");
  const bool none_taken = values_ == 0;
  if (none_taken && (!in_row_ || status_ == Status::kOk))
    static_cast<void>(refuse(Status::kInvalidArgument, nullptr, "end_row() without a value"));
  if (!none_taken && columns_ == 0) {
    in_row_ = false;
    return refuse(Status::kInvalidArgument, nullptr,
                  "the first row has a mark alone, which waits for values");
  }
  if (!none_taken) {
    if (!fixed_) fix_columns();
    if (extras_.mark != nullptr && !has_mark_ && !mark_of_row().null) refuse_mark();
    write_row();
  }
  end_values();
  return status_ == Status::kOk;
}

bool LoggerCore::end() {
  if (!begun_) return refuse(Status::kWrongState, nullptr, "begin() comes first");
  status_ = Status::kOk;
  const std::uint32_t lost_before = lost_rows_;
  bool complete = open_ ? writing_ && checkpoint() : lost_rows_ == 0;
  if (open_ && !complete) complete = end_after_failure() && lost_rows_ == lost_before;
  leave_file();
  begun_ = false;
  return complete || refuse(Status::kIoError, nullptr, "the card has not taken the last rows");
}

// Ends the file after a failure. It needs a footer although there may be no rows for one: see try_card().
bool LoggerCore::end_after_failure() {
  tried_ = false;
  try_card();
  return writing_ && writer_.close() == Status::kOk;
}

void LoggerCore::fix_columns() {
  const std::size_t first = first_named();
  has_time_ = true;
  has_mark_ = extras_.mark != nullptr;
  for (std::size_t i = 0; i < columns_; ++i) {
    const LoggerColumn& column = memory_.columns[i];
    const std::string_view name = column.name;
    has_time_ = has_time_ && name != kTimeName && name != kUptimeName;
    has_mark_ = has_mark_ && name != kMarkName;
    fields_[first + i] = field_of(name, *column.type).as_optional();
  }
  has_date_ = has_time_ && extras_.clock != nullptr;
  fields_[first - 1] = field_of(kTimeName, kLoggerTimestamp).as_optional();
  if (has_time_) fields_[first_column()] = field_of(kUptimeName, kLoggerInt64);
  if (has_time_) fields_[first_column()].bounds = fields_[first - 1].bounds = &kInt64Bounds;
  if (has_mark_) fields_[first + columns_] = field_of(kMarkName, *extras_.mark).as_optional();
  fixed_ = true;
}

// Plans a file. With fewer columns the spare memory makes row groups larger, and the file has fewer of them.
void LoggerCore::plan_file() {
  options_ = options_of(kLeastRowGroup, key_values());
  const std::size_t spare = arena_bytes() - Writer::required_bytes(schema(), options_);
  const detail::ArenaPlan least = detail::plan_arena(schema(), options_);
  options_.row_group_bytes = static_cast<std::uint32_t>(least.bytes - least.pages + spare);
  if (pace_ != nullptr && pace_->plan != nullptr) pace_->plan(*this);
}

// A checkpoint has a row at least: a device that sleeps makes one at each wake.
void LoggerCore::plan_tails(LoggerCore& core) {
  const Schema schema = core.schema();
  std::uint32_t row_bytes = 1;
  for (const Field& field : schema) row_bytes += value_bytes(field.type, field.type_length);
  std::uint64_t bytes =
      detail::bytes_between_checkpoints({core.pace_->rows_per_hour, row_bytes}, core.max_loss_ms());
  if (bytes < row_bytes) bytes = row_bytes;
  if (!detail::fills_slowly(bytes, core.options_.row_group_bytes)) return;
  const auto with_key_values = [&core](Options options) {
    options.max_key_values = core.options_.max_key_values;
    options.checkpoint_ms = 0;  // end_row() makes checkpoints
    return options;
  };
  const auto ram_of = [&](const Options& options) {
    return Writer::required_bytes(schema, with_key_values(options));
  };
  const Options tailed = detail::plan_tails(core.max_loss_ms(), 0, core.arena_bytes(), ram_of);
  if (ram_of(tailed) <= core.arena_bytes()) core.options_ = with_key_values(tailed);
}

Schema LoggerCore::schema() const {
  return Schema(fields_.data() + first_column(), end_column() - first_column());
}

// Takes a row. While the card is away it takes rows as long as the memory lasts.
void LoggerCore::write_row() {
  if (!writing_) try_card();
  if (writing_ && (footer_bytes() > kMaxFooterBytes || is_long())) next_file();
  Status status = append();
  while (status != Status::kOk && made_space(status)) status = append();
  if (status != Status::kOk && writing_) {
    fail(status);
    if (writing_) status = append();  // tries the next file
  }
  if (status != Status::kOk) ++lost_rows_;
  no_memory_ = status != Status::kOk;
  if (writing_ && checkpoint_is_due()) static_cast<void>(checkpoint());
  keep_newest();
  if (writing_) return;
  static_cast<void>(refuse(names_left_ ? Status::kIoError : Status::kLimitReached, nullptr, trouble_));
}

Status LoggerCore::append() {
  if (!open_ || (no_memory_ && !writing_)) return Status::kIoError;
  const std::size_t first = first_column();
  if (has_date_) row_[first + 1] = clock_set_ ? Value::of((unix_ms_ + row_ms_) * kMicrosInMs) : Value();
  if (has_time_) row_[first] = Value::of(row_ms_);
  if (has_mark_) row_[first_named() + columns_] = mark_of_row();
  const Status status = writer_.append(Writer::Row(row_.data() + first, end_column() - first));
  has_undated_ = has_undated_ || (status == Status::kOk && !clock_set_);
  return status;
}

std::uint32_t LoggerCore::footer_bytes() const {
  return writer_.row_groups() * static_cast<std::uint32_t>(schema().size()) * kFooterBytesPerChunk;
}

// Returns whether the file could soon be longer than its file system allows: by a row group and a footer
// for each of which there is twice the space. In place a sixteenth is left for a segment.
bool LoggerCore::is_long() {
  constexpr unsigned kShareOfSegment = 16;
  std::uint64_t bytes = 0;
  std::uint64_t more = 2 * (std::uint64_t{options_.row_group_bytes} + kMaxFooterBytes);
  std::uint64_t most = board_.max_file_bytes();
  if (keeper_ != nullptr && keeper_->max_file_bytes() < most) most = keeper_->max_file_bytes();
  if (board_.file().size(bytes) != Status::kOk) return false;
  if (options_.layout->in_place) more += bytes / kShareOfSegment;
  return bytes + more > most;
}

bool LoggerCore::checkpoint_is_due() const {
  const std::int64_t pays_ms = footer_bytes() * (1000 / kFooterBytesPerS);
  const std::int64_t elapsed_ms = now_ms_ - checkpoint_ms_;
  return elapsed_ms >= max_loss_ms() || (elapsed_ms >= kMinCheckpointMs && elapsed_ms >= pays_ms);
}

// Makes a checkpoint, which leaves a complete file that the writer can continue.
bool LoggerCore::checkpoint() {
  checkpoint_ms_ = now_ms_;
  if (extras_.clock != nullptr) extras_.clock->note(*this);
  if (keeper_ != nullptr) keeper_->note(writer_, clock_set_ ? unix_ms_ + now_ms_ : 0);
  Status status = writer_.checkpoint();
  if (status == Status::kCorrupt) status = writer_.checkpoint();  // the bytes may have been misread
  while (status != Status::kOk && made_space(status)) status = writer_.checkpoint();
  if (status != Status::kOk) {
    fail(status);
    return false;
  }
  tries_ = 0;
  is_full_ = false;
  if (has_new_row()) files_failed_ = 0;
  return true;
}

bool LoggerCore::has_new_row() const { return open_ && writer_.durable_rows() != durable_before_; }

// Gives up the file, with the rows that are not durable.
void LoggerCore::leave_file() {
  if (open_) lost_rows_ += static_cast<std::uint32_t>(writer_.rows() - writer_.durable_rows());
  writer_.reset();
  board_.close();
  is_set_ = has_undated_ = false;
  open_ = writing_ = is_full_ = false;
  tries_ = 0;
}

// Leaves a file that has failed for good on a card that has not: the next one begins, now or with the next
// try. The name of a file without a row is used again if the card turns out to be at fault.
void LoggerCore::leave_failed_file() {
  files_failed_ = has_new_row() ? 0 : files_failed_ + 1;
  leave_file();
  if (files_failed_ < kMostFiles) after_failed_ = path_.number();
}

// Returns whether the card takes a byte of another file that it can delete again, while it refuses this file.
// A full card does not.
bool LoggerCore::takes_another() {
  constexpr std::byte kByte[1] = {};
  NumberedPath another = path_;
  board_.close();
  if (!another.set(path_.number() + 1, ending_)) return false;
  std::uint64_t bytes = 0;
  const auto opens = [&] {
    return board_.open(another.path()) == Status::kOk && board_.file().size(bytes) == Status::kOk;
  };
  bool takes = opens();
  board_.close();
  if (!takes || bytes != 0 || !board_.remove(another.path())) return takes;
  takes = opens() && board_.file().write_at(0, kByte) == Status::kOk && board_.file().sync(1) == Status::kOk;
  board_.close();
  static_cast<void>(board_.remove(another.path()));
  return takes;
}

void LoggerCore::next_file() {
  if (!checkpoint()) return;
  leave_file();
  names_left_ = begin_path(path_.number() + 1);
  Status status = Status::kIoError;
  writing_ = names_left_ && open_file(status);
  if (!writing_) fail(status);
}

// Handles a failure. A card that can be read stays open: it is full, or has failed once, and its library may
// keep memory for each file that is left.
void LoggerCore::fail(Status status) {
  std::byte first[1];
  writing_ = false;
  const bool has_card = started_;
  if (status == Status::kIoError || status == Status::kMediumLost) {
    if (!has_card) tries_ = 0;
    if (has_card && tries_ < kMostTries) ++tries_;
  }
  const bool removes = keeper_ != nullptr && keeper_->has_failed();
  started_ = !removes && started_ && open_ && board_.file().read_at(0, first) == Status::kOk;
  if (!started_) board_.close();
  const bool is_full = keeper_ != nullptr && keeper_->is_full();
  const bool failed = !removes && !is_full && (status == Status::kCorrupt || tries_ >= kMostTries);
  if (failed && path_.number() != 0 && names_left_) change_file(started_);
  trouble_ = !names_left_                  ? "the last number of a file is used"
             : removes                     ? "an old file cannot be removed; tried again soon"
             : is_full                     ? "the card is full, and no older file may go"
             : files_failed_ >= kMostFiles ? "no file takes a row; tried again each minute"
             : started_                    ? "the card is full or fails; tried again soon"
                                           : "no card that can be read; tried again soon";
}

// Goes from a failed file to the next one, if the card takes one. `reads`: the file can be read but takes
// nothing. If the card then takes no other file either, it is usually full, and is asked only once.
void LoggerCore::change_file(bool reads) {
  if (reads && is_full_) return;
  const bool takes = takes_another();
  started_ = false;
  tries_ = 0;
  is_full_ = reads && !takes;
  if (!takes) {
    files_failed_ += is_full_ ? 0 : 1;
    return;
  }
  leave_failed_file();
  if (files_failed_ >= kMostFiles || !start_card()) return;
  started_ = true;
  Status status = Status::kIoError;
  writing_ = open_last(status);
}

// Tries the card. A single failure is over with the next row; a card that is away takes no more time than
// necessary. The library may have published a file with a torn end when it gave it up; a checkpoint mends
// that.
void LoggerCore::try_card() {
  if (tried_ && board_.now_ms() - tried_ms_ < (files_failed_ < kMostFiles ? kRetryMs : kRestMs)) return;
  Status found = Status::kOk;
  if (!started_ && open_ && begin_keeper() == Status::kOk && continue_file(found)) {
    started_ = true;
    checkpoint_ms_ = now_ms_ - max_loss_ms();
  }
  writing_ = started_ && open_;
  if (!writing_) {
    Status status = Status::kIoError;
    started_ = started_ || start_card();
    writing_ = started_ && (open_ ? reconnect(status) : open_last(status));
    if (!writing_) fail(status);
  }
  tried_ = true;
  tried_ms_ = board_.now_ms();
}

// Continues the last file as it is on the card.
bool LoggerCore::continue_file(Status& status) {
  const std::uint32_t before = writer_.lost_rows();
  if (keeper_ != nullptr) keeper_->begin_file(path_.number());
  status = board_.open(path_.path());
  if (status == Status::kOk) status = writer_.reconnect(board_.file());
  lost_rows_ += writer_.lost_rows() - before;
  is_another_ = status == Status::kSchemaMismatch;
  return status == Status::kOk;
}

// Continues after a failure. Another card gets the next file, and so does a card whose file does not end as
// it was left.
bool LoggerCore::reconnect(Status& status) {
  is_another_ = !board_.exists(path_.path());
  if (!is_another_ && continue_file(status)) return true;
  if (!is_another_) return false;
  leave_file();
  return open_last(status);
}

// Opens the last file. A failed file counts as the last one of its card, and the next one comes after it.
bool LoggerCore::open_last(Status& status) {
  ending_ = board_.has_long_names() ? PathEnding::kParquet : PathEnding::kPqt;
  bool is_listed = false;
  std::uint32_t number = last_number(is_listed);
  if (number == after_failed_) ++number;
  names_left_ = (is_listed && path_.number() == number) || set_path(number);
  return names_left_ && open_file(status);
}

// Sets the path to the file of that number, whatever its ending, or to a new one.
bool LoggerCore::set_path(std::uint32_t number) { return exists(number) || begin_path(number); }

// Sets the path to a new file of that number.
bool LoggerCore::begin_path(std::uint32_t number) {
  if (!path_.set(number, ending_)) return false;
  if (extras_.clock != nullptr) extras_.clock->name(*this);
  return true;
}

// The date of a directory entry is that of the checkpoint which writes it.
void LoggerCore::tell_date(LoggerCore& core) {
  if (core.clock_set_ && core.extras_.clock->tell != nullptr)
    core.extras_.clock->tell((core.unix_ms_ + core.now_ms_) / kMillisInSecond);
}

// Names have dates where all are found again by a list.
void LoggerCore::name_by_date(LoggerCore& core) {
  tell_date(core);
  if (core.clock_set_ && core.board_.lists_names())
    core.path_.add_date((core.unix_ms_ + core.now_ms_) / kMillisInSecond);
}

// Opens the file of the present number, or the next one that can be continued.
bool LoggerCore::open_file(Status& status) {
  plan_file();
  do {
    if (files_failed_ >= kMostFiles && begun_number_ == path_.number())
      static_cast<void>(board_.remove(path_.path()));
    if (keeper_ != nullptr) keeper_->begin_file(path_.number());
    std::uint64_t bytes = 0;
    status = board_.open(path_.path());
    if (status == Status::kOk) status = board_.file().size(bytes);
    if (status == Status::kOk) {
      if (bytes == 0) begun_number_ = path_.number();
      status = resume();
    }
    if (status == Status::kOk) {
      open_ = true;
      checkpoint_ms_ = now_ms_;
      durable_before_ = writer_.durable_rows();
      return true;
    }
    const bool has_space = keeper_ != nullptr && keeper_->make_space(status);
    writer_.reset();
    board_.close();
    if (has_space) continue;
    if (may_be_repeated(status)) return false;
    names_left_ = set_path(path_.number() + 1);
  } while (names_left_);
  return false;
}

Status LoggerCore::resume() {
  const Status status = writer_.resume(board_.file(), schema(), options_,
                                       {memory_.arena.data(), arena_bytes()}, {{}, path_.number()});
  has_undated_ = false;
  if (status == Status::kOk && keeper_ != nullptr) keeper_->begin_note(writer_);
  return status == Status::kOk && extras_.clock != nullptr ? extras_.clock->begin(*this) : status;
}

// Returns whether a file of that number exists, under either name: the card may have been in a board with
// other names.
bool LoggerCore::exists(std::uint32_t number) {
  if (!path_.set(number, ending_)) return false;
  if (board_.exists(path_.path())) return true;
  return ending_ == PathEnding::kParquet && path_.set(number, PathEnding::kPqt) &&
         board_.exists(path_.path());
}

// Returns the newest file that the volume lists; else the last of the files numbered without a gap from 1; 0: there
// is none. Steps that double, and then halve, ask a directory of a thousand files for twenty names.
std::uint32_t LoggerCore::last_number(bool& is_listed) {
  const bool has_first = !board_.lists_names() && exists(1);
  is_listed = board_.find_newest(path_, has_first);
  if (is_listed) return path_.number();
  std::uint32_t last = has_first || exists(1) ? 1 : 0;
  if (last == 0) return 0;
  std::uint32_t step = 1;
  for (; exists(last + step); step *= 2) last += step;
  for (; step != 0; step /= 2) {
    if (exists(last + step)) last += step;
  }
  return last;
}

}  // namespace microparquet
