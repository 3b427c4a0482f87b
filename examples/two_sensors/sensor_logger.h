// All that one sensor needs: a queue, a writer and a file of its own.
#pragma once

#include <cstdint>

#include "ff.h"
#include "microparquet/dropped_rows.h"
#include "microparquet/port/fatfs_file.h"
#include "microparquet/row_queue.h"
#include "microparquet/static_writer.h"
#include "microparquet/status.h"

// `Log` is one of logs.h. Make it static: sizeof is all the memory the sensor takes.
template <typename Log>
class SensorLogger {
 public:
  // Call it from the interrupt, at each tick: it samples when it is time.
  void on_tick(std::uint64_t now_ms) {
    if (now_ms % Log::kPeriodMs != 0 || now_ms >= end_ms_) return;
    queue_.push(Log::kSample(now_ms / Log::kPeriodMs, static_cast<std::int64_t>(now_ms)));
  }

  // Begins the file; samples are taken until `end_ms`.
  microparquet::Status open(std::uint64_t end_ms) {
    end_ms_ = end_ms;
    Status status = file_.create(Log::kPath);
    if (status == Status::kOk) status = writer_.open(file_);
    return status == Status::kOk ? dropped_.begin(writer_, queue_.dropped()) : status;
  }

  // Call it from the main loop, at least every second.
  microparquet::Status step(std::uint64_t now_ms) {
    Status status = queue_.drain(writer_);
    if (status == Status::kOk) status = dropped_.update(writer_, queue_.dropped());
    return status == Status::kOk ? writer_.tick(static_cast<std::uint32_t>(now_ms)) : status;
  }

  microparquet::Status close() {
    Status status = queue_.drain(writer_);
    if (status == Status::kOk) status = dropped_.close(writer_, queue_.dropped());
    return status == Status::kOk ? file_.close() : status;
  }

  const auto& writer() const { return writer_; }
  const auto& queue() const { return queue_; }

 private:
  using Status = microparquet::Status;
  // The card is the other sensor's, too: a call waits for what it writes.
  static constexpr std::uint32_t kLongestStallMs = 1000;
  static constexpr std::uint32_t kBusyMs = 500;

  microparquet::RowQueue<typename Log::Row,
                         microparquet::row_queue_depth(Log::kRowsPerSecond, kLongestStallMs, kBusyMs)>
      queue_;
  microparquet::StaticWriter<Log::kSchema, Log::kOptions> writer_;
  microparquet::DroppedRows dropped_;
  DWORD link_map_[32] = {};
  microparquet::FatFsFile file_{link_map_};
  volatile std::uint64_t end_ms_ = 0;
};
