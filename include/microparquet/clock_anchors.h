// Dates for rows that were taken before the device knew the time, in the file's key-values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/facts.h"
#include "microparquet/options.h"
#include "microparquet/status.h"

namespace microparquet {

// Keeps a key-value of a Writer or StaticWriter that tells when ticks of the device's clock were, for the rows of one
// boot: "clock.0000000500", where 500 is the boot's first row. Ticks are the values of the column that counts them, such as
// time_ms. `mpq`, the viewer and `collect` date the rows by it, those before the first anchor too. Its value is
// "812 3600000=1767225600000 7200000=1767229200012": the anchors are of the rows from 500 to 811, and at tick 3,600,000
// it was 1,767,225,600,000 ms after the start of 1970 in UTC. At most four anchors are kept, or as many as fit 100
// bytes: the first one, the last one, and between them those where the clock's drift changes most.
//
// It takes one of Options::max_key_values, and nothing where add() is never called, as where each row has its time. It must stay as
// long as the writer, which reads its text. Only the writer's thread may use it.
class ClockAnchors {
 public:
  // Bytes of a key-value without its key, at most.
  static constexpr std::size_t kMostBytes = 100;
  // Boots with anchors in a file: more would make each footer long. Roll then.
  static constexpr std::uint32_t kMostBoots = 32;

  constexpr ClockAnchors() = default;
  ClockAnchors(const ClockAnchors&) = delete;
  ClockAnchors& operator=(const ClockAnchors&) = delete;

  // Begins a boot: its first row is the writer's next one. Call it after each open() and resume(). It forgets the anchors
  // of the boot before, which a resumed file keeps.
  template <typename AnyWriter>
  void begin(const AnyWriter& writer, std::uint32_t ticks_per_second = 1'000) {
    ticks_per_second_ = ticks_per_second;
    count_ = 0;
    file_id_ = writer.file_id();
    first_row_ = static_cast<std::uint32_t>(writer.rows());
  }

  // Adds an anchor: at `tick` it was `utc_ms` milliseconds after the start of 1970 in UTC. Call it whenever the time comes in, by
  // radio, satellite or hand. What comes later is believed: where it contradicts the anchors before, since the tick is not later, or
  // by more than a second and a thousandth of the time between, the clock was set, and they are dropped.
  // - kInvalidArgument: the time is before 1980 or after 2286: the clock does not run yet.
  // - kOutOfMemory: the file has kMostBoots such key-values, or all Options::max_key_values are taken. Roll or close
  //   the file: rows keep their ticks, and the next file takes anchors again.
  // - Other statuses as set_key_value(). Whatever it is, nothing has changed: repeat the call, or wait for the next time.
  template <typename AnyWriter>
  Status add(AnyWriter& writer, std::int64_t tick, std::int64_t utc_ms) {
    if (!is_date(utc_ms)) return Status::kInvalidArgument;
    if (count_ == 0) {
      std::uint32_t boots = 0;
      const Status status = writer.count_inherited(facts::kClock, boots);
      if (status != Status::kOk) return status;
      if (boots >= kMostBoots) return Status::kOutOfMemory;
    }
    return set(writer, {tick, utc_ms});
  }

  // Notes which rows the anchors are of, up to the last one: call it right before each tick(), checkpoint() and close(). It
  // does nothing without an anchor, and leaves a footer on its way as it is. After roll() it gives the next file its own
  // key-value. Statuses as set_key_value().
  template <typename AnyWriter>
  Status update(AnyWriter& writer) {
    if (count_ == 0 || writer.checkpoint_in_progress()) return Status::kOk;
    if (writer.rows() == end_row_ && writer.file_id() == file_id_) return Status::kOk;
    return set(writer, {});
  }

 private:
  struct Anchor {
    std::int64_t tick;
    std::int64_t utc_ms;
  };
  static constexpr std::uint8_t kMostAnchors = 4;
  static constexpr std::size_t kRowDigits = 10;

  static constexpr bool is_date(std::int64_t utc_ms) {
    constexpr std::int64_t k1980 = 315'532'800'000;
    constexpr std::int64_t k2286 = 10'000'000'000'000;
    return utc_ms >= k1980 && utc_ms < k2286;
  }

  // `added`: without a time it is none. The writer must not find another text than it was given: what it has is set once
  // more, and can be replaced if that is taken.
  template <typename AnyWriter>
  Status set(AnyWriter& writer, const Anchor& added) {
    const bool had_any = count_ != 0;
    Status status = had_any ? writer.set_key_value(key(), text()) : Status::kOk;
    if (status != Status::kOk) return status;
    if (added.utc_ms != 0) take(added);
    if (writer.file_id() != file_id_) first_row_ = 0;
    file_id_ = writer.file_id();
    end_row_ = static_cast<std::uint32_t>(writer.rows());
    put();
    status = writer.set_key_value(key(), text());
    if (status != Status::kOk && !had_any) count_ = 0;
    return status;
  }

  std::string_view key() const { return std::string_view(key_, sizeof key_); }
  std::string_view text() const { return std::string_view(text_ + sizeof text_ - text_bytes_, text_bytes_); }
  void take(const Anchor& anchor);
  bool contradicts(const Anchor& anchor) const;
  std::int32_t drift(const Anchor& from, const Anchor& to) const;
  float bend(const Anchor* anchor) const;
  // Drops the anchor between the first and the last at which the drift changes least.
  void drop_one();
  // Writes key and value. Drops anchors if there are more than fit.
  void put();
  bool put_text();

  std::uint32_t ticks_per_second_ = 0;
  std::uint32_t file_id_ = 0;
  std::uint32_t first_row_ = 0;
  std::uint32_t end_row_ = 0;              // one more than the last row that the anchors are of
  Anchor anchors_[kMostAnchors + 1] = {};  // one more, until one of them is dropped
  std::uint8_t count_ = 0;
  std::uint8_t text_bytes_ = 0;
  char key_[facts::kClock.size() + kRowDigits] =
      {};                       // always of this length, so that the writer knows it again
  char text_[kMostBytes] = {};  // the text is at its end
};

}  // namespace microparquet
