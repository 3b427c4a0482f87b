// Work of a Logger on any board: columns named while the program runs, numbered files, checkpoints, and a
// card that may fail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/encoder.h"
#include "microparquet/options.h"
#include "microparquet/port/logger_board.h"
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

// Column that the first row has named.
struct LoggerColumn {
  // Longest name of a column.
  static constexpr std::size_t kMaxNameBytes = 23;

  char name[kMaxNameBytes + 1];  // name, which ends in a zero
  const LoggerType* type;        // type of its values
};

// Memory of a LoggerCore: the caller's, of static storage, all zeros at first. The first place of each array
// is the time's, which adds one to the columns that can be named.
struct LoggerMemory {
  Span<LoggerColumn> columns;  // columns by name
  Span<Field> fields;          // fields, of the same number
  Span<Value> values;          // values of one row, of the same number
  Span<std::byte> arena;       // arena of the writer, which begins on 8 bytes
};

// Does the work of a Logger, see there. One thread; never from an interrupt.
class LoggerCore {
 public:
  // Size of a page with its header.
  static constexpr std::uint32_t kPageBytes = 256;
  // Pages for each column that a row group has space for at least, with its record.
  static constexpr std::uint32_t kRowGroupPages = 2;
  // Stands for the least memory that a row group needs; plan_file() gives it all there is.
  static constexpr std::uint32_t kLeastRowGroup = 8;
  // Length of all texts of a row together.
  static constexpr std::size_t kMaxTextBytes = 64;
  // Returns the smallest arena for that many columns, and the time.
  template <std::size_t kColumns>
  static constexpr std::size_t required_bytes() {
    Field fields[kColumns + 1];
    char names[kColumns + 1][LoggerColumn::kMaxNameBytes] = {};
    for (std::size_t i = 0; i <= kColumns; ++i) {
      fields[i] = field_of(std::string_view(names[i], sizeof names[i]), kLoggerText).as_optional();
    }
    constexpr std::uint32_t kBytes = kRowGroupPages * (kColumns + 1) * kPageBytes;
    return Writer::required_bytes(Schema(fields), options_of(kBytes));
  }

  // Takes objects of the caller, which must stay.
  LoggerCore(LoggerBoard& board, const LoggerMemory& memory);
  LoggerCore(const LoggerCore&) = delete;
  LoggerCore& operator=(const LoggerCore&) = delete;

  // See Logger::begin().
  bool begin(std::string_view name);
  // See Logger::set_time().
  void set_time(std::int64_t unix_seconds);
  // See Logger::add(). `type` is one of the objects above; `value` is of its physical type, or null.
  void add(const char* name, const LoggerType& type, const Value& value);
  // Adds a value of kLoggerText, which is copied. Null: no text.
  void add_text(const char* name, const char* text);
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

 private:
  static constexpr Options options_of(std::uint32_t row_group_bytes) {
    Options options;
    options.layout = &kForward;
    options.page_bytes = kPageBytes;
    options.row_group_bytes = row_group_bytes;
    options.checkpoint_ms = 0;  // end_row() makes checkpoints
    options.max_key_values = 0;
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
  void fix_columns();
  void plan_file();
  bool has_timestamp() const;
  std::size_t first_column() const { return has_time_ ? kTime : kTime + 1; }
  Schema schema() const;
  void count_time();

  bool end_after_failure();
  void write_row();
  Status append();
  std::uint32_t footer_bytes() const;
  bool is_long();
  bool checkpoint_is_due() const;
  bool checkpoint();
  void next_file();
  void try_card();
  bool continue_file(Status& status);
  bool reconnect(Status& status);
  bool open_last(Status& status);
  bool open_file(Status& status);
  std::uint32_t last_number();
  bool set_path(std::uint32_t number);
  bool exists(std::uint32_t number);
  void fail(Status status);
  void change_file(bool reads);
  bool takes_another();
  void leave_failed_file();
  void leave_file();
  bool has_new_row() const;
  bool refuse(Status status, const char* about, const char* text);

  static constexpr std::size_t kTime = 0;  // index of the time's column

  LoggerBoard& board_;
  const LoggerMemory memory_;
  Options options_;
  Writer writer_;
  NumberedPath path_;

  bool begun_ = false;
  bool fixed_ = false;      // true once the first row has named the columns
  bool has_time_ = false;   // true if the time has a column of its own
  bool clock_set_ = false;  // true once unix_ms_ is known
  bool in_row_ = false;
  bool open_ = false;        // true if the writer has a file
  bool started_ = false;     // true once the card is usable
  bool writing_ = false;     // true while the file is on the card, which takes it
  bool tried_ = false;       // true after a try of the card, at tried_ms_
  bool is_another_ = false;  // true if the card has another file than the last one
  bool no_memory_ = false;   // true if no further row fits in memory while the card is away
  bool is_full_ = false;     // true if the card seems full, as far as a readable file tells
  bool names_left_ = true;

  std::size_t columns_ = 0;     // named columns, and the time
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
  unsigned tries_ = 0;                // consecutive failures of the file
  unsigned files_failed_ = 0;         // consecutive files without a durable row of this boot
  std::uint64_t durable_before_ = 0;  // rows of the file when it was opened
  PathEnding ending_ = PathEnding::kParquet;

  Status status_;
  const char* trouble_ = nullptr;  // text about the card
  char text_[kMaxTextBytes] = {};
  char message_[88] = {};
};

}  // namespace microparquet
