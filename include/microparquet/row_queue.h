// Queue of rows from a sampling interrupt to the program that writes them.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "microparquet/detail/shared_word.h"
#include "microparquet/status.h"

namespace microparquet {

// Returns the rows that a RowQueue must hold to drop none: those that arrive during the longest stall of the
// medium, and during `busy_ms` on top. `busy_ms` is the longest time between two append() without a stall:
// the other writes of the call that stalled, a checkpoint, other work of the program, or the pause between
// two bursts. Stalls add up if the next one comes before the waiting rows are written: give their sum. Rows
// are assumed to arrive evenly.
constexpr std::uint32_t row_queue_depth(std::uint32_t rows_per_second, std::uint32_t longest_stall_ms,
                                        std::uint32_t busy_ms) {
  constexpr std::uint32_t kMsPerSecond = 1000;
  const std::uint64_t ms = std::uint64_t{longest_stall_ms} + busy_ms;
  const auto arriving = static_cast<std::uint32_t>(rows_per_second * ms / kMsPerSecond) + 1;
  return arriving + 1;  // a row keeps its place until append() has taken it
}

// A queue of `kDepth` rows between one producer, which may be an interrupt, and one consumer, which may be
// interrupted by it at any place; or between two threads. Neither ever waits for the other. Interrupts that
// can interrupt each other are two producers, and take a queue each. Row is copied by its bytes. sizeof is
// the whole cost in memory: kDepth * sizeof(Row) and at most 16 bytes. Make it static: an object of zeros
// lies in .bss. It may also keep the last rows before an event, and nothing of the time till then: see hold().
//
//   static mpq::RowQueue<Sample, mpq::row_queue_depth(100, 1000, 50)> queue;
//   void SysTick_Handler() { queue.push(read_sensor()); }
//   ...
//   status = queue.drain(writer);  // in the main loop, beside tick()
//   if (mpq::is_row_error(status)) queue.pop();  // only where a column has texts: see drain()
template <typename Row, std::uint32_t kDepth>
class RowQueue {
  static_assert(std::is_trivially_copyable_v<Row>, "rows are copied while they may be interrupted");
  static_assert(kDepth != 0 && kDepth <= 0x7FFF'FFFF);

 public:
  // Appends a row, for the producer. Returns false if the queue is full: then the row is dropped, and counted
  // by dropped().
  bool push(const Row& row) {
    const std::uint32_t pushed = pushed_.own();
    const std::uint32_t held = held_.load();
    if (held != 0) let_go((held & ~kTriggered) - 1);
    if (distance(popped_.load(), pushed) == kDepth) {
      dropped_.store(dropped_.own() + 1);
      return false;
    }
    rows_[slot(pushed)] = row;
    pushed_.store(next(pushed));
    if (held > kTriggered) held_.store(0);
    return true;
  }

  // Keeps the newest rows, `rows` of them at most, until trigger(), for the consumer: none waits meanwhile, and push() lets the
  // oldest go, which dropped() does not count. It does nothing if the queue holds rows already. Requires: `rows` is 1 to kDepth.
  void hold(std::uint32_t rows) {
    if (held_.load() != 0) return;
    while (pending() > rows) pop();
    held_.store(rows);
  }
  // Ends hold(), for one side, always the same: rows wait again from the next push() on, the held ones first, and that row after
  // them. It does nothing without hold().
  void trigger() {
    const std::uint32_t held = held_.load();
    if (held != 0 && held <= kDepth) held_.store(held | kTriggered);
  }

  // Returns how many rows were dropped so far, for either side; the number wraps. dropped_rows.h puts it into
  // the file.
  std::uint32_t dropped() const { return dropped_.load(); }

  // Returns how many rows wait, for the consumer: at least as many, since more may arrive meanwhile.
  std::uint32_t pending() const { return held_.load() != 0 ? 0 : distance(popped_.own(), pushed_.load()); }

  // Returns the row that waits longest, for the consumer. It stays the queue's until pop(). Requires:
  // pending() != 0.
  const Row& front() const { return rows_[slot(popped_.own())]; }
  // Drops front(), for the consumer, which gives push() space. Requires: pending() != 0.
  void pop() { popped_.store(next(popped_.own())); }

  // Appends the waiting rows to any object with an append() of a Row, for the consumer. It leaves rows that
  // arrive meanwhile to the next call, so that it always returns. It stops at a status other than kOk, whose
  // row stays the front. If is_row_error(status), call pop(), or the rows after it wait for ever. Rows of
  // numbers in required columns are always taken.
  template <typename AnyWriter>
  Status drain(AnyWriter& writer) {
    for (std::uint32_t rows = pending(); rows != 0; --rows) {
      if (const Status status = writer.append(front()); status != Status::kOk) return status;
      pop();
    }
    return Status::kOk;
  }

 private:
  // Rows are counted from 0 to twice the depth and again from 0, which distinguishes full from empty.
  static constexpr std::uint32_t next(std::uint32_t count) { return count + 1 == 2 * kDepth ? 0 : count + 1; }
  static constexpr std::uint32_t slot(std::uint32_t count) { return count < kDepth ? count : count - kDepth; }
  static constexpr std::uint32_t distance(std::uint32_t from, std::uint32_t to) {
    return to >= from ? to - from : to + 2 * kDepth - from;
  }

  static constexpr std::uint32_t kTriggered = 1U << 31;

  // Lets the oldest rows go but for `rows`, for the producer, whose they are while the queue holds them.
  void let_go(std::uint32_t rows) {
    std::uint32_t popped = popped_.load();
    while (distance(popped, pushed_.own()) > rows) popped = next(popped);
    popped_.store(popped);
  }

  detail::SharedWord<> pushed_;   // rows counted by the producer
  detail::SharedWord<> popped_;   // rows counted by the consumer, or while rows are held by the producer
  detail::SharedWord<> dropped_;  // rows counted by the producer
  detail::SharedWord<> held_;     // most rows to hold, and kTriggered; 0: the consumer takes them
  std::array<Row, kDepth> rows_ = {};
};

}  // namespace microparquet
