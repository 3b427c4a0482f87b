// Log of named values for a sketch, in a few lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

#include "microparquet/port/arduino_board.h"
#include "microparquet/port/arduino_log_folder.h"
#include "microparquet/port/logger_core.h"
#include "microparquet/retention.h"
#include "microparquet/status.h"
#include "microparquet/value.h"

namespace microparquet {

namespace detail {
template <typename Text, typename = void>
inline constexpr bool kIsString = false;
template <typename Text>
inline constexpr bool kIsString<Text, std::void_t<decltype(std::declval<const Text&>().c_str())>> = true;
}  // namespace detail

// Logs rows into LOG00001.parquet on an SD card or in flash, or LOG00001.PQT if names have eight letters and
// three. A sketch adds each value under a name and ends the row:
//
//   logger.add("light", analogRead(A0));
//   logger.end_row();
//
// The first row names the columns and fixes their types. A value that a later row lacks is null in it. The
// first column, "time_ms", is the time when the row's first value was added, in milliseconds since begin(). The second
// one, "time", is the same as a date, and null until set_time() has set the clock. The rows before are dated by a clock
// anchor in the file, see clock_anchors.h, by `mpq`, the viewer and `collect`. A first row that has one of these names itself gets
// no other time. The last column, "mark", has the texts of mark().
//
// Rows are durable at checkpoints, which end_row() makes: every 10 s in a new file, later less often as its
// footer grows, and at least every 10 min. After a power cut the log continues in the same file, or, with
// other columns or another size of the Logger, in the next one. LOG00002 also follows when a footer takes 128
// KB, usually after some megabytes, before a file is as long as its file system allows, and when a file
// cannot be continued. Files are numbered without a gap: take all of them off a card, the first ones or the last ones.
// None that has rows is ever emptied. With SdFat the name of a file that begins after set_time() has its date, as
// LOG00002_20270131T1012Z.parquet.
//
// When the card fails, is pulled or is full, end_row() returns false and tries it again every two seconds.
// The Logger keeps rows as long as it has memory, and then counts them in lost_rows(). On the same card it
// continues the file; on another one it begins a new file, and rows that were not durable are lost. It also
// leaves a file that fails three times while the card takes another one, and at once a file that returns
// other bytes than were written. After three files in a row without a row it tries the card once a minute,
// under the same name until a row is durable.
//
// `Volume` is the class of the volume: Logger<decltype(SD)>. kColumns can be named; kBytes is the writer's
// memory: more memory makes fewer and larger row groups. sizeof is the whole cost in memory, 14 KB by
// default; only the volume's library may use a heap. Make it static. One thread; never from an interrupt.
template <typename Volume, std::size_t kColumns = 8, std::size_t kBytes = 1024 * (kColumns + 4)>
class Logger {
 public:
  Logger() = default;
  Logger(const Logger&) = delete;
  Logger& operator=(const Logger&) = delete;

  // Begins a log whose files have the name `name`, 1 to 6 letters or digits, which is copied. `start_card`
  // makes the volume usable, for example by SD.begin(), and returns whether it is; it is called now, and
  // after the card has failed, after volume.end() if there is one. Without it the sketch begins the volume.
  // An open log is ended. The volume must stay. False: status() is
  // - kInvalidArgument: the name is invalid, and nothing is logged
  // - kIoError: there is no card; end_row() looks for one
  bool begin(Volume& volume, const char* name, bool (*start_card)() = nullptr) {
    board_.set(volume, start_card);
    return core_.begin(name == nullptr ? "" : name, extras_);
  }

  // Lets the log's oldest files make place for new ones when the card is full, or at limits, see retention.h: without
  // this call a full card ends the log, with whole files. It goes before begin(), which then goes before anything else
  // is written on the volume: it finishes what a power cut has interrupted. It takes 600 bytes of kBytes. Only SdFat's
  // volumes can do it; for others it does not compile. False: the log was begun already.
  template <typename AnyVolume = Volume>
  bool drop_oldest(RetentionLimits limits = {}) {
    using Keeper = ArduinoKeeper<AnyVolume>;
    constexpr std::size_t kKeeperBytes = (sizeof(Keeper) + 7) / 8 * 8;
    static_assert(
        kBytes >= LoggerCore::required_bytes<kColumns>(true, true, kKeeperBytes + LoggerCore::kPaceBytes),
        "dropping the oldest files needs more bytes");
    std::byte* const at = core_.take_memory(kKeeperBytes);
    if (at == nullptr) return false;
    limits.when_full = WhenFull::kDropOldest;
    core_.keep((new (at) Keeper(board_, limits))->retention);
    return true;
  }

  // Tells the log its pace, before begin(): rows an hour, and the longest time whose rows a power cut may cost, instead of 10
  // min. A device that wakes for each row and ends the log before it sleeps makes a checkpoint with each. Where the memory
  // takes the rows of several checkpoints, new files on SdFat's volumes are written in place with tails, see
  // kInPlaceTailed: a wake then costs no row group. A file of a sketch without this call, or with, is continued by none of
  // the other kind. It links 8 KB of code. False: the log was begun already.
  bool set_pace(std::uint32_t rows_per_hour, std::uint32_t max_loss_ms) {
    static_assert(kBytes >= LoggerCore::required_bytes<kColumns>(true, true, LoggerCore::kPaceBytes),
                  "the pace needs more bytes");
    constexpr bool kTakesTails = detail::kOpensByFile<Volume> || detail::kHoldsSdFat<Volume>;
    if constexpr (kTakesTails && detail::kTruncates<detail::FileOf<Volume>>) {
      return core_.set_pace({rows_per_hour, max_loss_ms, LoggerCore::plan_tails});
    } else {
      return core_.set_pace({rows_per_hour, max_loss_ms, nullptr});
    }
  }

  // Sets the clock, in seconds since 1970, UTC: from a clock on the board, GPS or the network. Rows have a date
  // from then on, and those of this file before get one by a clock anchor. It may be repeated: what comes later is
  // believed, also where it goes back. Before begin() it does nothing, nor with a time before 1980, as of a clock that does not run.
  void set_time(std::int64_t unix_seconds) {
    static_assert(kBytes >= LoggerCore::required_bytes<kColumns>(true),
                  "the column of dates needs more bytes");
    uses_clock_.note();
    core_.set_time(unix_seconds);
  }

  // Gives the row a value under `name`, 1 to 23 bytes in UTF-8, which is copied. `value` is a bool, any whole
  // number, a float or double, or a text: 64 bytes of all texts of a row are copied. A refused value is left
  // out of the row, and end_row() returns false. status() and message() tell why until the next row:
  // - kWrongState: begin() was not called
  // - kInvalidArgument: the name is empty or too long, or has a value in this row already
  // - kSchemaMismatch: the first row had no such column, or one of another type: 1 and 1.0 are two types
  // - kOutOfMemory: the first row has more columns than kColumns
  // - kValueTooLarge: the row's texts are too long
  template <typename Any>
  Logger& add(const char* name, const Any& value) {
    if constexpr (detail::kIsString<Any>) {
      core_.add_text(name, value.c_str());
    } else if constexpr (std::is_convertible_v<const Any&, const char*>) {
      core_.add_text(name, value);
    } else {
      add_number(name, value);
    }
    return *this;
  }

  // Gives the row a mark, a text that tells what has happened, in the column "mark": programs draw it over all
  // signals. It is copied, as the texts of add(), of which all in a row take 64 bytes; the first row needs a value, too. A
  // mark that is refused is left out of the row, and end_row() returns false:
  // - kWrongState: begin() was not called
  // - kInvalidArgument: the row has a mark already, or `text` is null
  // - kSchemaMismatch: the first row has a column "mark" of its own
  // - kValueTooLarge: the row's texts are too long
  Logger& mark(const char* text) {
    static_assert(kBytes >= LoggerCore::required_bytes<kColumns>(false, true),
                  "the column of marks needs more bytes");
    uses_marks_.note();
    core_.mark(text);
    return *this;
  }

  // Ends the row. It takes the row's time, and writes to the card if needed, which takes as long as the card
  // does: a checkpoint up to half a second. It returns false if a value was refused, which alone is left out,
  // or if the row failed. status() is that of add(), or
  // - kWrongState: begin() was not called
  // - kInvalidArgument: the row has no value; nothing is written
  // - kIoError: the card refuses it, is missing or is full: the row is in memory, or lost
  // - kLimitReached: likewise, since there is no number for another file
  bool end_row() { return core_.end_row(); }

  // Makes all rows durable and closes the file: the card may be pulled. begin() begins again. False: status() is
  // - kWrongState: begin() was not called
  // - kIoError: rows that were not durable are lost
  bool end() { return core_.end(); }

  // Returns the fault of the current row, of the last one, or of begin() or end(); kOk: none.
  Status status() const { return core_.status(); }
  // Returns the status in words, such as "humidity: not in the first row; left out", or "ok". Valid until the
  // next call.
  const char* message() const { return core_.message(); }
  // Returns the file's name, such as "LOG00001.parquet"; empty before the first one. Valid as long as the
  // Logger, and changes with the file.
  const char* file_name() const { return core_.file_name(); }
  // Returns the rows of the open file, including those of earlier boots.
  std::uint64_t rows() const { return core_.rows(); }
  // Returns how many of them no power cut can take away.
  std::uint64_t durable_rows() const { return core_.durable_rows(); }
  // Returns the rows since begin() that are in no file.
  std::uint32_t lost_rows() const { return core_.lost_rows(); }
  // Returns the files that drop_oldest() has removed since begin(); the key-value "files_removed" of each file tells it, too.
  std::uint32_t files_removed() const { return core_.files_removed(); }

 private:
  static_assert(kColumns > 0);
  static_assert(kBytes >= LoggerCore::required_bytes<kColumns>(), "these columns need more bytes");

  template <typename Number>
  void add_number(const char* name, Number value) {
    static_assert(
        std::is_integral_v<Number> || std::is_same_v<Number, float> || std::is_same_v<Number, double>,
        "a value is a bool, a whole number, a float or double, or a text");
    constexpr bool kSmall = sizeof(Number) <= sizeof(std::int32_t);
    if constexpr (std::is_same_v<Number, bool>) {
      core_.add(name, kLoggerBool, Value::of(value));
    } else if constexpr (std::is_same_v<Number, float>) {
      core_.add(name, kLoggerFloat, Value::of(value));
    } else if constexpr (std::is_same_v<Number, double>) {
      core_.add(name, kLoggerDouble, Value::of(value));
    } else if constexpr (kSmall) {
      constexpr const LoggerType& kType = std::is_signed_v<Number> ? kLoggerInt32 : kLoggerUint32;
      core_.add(name, kType, Value::of(static_cast<std::int32_t>(value)));
    } else {
      constexpr const LoggerType& kType = std::is_signed_v<Number> ? kLoggerInt64 : kLoggerUint64;
      core_.add(name, kType, Value::of(static_cast<std::int64_t>(value)));
    }
  }

  // All Loggers of a class have the columns "time" and "mark" where the sketch calls their set_time() and mark() anywhere: that
  // call alone makes the compiler define an object of these, whose constructor runs before setup().
  static constexpr LoggerClock kClock = LoggerCore::clock_of(ArduinoBoard<Volume>::tell);
  struct UsesClock {
    UsesClock() { extras_.clock = &kClock; }
    void note() const {}
  };
  struct UsesMarks {
    UsesMarks() { extras_.mark = &kLoggerText; }
    void note() const {}
  };
  static inline LoggerExtras extras_;
  static inline UsesClock uses_clock_;
  static inline UsesMarks uses_marks_;

  ArduinoBoard<Volume> board_;
  LoggerColumn columns_[kColumns] = {};
  Field fields_[kColumns + 1];
  Value values_[kColumns + 1];
  alignas(8) std::byte arena_[kBytes];
  LoggerCore core_{board_, {columns_, fields_, values_, arena_}};
};

}  // namespace microparquet
