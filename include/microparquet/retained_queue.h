// Queue of rows in memory that survives a reset: the next boot finds the rows that no file has yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "microparquet/detail/retained_memory.h"
#include "microparquet/schema.h"
#include "microparquet/status.h"

namespace microparquet {

// Returns an id of the columns for RetainedQueue: of their names, types and order. Add a number of your own if members
// of the struct change while its columns stay.
constexpr std::uint32_t retained_layout(Schema schema) {
  auto sum = static_cast<std::uint32_t>(schema.size());
  for (const Field& field : schema) {
    const LogicalType& logical = field.logical;
    const auto kind = static_cast<std::uint32_t>(logical.kind) << 16 | std::uint32_t{logical.bits} << 8;
    const auto type =
        static_cast<std::uint32_t>(field.type) << 8 | static_cast<std::uint32_t>(field.repetition);
    for (const char letter : field.name) sum = detail::retained_step(sum, static_cast<unsigned char>(letter));
    sum = detail::retained_step(sum, field.type_length << 16 | type);
    sum = detail::retained_step(sum, kind | static_cast<std::uint32_t>(logical.unit) << 4 | logical.scale);
  }
  return sum;
}

// A queue of `kDepth` rows in RAM that start-up code leaves alone: .noinit, the RTC's memory, a backup domain. It
// carries rows over the reset of a watchdog, a crash, an update or a deep sleep. A row leaves it only when it is
// durable: give it the rows between two checkpoints, or drain() makes one when a quarter of the places is left.
// `kLayout` is an id of the struct: a firmware with another one drops the rows that it finds.
//
//   using Queue = mpq::RetainedQueue<Sample, 255, mpq::retained_layout(kSchema.fields)>;
//   [[gnu::section(".noinit")]] static Queue queue;  // ESP32: RTC_NOINIT_ATTR
//
//   found = queue.begin();                           // first in each boot
//   queue.push(read_sensor());                       // also from an interrupt, or while the card is off
//   ...
//   status = writer.resume(file);                    // the file of the last boot
//   status = queue.drain(writer);                    // and then as often as tick()
//
// How a boot knows what the file has: the rows of the file and of the queue are counted, and the queue keeps the
// difference. Each footer says how many rows its file has, so each row of the queue is in the file or not. Every row of
// the file therefore goes through the queue, each file has an id of its own (see Options::file_id), and the program
// continues the file of the last boot; in another one it appends all rows that were not known to be durable.
//
// A row is copied by its bytes and must not point to anything. The queue takes the next power of two above kDepth
// places, at least 4, each of the row and 8 bytes. One producer, which may be an interrupt or a fault handler, and one consumer, as
// RowQueue. No data cache may keep back what is written here: on a Cortex-M7 use the DTCM.
template <typename Row, std::uint32_t kDepth, std::uint32_t kLayout = 0>
class RetainedQueue {
  static_assert(std::is_trivially_copyable_v<Row>, "rows are kept as bytes over a reset");
  static_assert(kDepth != 0 && kDepth <= 0xFF'FFFF);

 public:
  // Finds the rows that the last boot has left. Call it once in each boot, before interrupts that push and any other
  // call. A row that is damaged, or that a reset has left half written, is dropped and counted.
  // - kOk: the memory had a queue of this layout
  // - kSchemaMismatch: it had none, as after a first start, or one of another layout, whose rows are dropped
  Status begin() {
    Status status = Status::kOk;
    if (layout_.load() != kSeed) {
      dropped_.store(0);
      status = Status::kSchemaMismatch;
    }
    find_rows();
    layout_.store(kSeed);
    return status;
  }

  // Appends a row, for the producer. Returns false if the queue is full: then the row is dropped and counted.
  bool push(const Row& row) { return put(row, kDepth); }
  // Appends a row for which a place is kept free, such as the mark of a crash. A fault handler may interrupt push()
  // with it, or come before begin(), if it ends in a reset: the row that was being pushed is lost then.
  bool push_mark(const Row& row) { return put(row, kSlots); }

  // Returns how many rows were dropped since the memory was first used: refused, damaged or skipped. The number wraps.
  std::uint32_t dropped() const { return dropped_.load(); }

  // Returns how many rows are in the queue, for the consumer, with those that wait to become durable.
  std::uint32_t pending() const { return pushed_.load_shared() - popped_.load(); }

  // Appends the rows to an open writer and lets go of those that are durable. The first call of a boot drops those that
  // the file has already, before it appends any. It stops at a status other than kOk, and the same call continues; if
  // is_row_error(status), call skip() first. Statuses as append() and checkpoint() of the writer.
  template <typename AnyWriter>
  Status drain(AnyWriter& writer) {
    return drain(writer, writer);
  }
  // Appends through `log`, a RollingWriter over `writer`, whose FileSequence calls end_file().
  template <typename AnyLog, typename AnyWriter>
  Status drain(AnyLog& log, const AnyWriter& writer) {
    settle(writer);
    for (const std::uint32_t end = pushed_.load_shared(); drained_ != end;) {
      if (const Status status = append(log, writer); status != Status::kOk) return status;
    }
    return Status::kOk;
  }

  // Lets go of the rows that are durable, as drain() does. Rows that the writer no longer has, after reset() and
  // resume(), or because reconnect() has lost them in place, wait again.
  template <typename AnyWriter>
  void settle(const AnyWriter& writer) {
    const std::uint32_t difference = this->difference(writer);
    const std::uint32_t pushed = pushed_.load_shared();
    std::uint32_t popped = popped_.load();
    std::uint32_t left = static_cast<std::uint32_t>(writer.safe_rows()) - difference - popped;
    if (left > kSlots) left = 0;  // another file
    for (; left != 0 && popped != pushed; --left) {
      empty(popped);
      ++popped;
    }
    if (static_cast<std::uint32_t>(writer.rows()) - drained_ != difference) drained_ = popped;
    popped_.store_shared(popped);
  }

  // Drops the row at which drain() has stopped, which no file will take, and counts it.
  void skip() {
    empty(drained_);
    drop();
  }

  // Takes leave of the writer's file, after close() or leave() and before another file is begun: FileSequence::next() and
  // again() begin with it. Returns false if rows of the file are not durable and are to be appended to the next one: a
  // FileSequence returns kWrongState then, so that drain() begins again with these.
  template <typename AnyWriter>
  bool end_file(const AnyWriter& writer) {
    settle(writer);
    const bool all = drained_ == popped_.load();
    drained_ = popped_.load();
    return all;
  }

 private:
  static constexpr std::uint32_t power_above(std::uint32_t rows) {
    std::uint32_t power = 4;  // at least two bits tell an empty place
    while (power <= rows) power *= 2;
    return power;
  }
  static constexpr std::uint32_t kSlots = power_above(kDepth);
  static constexpr std::uint32_t kTag = 0x5171706D;  // "mpqQ"
  static constexpr std::uint32_t kSeed =
      detail::retained_step(detail::retained_step(kTag ^ kLayout, sizeof(Row)), kDepth);

  // Row `number` lies in slot `number` modulo the slots. The number is written first and the sum, over row and number,
  // last. In an empty slot all bits of the number are inverted.
  struct Slot {
    const void* bytes() const { return row; }

    alignas(Row) std::byte row[sizeof(Row)];
    detail::RetainedWord number;
    detail::RetainedWord sum;
  };

  Slot& slot_of(std::uint32_t number) { return slots_[number & (kSlots - 1)]; }
  void empty(std::uint32_t number) { slot_of(number).number.store(~number); }
  void drop() { dropped_.store(dropped_.load() + 1); }

  // Copies a row, and returns its sum. With `from` as `to` it only sums up.
  static std::uint32_t sum_of(std::byte* to, const std::byte* from, std::uint32_t number) {
    return detail::retained_copy<sizeof(Row), alignof(Row)>(to, from, kSeed ^ number);
  }

  bool put(const Row& row, std::uint32_t most) {
    const std::uint32_t number = pushed_.load();
    if (number - popped_.load_shared() >= most) {
      drop();
      return false;
    }
    Slot& slot = slot_of(number);
    slot.number.store(number);
    slot.sum.store(sum_of(slot.row, reinterpret_cast<const std::byte*>(&row), number));
    pushed_.store_shared(number + 1);
    return true;
  }

  // Where it finds none, the next numbers are far from those that the difference is of.
  void find_rows() {
    constexpr std::uint32_t kApart = 0x4000'0000;
    constexpr std::uint32_t kPlaceBits = kSlots - 1;
    std::uint32_t first = pushed_.load() + kApart;
    std::uint32_t end = first;
    for (std::uint32_t i = 0; i != kSlots; ++i) {
      Slot& slot = slots_[i];
      const std::uint32_t number = slot.number.load();
      if (((number ^ i) & kPlaceBits) == kPlaceBits) continue;
      if (sum_of(slot.row, slot.row, number) != slot.sum.load()) {
        slot.number.store(~i);
        drop();
        continue;
      }
      if (first == end) first = end = number;
      if (static_cast<std::int32_t>(number - first) < 0) first = number;
      if (static_cast<std::int32_t>(number - end) >= 0) end = number + 1;
    }
    popped_.store(first);
    pushed_.store(end);
    drained_ = first;
  }

  // Difference between the rows of the file and the numbers of the rows in it, masked by the file's id. It is kept three
  // times, so that neither a reset nor a wrong bit changes it.
  template <typename AnyWriter>
  std::uint32_t difference(const AnyWriter& writer) const {
    const std::uint32_t a = differences_[0].load();
    const std::uint32_t b = differences_[1].load();
    return ((a & b) | ((a | b) & differences_[2].load())) - mask_of(writer);
  }
  template <typename AnyWriter>
  static std::uint32_t mask_of(const AnyWriter& writer) {
    return writer.file_id() * (64 * kSlots);  // ids that follow each other are many rings apart
  }
  template <typename AnyWriter>
  void set_difference(const AnyWriter& writer) {
    const std::uint32_t difference = static_cast<std::uint32_t>(writer.rows()) - drained_ + mask_of(writer);
    for (detail::RetainedWord& word : differences_) word.store(difference);
  }

  // Appends the next row. Where one is missing, or the queue becomes full, those before it are made durable first.
  template <typename AnyLog, typename AnyWriter>
  Status append(AnyLog& log, const AnyWriter& writer) {
    const std::uint32_t number = drained_;
    const Slot& slot = slot_of(number);
    const bool missing = slot.number.load() != number;
    if (missing || number - popped_.load() >= kDepth - kDepth / 4) {
      if (const Status status = log.checkpoint(); status != Status::kOk) return status;
      settle(writer);
    }
    if (!missing) {
      const Status status = log.append(*static_cast<const Row*>(slot.bytes()));
      if (status != Status::kOk) return status;
    }
    drained_ = number + 1;
    set_difference(writer);  // a RollingWriter may have begun another file with the row
    return Status::kOk;
  }

  detail::RetainedWord layout_;
  detail::RetainedWord dropped_;
  detail::RetainedWord differences_[3];
  // Words of this boot, which begin() finds again.
  detail::RetainedWord pushed_;  // number of the next row
  detail::RetainedWord popped_;  // of the first one in the queue
  std::uint32_t drained_;        // of the first one that has not been appended
  Slot slots_[kSlots];
};

}  // namespace microparquet
