// Work of a Logger on any board: columns named while the program runs, numbered files, checkpoints, and a
// card that may fail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/clock_anchors.h"
#include "microparquet/encoder.h"
#include "microparquet/facts.h"
#include "microparquet/options.h"
#include "microparquet/port/logger_board.h"
#include "microparquet/port/logger_keeper.h"
#include "microparquet/port/numbered_path.h"
#include "microparquet/schema.h"
#include "microparquet/span.h"
#include "microparquet/status.h"
#include "microparquet/type.h"
#include "microparquet/value.h"
#include "microparquet/writer.h"

namespace microparquet {

// Way in which the values of a column are stored. A type is linked only if a program adds a value of it.
struct LoggerType {
  Type type;               // physical type
  LogicalType logical;     // logical type
  const Encoder* encoder;  // encoder of the values
};

// Types of values that a Logger takes. Each is one object: columns are compared by its address.
inline constexpr LoggerType kLoggerBool{Type::kBoolean, {}, &kPlainBoolean};
// See kLoggerBool.
inline constexpr LoggerType kLoggerInt32{Type::kInt32, {}, &kPlainFixed};
// See kLoggerBool.
inline constexpr LoggerType kLoggerUint32{Type::kInt32, detail::logical_integer(32, false), &kPlainFixed};
// See kLoggerBool.
inline constexpr LoggerType kLoggerInt64{Type::kInt64, {}, &kPlainFixed};
// See kLoggerBool.
inline constexpr LoggerType kLoggerUint64{Type::kInt64, detail::logical_integer(64, false), &kPlainFixed};
// See kLoggerBool.
inline constexpr LoggerType kLoggerFloat{Type::kFloat, {}, &kPlainFixed};
// See kLoggerBool.
inline constexpr LoggerType kLoggerDouble{Type::kDouble, {}, &kPlainFixed};
// See kLoggerBool.
inline constexpr LoggerType kLoggerText{Type::kByteArray, detail::logical_of(LogicalKind::kString),
                                        &kPlainByteArray};

// Type of a date.
inline constexpr LoggerType kLoggerTimestamp{
    Type::kInt64, detail::logical_time(LogicalKind::kTimestamp, TimeUnit::kMicros, true), &kPlainFixed};

// Column that the first row has named.
struct LoggerColumn {
  // Longest name of a column.
  static constexpr std::size_t kMaxNameBytes = 23;

  char name[kMaxNameBytes + 1];  // name, which ends in a zero
  const LoggerType* type;        // type of its values
};

class LoggerCore;

// Dates of rows, for a log that receives the time.
struct LoggerClock {
  // Begins a boot in a resumed file. kLimitReached: it takes no boot more.
  Status (*begin)(LoggerCore& core);
  // Notes in the file when rows without a date were.
  void (*note)(LoggerCore& core);
  // Puts the date into the path of a file that begins, if it is known.
  void (*name)(LoggerCore& core);
  // Tells the library of files the time, in seconds since 1970; null: it asks nobody.
  void (*tell)(std::int64_t unix_s);
};

// What a log has beside its values. Without it neither the column is written nor the code linked.
struct LoggerExtras {
  const LoggerClock* clock = nullptr;  // LoggerCore::kClock: set_time() may be called
  const LoggerType* mark = nullptr;    // kLoggerText: mark() may be
};

// Pace of a log, in its arena.
struct LoggerPace {
  std::uint32_t rows_per_hour;  // rows that the sketch logs in an hour, at least 1
  std::uint32_t max_loss_ms;    // milliseconds of rows that a cut of the power may cost
  // Plans a file: LoggerCore::plan_tails(), which is linked only where it is named; null: files are streams.
  void (*plan)(LoggerCore& core);
};

// Memory of a LoggerCore: the caller's, of static storage, all zeros at first. The first field and value are the time's, which
// adds one to the columns that can be named. What LoggerExtras take comes off the arena.
struct LoggerMemory {
  Span<LoggerColumn> columns;  // columns that can be named
  Span<Field> fields;          // fields, one more
  Span<Value> values;          // values of one row, of the same number
  Span<std::byte> arena;       // arena of the writer, which begins on 8 bytes
};

// Does the work of a Logger, see there. One thread; never from an interrupt.
class LoggerCore {
  static Status begin_clock(LoggerCore& core);
  static void note_anchor(LoggerCore& core);
  static void name_by_date(LoggerCore& core);
  static void tell_date(LoggerCore& core);

 public:
  // Size of a page with its header.
  static constexpr std::uint32_t kPageBytes = 256;
  // Pages for each column that a row group has space for at least, with its record.
  static constexpr std::uint32_t kRowGroupPages = 2;
  // Stands for the least memory that a row group needs; plan_file() gives it all there is.
  static constexpr std::uint32_t kLeastRowGroup = 8;
  // Length of all texts of a row together.
  static constexpr std::size_t kMaxTextBytes = 64;
  // Returns the smallest arena for that many named columns and what the log has beside.
  template <std::size_t kColumns>
  static constexpr std::size_t required_bytes(bool has_date = false, bool has_mark = false,
                                              std::size_t keeper_bytes = 0) {
    Field fields[kColumns + kOwnColumns];
    char names[kColumns + kOwnColumns][LoggerColumn::kMaxNameBytes] = {};
    std::size_t count = 0;
    const auto add = [&](std::string_view name, const LoggerType& type) {
      fields[count++] = field_of(name, type).as_optional();
    };
    add(kUptimeName, kLoggerInt64);
    if (has_date) add(kTimeName, kLoggerTimestamp);
    for (std::size_t i = 0; i < count; ++i) fields[i].bounds = &kInt64Bounds;
    for (std::size_t i = 0; i < kColumns; ++i) add(std::string_view(names[i], sizeof names[i]), kLoggerText);
    if (has_mark) add(kMarkName, kLoggerText);
    constexpr std::uint32_t kBytes = kRowGroupPages * (kColumns + 1) * kPageBytes;
    const unsigned key_values = (has_date ? 1U : 0U) + (keeper_bytes != 0 ? 1U : 0U);
    return Writer::required_bytes(Schema(fields, count), options_of(kBytes, key_values)) +
           extra_bytes(kColumns, has_date, has_mark) + keeper_bytes;
  }

  // Takes objects of the caller, which must stay.
  LoggerCore(LoggerBoard& board, const LoggerMemory& memory);
  LoggerCore(const LoggerCore&) = delete;
  LoggerCore& operator=(const LoggerCore&) = delete;

  // Takes `bytes` from the end of the arena, a multiple of 8, for an object that the caller makes there; null: the log
  // was begun.
  std::byte* take_memory(std::size_t bytes);
  // Sets the object that removes older files, which must stay.
  void keep(LoggerKeeper& keeper) { keeper_ = &keeper; }

  // See Logger::set_pace().
  bool set_pace(const LoggerPace& pace);
  // Bytes of the arena that a pace takes.
  static constexpr std::size_t kPaceBytes = 16;
  // Plans a file in place with tails, if several checkpoints come before memory is full of rows.
  static void plan_tails(LoggerCore& core);

  // See Logger::begin(). What is not in `extras` is not to be called.
  bool begin(std::string_view name, const LoggerExtras& extras = {});
  // See LoggerExtras. `tell`: LoggerClock's.
  static constexpr LoggerClock clock_of(void (*tell)(std::int64_t unix_s)) {
    return {begin_clock, note_anchor, name_by_date, tell};
  }
  // See LoggerExtras.
  static constexpr LoggerClock kClock{begin_clock, note_anchor, name_by_date, nullptr};
  // See Logger::set_time().
  void set_time(std::int64_t unix_seconds);
  // See Logger::add(). `type` is one of the objects above; `value` is of its physical type, or null.
  void add(const char* name, const LoggerType& type, const Value& value);
  // Adds a value of kLoggerText, which is copied. Null: no text.
  void add_text(const char* name, const char* text);
  // See Logger::mark().
  void mark(const char* text);
  // See Logger::end_row().
  bool end_row();
  // See Logger::end().
  bool end();

  // See Logger::status().
  Status status() const { return status_; }
  // See Logger::message().
  const char* message() const { return status_ == Status::kOk ? to_string(status_) : message_; }
  // See Logger::file_name().
  const char* file_name() const { return path_.number() == 0 ? "" : path_.path() + 1; }
  // See Logger::rows().
  std::uint64_t rows() const { return writer_.rows(); }
  // See Logger::durable_rows().
  std::uint64_t durable_rows() const { return writer_.durable_rows(); }
  // See Logger::lost_rows().
  std::uint32_t lost_rows() const { return lost_rows_; }
  // See Logger::files_removed().
  std::uint32_t files_removed() const { return keeper_ == nullptr ? 0 : keeper_->removed(); }

 private:
  // Most columns of the log beside those with names: time_ms, time and mark.
  static constexpr std::size_t kOwnColumns = 3;
  // Longest time between checkpoints where the sketch has set none.
  static constexpr std::uint32_t kMaxLossMs = 600'000;

  // Returns what extras take of the arena.
  static constexpr std::size_t extra_bytes(std::size_t columns, bool has_date, bool has_mark) {
    constexpr std::size_t kColumnBytes = sizeof(Field) + sizeof(Value);
    const std::size_t bytes = (has_date || has_mark ? (columns + kOwnColumns) * kColumnBytes : 0) +
                              (has_date ? sizeof(ClockAnchors) : 0);
    return bytes + (kArenaAlign - bytes % kArenaAlign) % kArenaAlign;
  }
  static constexpr std::size_t kArenaAlign = 8;

  static constexpr Options options_of(std::uint32_t row_group_bytes, unsigned key_values) {
    Options options;
    options.layout = &kForward;
    options.page_bytes = kPageBytes;
    options.row_group_bytes = row_group_bytes;
    options.checkpoint_ms = 0;  // end_row() makes checkpoints
    // The boot's clock, and the files that were removed.
    options.max_key_values = static_cast<decltype(options.max_key_values)>(key_values);
    return options;
  }
  static constexpr Field field_of(std::string_view name, const LoggerType& type) {
    return make_field(name, type.type, type.logical, *type.encoder, kNoBounds);
  }

  bool begin_row();
  void end_values();
  void take(const char* name, const LoggerType& type, const Value& value);
  std::size_t find(std::string_view name) const;
  std::size_t name_column(std::string_view name, const LoggerType& type);
  void place_extras(const LoggerExtras& extras);
  // Returns the writer's part of the arena.
  std::size_t arena_bytes() const {
    const std::size_t taken =
        extra_bytes(memory_.columns.size(), extras_.clock != nullptr, extras_.mark != nullptr);
    return memory_.arena.size() / kArenaAlign * kArenaAlign - taken_bytes_ - taken;
  }
  bool copy_text(const char* text, Value& copied);
  void refuse_mark();
  // The row's mark, until the number of columns is known.
  Value& mark_of_row() { return row_[row_.size() - 1]; }
  void fix_columns();
  void plan_file();
  std::size_t first_named() const { return extras_.clock != nullptr ? 2 : 1; }
  std::size_t first_column() const { return first_named() - (has_time_ ? 1 : 0) - (has_date_ ? 1 : 0); }
  std::size_t end_column() const { return first_named() + columns_ + (has_mark_ ? 1 : 0); }
  Schema schema() const;
  void count_time();

  bool start_card();
  Status begin_keeper();
  void keep_newest();
  bool made_space(Status failure) { return keeper_ != nullptr && writing_ && keeper_->make_space(failure); }
  unsigned key_values() const { return (has_date_ ? 1U : 0U) + (keeper_ != nullptr ? 1U : 0U); }

  bool end_after_failure();
  void write_row();
  Status append();
  std::uint32_t footer_bytes() const;
  std::uint32_t max_loss_ms() const { return pace_ != nullptr ? pace_->max_loss_ms : kMaxLossMs; }
  bool is_long();
  bool checkpoint_is_due() const;
  bool checkpoint();
  void next_file();
  void try_card();
  bool continue_file(Status& status);
  bool reconnect(Status& status);
  bool open_last(Status& status);
  bool open_file(Status& status);
  Status resume();
  std::uint32_t last_number(bool& is_listed);
  bool begin_path(std::uint32_t number);
  bool set_path(std::uint32_t number);
  bool exists(std::uint32_t number);
  void fail(Status status);
  void change_file(bool reads);
  bool takes_another();
  void leave_failed_file();
  void leave_file();
  bool has_new_row() const;
  bool refuse(Status status, const char* about, const char* text);

  static constexpr std::string_view kUptimeName = "time_ms";  // time since begin()
  static constexpr std::string_view kTimeName = "time";       // time since 1970
  static constexpr std::string_view kMarkName = facts::kMark;

  LoggerBoard& board_;
  const LoggerMemory memory_;
  LoggerExtras extras_;
  ClockAnchors* anchors_ = nullptr;  // in the arena, with a clock
  LoggerPace* pace_ = nullptr;       // in the arena, if the sketch has set it
  LoggerKeeper* keeper_ = nullptr;   // likewise, where older files may go
  Span<Field> fields_;               // of the columns
  Span<Value> row_;                  // values of one row
  Options options_;
  Writer writer_;
  NumberedPath path_;

  bool begun_ = false;
  bool fixed_ = false;        // true once the first row has named the columns
  bool has_time_ = false;     // true if the time since begin() has a column of its own
  bool has_date_ = false;     // true if the date has
  bool has_mark_ = false;     // true if marks have
  bool clock_set_ = false;    // true once unix_ms_ is known
  bool is_set_ = false;       // true if the clock was set, and the file has no anchor of it yet
  bool has_undated_ = false;  // true if the file has a row of this boot without a date
  bool in_row_ = false;
  bool open_ = false;        // true if the writer has a file
  bool started_ = false;     // true once the card is usable
  bool writing_ = false;     // true while the file is on the card, which takes it
  bool tried_ = false;       // true after a try of the card, at tried_ms_
  bool is_another_ = false;  // true if the card has another file than the last one
  bool no_memory_ = false;   // true if no further row fits in memory while the card is away
  bool is_full_ = false;     // true if the card seems full, as far as a readable file tells
  bool names_left_ = true;
  std::uint8_t tries_ = 0;  // consecutive failures of the file, up to the number after which it is left

  std::size_t columns_ = 0;     // named columns
  std::size_t expected_ = 0;    // column that follows the one added last
  std::uint32_t values_ = 0;    // values of the row
  std::size_t text_bytes_ = 0;  // length of the row's texts

  std::uint32_t seen_ms_ = 0;       // clock when it was read last
  std::uint32_t tried_ms_ = 0;      // clock after the last try of the card
  std::int64_t now_ms_ = 0;         // time since begin()
  std::int64_t row_ms_ = 0;         // time since begin() when the row began
  std::int64_t checkpoint_ms_ = 0;  // time since begin() of the last checkpoint
  std::int64_t unix_ms_ = 0;        // time at begin()

  std::uint32_t lost_rows_ = 0;

  // Failures on a card that is there.
  std::uint32_t after_failed_ = 0;    // number of a failed file, after which the next one comes; 0: none
  std::uint32_t begun_number_ = 0;    // number of the file that was begun last
  unsigned files_failed_ = 0;         // consecutive files without a durable row of this boot
  std::uint64_t durable_before_ = 0;  // rows of the file when it was opened
  PathEnding ending_ = PathEnding::kParquet;

  Status status_;
  std::uint16_t taken_bytes_ = 0;
  const char* trouble_ = nullptr;  // text about the card
  char text_[kMaxTextBytes] = {};
  char message_[72] = {};
};

}  // namespace microparquet
