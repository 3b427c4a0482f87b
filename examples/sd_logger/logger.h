// Takes rows from the queue to the card, whatever happens to it.
#pragma once

#include <cstdint>
#include <optional>

#include "card_state.h"
#include "ff.h"
#include "log_clock.h"
#include "microparquet/dropped_rows.h"
#include "microparquet/facts.h"
#include "microparquet/retention.h"
#include "microparquet/rolling.h"
#include "microparquet/static_writer.h"
#include "serial_console.h"
#include "session_files.h"
#include "session_folder.h"
#include "settings.h"

// While there is no card that can be written, rows wait in the queue, and those it has no space for are
// counted. Each second the card is tried: if it is the one that was lost, its file is continued; another
// one gets a session of its own. What the log then lacks stands in the key-values `rows_dropped` and
// `rows_lost`, counted since the device was switched on, and is seen in the column `number`. A file that fails, or has rotted,
// is left for the next split; a card on which three files have taken no row is tried once a minute, in one file. Where
// `keeping` allows it, the oldest files make place on a full card, and `files_removed` counts them.
//
// Used by the main loop only.
class Logger {
 public:
  // All are the caller's and must stay. Nothing is done with the card yet.
  Logger(SampleQueue& queue, SerialConsole& console, const microparquet::RollLimits& limits,
         const Keeping& keeping = kKeeping);

  // Tells what time it is, in seconds since 1970, UTC: files that begin from now on have it in their names, FAT's dates are
  // set, RetentionLimits::age_s counts, and the key-value `started_at` says when the device was switched on. It may come late,
  // and again. `now_ms` as in step(), at that time.
  void set_time(std::int64_t unix_s, std::uint32_t now_ms) { clock_.set(unix_s, now_ms); }

  // Writes what waits in the queue, and a piece of a checkpoint when one is due. To be called again and
  // again, at least every second. `now_ms`: time since the device was switched on; it may wrap.
  void step(std::uint32_t now_ms);

  // Completes the file, so that the card can be taken out, or the power goes until the next wake. False: not yet, since the
  // card is lost; call step() and repeat.
  bool stop();

  CardState state() const { return state_; }
  // Time at which the state began.
  std::uint32_t state_ms() const { return state_ms_; }

 private:
  using Writer = microparquet::StaticWriter<kSchema, kOptions>;
  using Log = microparquet::RollingWriter<Writer>;
  static constexpr std::uint32_t kRetryMs = 1'000;

  void try_card();
  microparquet::Status reconnect();
  microparquet::Status begin();
  microparquet::Status continue_last();
  microparquet::Status open(microparquet::File& file, bool is_new);
  void keep();
  void make_space();
  void tell_retention();
  void tell_time();
  void update_key_values();
  microparquet::Status write(Log& log);
  microparquet::Status reserve(std::uint64_t least_end);
  microparquet::Status close();
  microparquet::Status end_file();
  void take(microparquet::Status status);
  bool fails_again();
  void leave_file();
  bool rests() const;
  std::uint32_t rows_lost() const;
  void end_log();
  void abandon();
  void show(CardState state);
  void report_costs();
  void report();

  SampleQueue& queue_;
  SerialConsole& console_;
  const microparquet::RollLimits& limits_;
  const Keeping& keeping_;
  DWORD link_map_[64] = {};
  SessionFiles files_;
  FATFS volume_ = {};
  SessionFolder folder_{files_, volume_};
  microparquet::Retention retention_;
  Writer writer_;
  std::optional<Log> log_;        // set while the writer has a file
  bool writes_ = false;           // the file's card is there
  bool makes_space_ = false;      // the card is full, and the oldest file goes
  bool has_woken_ = false;        // the last boot's file was looked for
  bool closing_ = false;          // the logger only has to close the file
  bool sleeps_ = false;           // until the next wake
  bool was_away_ = false;         // the card was away since it was last written
  std::uint32_t failures_ = 0;    // failures of one file in a row
  std::uint64_t failed_at_ = 0;   // number of durable rows at these failures
  std::uint32_t files_left_ = 0;  // files in a row left without a durable row
  std::uint32_t rests_ms_ = 0;    // time of the last try of the card
  microparquet::DroppedRows dropped_{microparquet::facts::kRowsDropped};
  microparquet::DroppedRows lost_{microparquet::facts::kRowsLost};
  microparquet::DroppedRows removed_{microparquet::facts::kFilesRemoved};
  LogClock clock_;
  bool has_started_at_ = false;  // the file has started_at
  CardState state_ = CardState::kNoCard;
  std::uint32_t rows_lost_ = 0;
  std::uint32_t now_ms_ = 0;
  std::uint32_t state_ms_ = 0;
  std::uint32_t tried_ms_ = 0U - kRetryMs;  // at once
  std::uint32_t reported_ms_ = 0;
};
