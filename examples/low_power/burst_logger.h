// Queues rows and writes them in bursts, with the card switched off between them.
#pragma once

#include <cstdint>

#include "card_switch.h"
#include "microparquet/dropped_rows.h"
#include "microparquet/file.h"
#include "microparquet/row_queue.h"
#include "microparquet/static_writer.h"
#include "uptime.h"

enum class Durable : std::uint8_t {
  kEachBurst,  // a checkpoint in each burst: a cut costs the rows since the last one
  kByOptions,  // checkpoints by Options::checkpoint_ms and the others
};

// `Log` is one of logs.h. All rows lie in the queue or in the writer's pages when the power of the
// processor fails; what a checkpoint has made durable is on the card.
template <typename Log>
class BurstLogger {
 public:
  // Call it from the interrupt.
  void push(const typename Log::Row& row) { queue_.push(row); }

  // The card is on, and `file` has no bytes; it must stay.
  microparquet::Status open(microparquet::File& file) {
    const Status status = writer_.open(file);
    return status == Status::kOk ? dropped_.begin(writer_, queue_.dropped()) : status;
  }

  bool burst_is_due() const { return queue_.pending() >= Log::kRowsPerSecond * Log::kBurstSeconds; }

  // Appends what waits. Nothing but this touches the card.
  microparquet::Status burst(Durable durable) {
    const std::uint64_t began_us = uptime::now_us();
    if (!card_switch::on()) return Status::kMediumLost;
    Status status = queue_.drain(writer_);
    if (status == Status::kOk) status = dropped_.update(writer_, queue_.dropped());
    if (status == Status::kOk) status = durable == Durable::kEachBurst ? writer_.checkpoint() : tick();
    card_switch::off();
    card_us_ += uptime::now_us() - began_us;
    ++bursts_;
    return status;
  }

  // The rest, and the end of the file.
  microparquet::Status close() {
    if (!card_switch::on()) return Status::kMediumLost;
    const Status status = queue_.drain(writer_);
    return status == Status::kOk ? dropped_.close(writer_, queue_.dropped()) : status;
  }

  const auto& writer() const { return writer_; }
  const auto& queue() const { return queue_; }
  std::uint32_t bursts() const { return bursts_; }
  std::uint64_t card_us() const { return card_us_; }  // time that the card was on in bursts

 private:
  using Status = microparquet::Status;
  static constexpr std::uint32_t kLongestStallMs = 1000;
  static constexpr std::uint32_t kBusyMs = Log::kBurstSeconds * 1000 + 200;

  // A footer that is begun is written in this burst.
  Status tick() {
    Status status = Status::kOk;
    do {
      status = writer_.tick(static_cast<std::uint32_t>(uptime::now_ms()));
    } while (status == Status::kOk && writer_.checkpoint_in_progress());
    return status;
  }

  static constexpr std::uint32_t kDepth =
      microparquet::row_queue_depth(Log::kRowsPerSecond, kLongestStallMs, kBusyMs);

  microparquet::RowQueue<typename Log::Row, kDepth> queue_;
  microparquet::StaticWriter<Log::kSchema, Log::kOptions> writer_;
  microparquet::DroppedRows dropped_;
  std::uint32_t bursts_ = 0;
  std::uint64_t card_us_ = 0;
};
