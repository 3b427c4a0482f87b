// How well logging went, in the file itself: why rows are missing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/facts.h"
#include "microparquet/options.h"
#include "microparquet/status.h"

namespace microparquet {

// What a device notes about its log since it started. Numbers beyond their digits in LogHealth stay at the largest.
struct HealthCounts {
  std::uint32_t append_ms = 0;   // the longest append()
  std::uint32_t append_at = 0;   // when it ended, in milliseconds since the start
  std::uint32_t tick_ms = 0;     // the longest tick()
  std::uint32_t tick_at = 0;     // when it ended
  std::uint32_t queue_rows = 0;  // the most rows that have waited
  std::uint32_t errors = 0;      // of the medium
  std::uint32_t reconnects = 0;  // calls of reconnect() that were kOk
  std::uint32_t dropped = 0;     // rows that a full queue dropped
  std::uint32_t corrupted = 0;   // rows that retained memory has lost, see retained_queue.h
  std::uint32_t free_mb = 0;     // megabytes that the medium has free
};

// Keeps a key-value of a Writer or StaticWriter, facts::kHealth, at these counts, which `mpq info` and the viewer show. Its text
// has always the same length: update() writes digits into it. It takes one of Options::max_key_values, and must stay as long as the
// writer, which reads its text. In a resumed file it replaces that of the last boot. Only the writer's thread may use it.
class LogHealth {
 public:
  // Why the device started, such as "watchdog": at most kReasonBytes bytes, of which what is longer is cut off.
  static constexpr std::size_t kReasonBytes = 12;

  // Counts of this boot: the caller adds to them, or note_append() and others do.
  HealthCounts counts;

  // Sets why the device started. Call it before key_value() and begin().
  void set_reset_reason(std::string_view reason);

  // Notes how long append() has taken, which ended at `now_ms`.
  void note_append(std::uint32_t ms, std::uint32_t now_ms) {
    if (ms > counts.append_ms) counts.append_ms = ms, counts.append_at = now_ms;
  }
  // The same of tick().
  void note_tick(std::uint32_t ms, std::uint32_t now_ms) {
    if (ms > counts.tick_ms) counts.tick_ms = ms, counts.tick_at = now_ms;
  }
  // Notes how many rows wait in a queue.
  void note_queue(std::uint32_t rows) {
    if (rows > counts.queue_rows) counts.queue_rows = rows;
  }
  // Notes a status: one of the medium is counted. Returns it.
  Status note(Status status) {
    if (status == Status::kIoError || status == Status::kMediumLost) ++counts.errors;
    return status;
  }

  // Returns the key-value for a FileStart, to be passed to each open() and resume(): the first footer has it then.
  KeyValue key_value() {
    put();
    return {facts::kHealth, std::string_view(text_, kBytes)};
  }

  // Sets the key-value after open() or resume(), as an alternative to key_value(). Statuses as set_key_value().
  template <typename AnyWriter>
  Status begin(AnyWriter& writer) {
    const KeyValue pair = key_value();
    return writer.set_key_value(pair.key, pair.value);
  }

  // Updates the text; call it before each tick(), checkpoint() and close(). It leaves a footer on its way as it is.
  template <typename AnyWriter>
  void update(const AnyWriter& writer) {
    if (!writer.checkpoint_in_progress()) put();
  }

 private:
  // The text, where a byte below the space stands for as many digits of the next of the counts, in their order. The reason
  // comes last.
  static constexpr char kTemplate[] =
      "append=\5@\12 tick=\5@\12 queue=\5 errors=\5 reconnects=\5 dropped=\12 corrupted=\5 free_mb=\7 reset=";
  static constexpr bool is_number(char of_template) { return of_template < ' '; }
  static constexpr std::size_t template_bytes() {
    std::size_t bytes = 0;
    for (const char* from = kTemplate; *from != '\0'; ++from)
      bytes += is_number(*from) ? static_cast<std::size_t>(*from) : 1;
    return bytes;
  }
  static constexpr std::size_t kReasonAt =
      sizeof "append=00000@0000000000 tick=00000@0000000000 queue=00000 errors=00000 reconnects=00000 "
             "dropped=0000000000 corrupted=00000 free_mb=0000000 reset=" -
      1;
  static constexpr std::size_t kBytes = kReasonAt + kReasonBytes;

  void put();

  char text_[kBytes] = {};
};

}  // namespace microparquet
