// The logging task: it takes rows from the queue to a file on a volume that other tasks use, too.
#pragma once

#include <cstdint>

#include "ff.h"
#include "microparquet/dropped_rows.h"
#include "microparquet/port/fatfs_file.h"
#include "microparquet/static_writer.h"
#include "microparquet/status.h"
#include "sample_queue.h"

// Make it static: sizeof is all the memory it takes beside the task's stack. Used by one task only.
class Logger {
 public:
  static constexpr const char* kPath = "MOTION.parquet";

  // The queue is the caller's and must stay.
  explicit Logger(SampleQueue& queue) : queue_(queue) {}

  // Writes what waits in the queue, and a piece of a checkpoint when one is due; opens the file first, or
  // continues it. To be called whenever the sampler wakes the task, and at least every second.
  // - kOk
  // - kIoError, with is_volume_held(): another task holds the volume for longer than FF_FS_TIMEOUT. Nothing
  //   is lost: the rows stay in the queue. Call again.
  // - else: the card fails, or is full
  microparquet::Status step(std::uint32_t now_ms);

  // Completes the file, with what waits in the queue. Statuses as step().
  microparquet::Status close();

  // Whether the last call failed because another task held the volume.
  bool is_volume_held() const { return file_.native_error() == FR_TIMEOUT; }

  // Rows of the file, those of earlier boots included.
  std::uint64_t rows() const { return writer_.rows(); }
  // Rows that a power cut can no longer take.
  std::uint64_t durable_rows() const { return writer_.durable_rows(); }

 private:
  // A checkpoint each second: what a power cut can cost at this rate of rows is two.
  static constexpr microparquet::Options kOptions = [] {
    microparquet::Options options;
    options.checkpoint_ms = 1000;
    options.checkpoint_ratio = 1;
    return options;
  }();

  microparquet::Status open();

  SampleQueue& queue_;
  microparquet::StaticWriter<kMotionSchema, kOptions> writer_;
  microparquet::DroppedRows dropped_;
  DWORD link_map_[32] = {};
  microparquet::FatFsFile file_{link_map_};
  bool has_file_ = false;
  bool is_logging_ = false;  // the writer has begun the file
  bool is_complete_ = false;
};
