// A log whose rows come from an interrupt, faster than the card is at times: a queue for the rows of a pause, a writer, and files
// one after the other.
#pragma once

#include <cstdint>

#include "ff.h"
#include "microparquet/dropped_rows.h"
#include "microparquet/port/fatfs_file.h"
#include "microparquet/rolling.h"
#include "microparquet/row_queue.h"
#include "microparquet/status.h"
#include "numbered_name.h"

// `Log` has a Writer, kLimits of a file and the kPrefix of its name; a queue of kDepth rows as the interrupt has them, `Queued`, which
// row_of() turns into rows of the writer. Make it static: sizeof is all the memory that the log takes, but for the volume.
template <typename Log>
class FastLogger final : private microparquet::FileSequence {
 public:
  using Writer = typename Log::Writer;
  using Queued = typename Log::Queued;
  using Queue = microparquet::RowQueue<Queued, Log::kDepth>;
  using Status = microparquet::Status;
  static constexpr std::uint32_t kDepth = Log::kDepth;

  // Call it from the interrupt.
  void push(const Queued& row) { queue_.push(row); }

  // Begins the first file.
  Status open() {
    Status status = create();
    if (status == Status::kOk) status = writer_.open(file_);
    return status == Status::kOk ? dropped_.begin(writer_, queue_.dropped()) : status;
  }

  // Writes rows that wait, and gives the writer the time now and then while it does. Call it from the main loop.
  Status step(std::uint32_t now_ms) {
    Status status = drain(kRowsOfAStep);
    if (status == Status::kOk) status = dropped_.update(writer_, queue_.dropped());
    return status == Status::kOk ? rolling_.tick(now_ms) : status;
  }

  Status close() {
    Status status = drain(queue_.pending());
    if (status == Status::kOk) status = dropped_.close(writer_, queue_.dropped());
    return status == Status::kOk ? file_.close() : status;
  }

  const Writer& writer() const { return writer_; }
  const Queue& queue() const { return queue_; }
  std::uint64_t rows() const { return rows_; }                  // of all files
  std::uint32_t most_pending() const { return most_pending_; }  // rows that have waited at a time
  std::uint32_t files() const { return files_; }

 private:
  // A file ends in tick(), which must not come late.
  static constexpr std::uint32_t kRowsOfAStep = 256;

  // The queue is longest when a row has been appended, and is still in it.
  Status drain(std::uint32_t most) {
    for (std::uint32_t pending = queue_.pending(); pending != 0 && most != 0;
         pending = queue_.pending(), --most) {
      const Status status = rolling_.append(log_.row_of(queue_.front()));
      if (const std::uint32_t waiting = queue_.pending(); waiting > most_pending_) most_pending_ = waiting;
      if (status != Status::kOk) return status;
      queue_.pop();
      ++rows_;
    }
    return Status::kOk;
  }

  // The first name that no file has.
  Status create() {
    for (;;) {
      const Status status = file_.create(NumberedName(Log::kPrefix, ++number_).text());
      if (status == Status::kOk) ++files_;
      if (status != Status::kIoError || file_.native_error() != FR_EXIST) return status;
    }
  }

  Status next(microparquet::File*& file) override {
    if (file_.is_open()) {
      if (const Status status = file_.close(); status != Status::kOk) return status;
    }
    file = &file_;
    return create();
  }

  Log log_;
  Queue queue_;
  Writer writer_;
  microparquet::RollingWriter<Writer> rolling_{writer_, *this, Log::kLimits};
  microparquet::DroppedRows dropped_;
  DWORD link_map_[64] = {};
  microparquet::FatFsFile file_{link_map_};
  std::uint64_t rows_ = 0;
  std::uint32_t most_pending_ = 0;
  std::uint32_t files_ = 0;
  std::uint32_t number_ = 0;
};
