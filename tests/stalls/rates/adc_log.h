// Eight channels of an ADC, as DMA leaves them: when a half of its buffer is full, an interrupt queues that half, and the program
// appends its columns.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "ff.h"
#include "microparquet/dropped_rows.h"
#include "microparquet/encoders.h"
#include "microparquet/port/fatfs_file.h"
#include "microparquet/row_queue.h"
#include "microparquet/schema.h"
#include "microparquet/writer.h"
#include "numbered_name.h"

namespace adc {

namespace mpq = microparquet;

inline constexpr std::uint32_t kRowsPerSecond = 10'000;
inline constexpr std::uint32_t kRowUs = 1'000'000 / kRowsPerSecond;
inline constexpr std::uint32_t kChannels = 8;
inline constexpr std::uint32_t kHalfRows = 64;

// Half of the buffer: a row after the other, as the converter goes through its channels.
struct Half {
  std::uint32_t first;  // number of its first row
  std::int16_t values[kHalfRows][kChannels];
};

constexpr mpq::Field encoded(const mpq::Field& field) {
#ifdef ADC_PLAIN
  return field;
#else
  return field.with_encoder(mpq::kDeltaBinaryPacked);
#endif
}
constexpr mpq::Field channel(std::string_view name) { return encoded(mpq::integer_field(name, 16, true)); }

// The times of rows are differences in any case: they take no space.
inline constexpr mpq::Field kFields[] = {
    mpq::timestamp_field("time").with_encoder(mpq::kDeltaBinaryPacked),
    channel("adc0"),
    channel("adc1"),
    channel("adc2"),
    channel("adc3"),
    channel("adc4"),
    channel("adc5"),
    channel("adc6"),
    channel("adc7"),
};

inline constexpr mpq::Options kOptions = [] {
  mpq::Options options;
  options.page_bytes = 2048;
  options.row_group_bytes = 1 << 20;
  options.checkpoint_ms = 10'000;
  options.max_loss_ms = 10'000;
  return options;
}();

// The columns of a half. The file holds 16 bits as INT32, and append_columns() takes them so: they are copied once, four
// bytes a value, into memory of a half.
class Columns {
 public:
  [[gnu::noinline]] mpq::Span<const mpq::ColumnData> of(const Half& half) {
    for (std::uint32_t row = 0; row < kHalfRows; ++row) {
      times_[row] = (std::int64_t{half.first} + row) * kRowUs;
      for (std::uint32_t i = 0; i < kChannels; ++i) values_[i][row] = half.values[row][i];
    }
    data_[0].values = times_;
    for (std::uint32_t i = 0; i < kChannels; ++i) data_[i + 1].values = values_[i];
    return {data_, kChannels + 1};
  }

 private:
  std::int64_t times_[kHalfRows];
  std::int32_t values_[kChannels][kHalfRows];
  mpq::ColumnData data_[kChannels + 1];
};

template <std::uint32_t kHalves>
class Logger {
 public:
  static constexpr std::uint32_t kDepth = kHalves;
  using Status = mpq::Status;
  using Queue = mpq::RowQueue<Half, kDepth>;
  struct Memory {
    mpq::Writer writer;
    alignas(8) std::array<std::byte, mpq::Writer::required_bytes(kFields, kOptions)> arena;
    Columns columns;
  };

  // Call it from the interrupt.
  void push(const Half& half) { queue_.push(half); }

  Status open() {
    Status status = create();
    if (status == Status::kOk) status = memory_.writer.open(file_, kFields, kOptions, arena());
    return status == Status::kOk ? dropped_.begin(memory_.writer, dropped_rows()) : status;
  }

  Status step(std::uint32_t now_ms) {
    Status status = drain();
    if (status == Status::kOk) status = dropped_.update(memory_.writer, dropped_rows());
    if (status == Status::kOk) status = memory_.writer.tick(now_ms);
    const bool is_large = memory_.writer.bytes_so_far() >= kFileBytes;
    return status == Status::kOk && is_large ? begin_next() : status;
  }

  Status close() {
    Status status = Status::kOk;
    while (status == Status::kOk && queue_.pending() != 0) status = drain();
    if (status == Status::kOk) status = dropped_.close(memory_.writer, dropped_rows());
    return status == Status::kOk ? file_.close() : status;
  }

  const Memory& writer() const { return memory_; }
  const Queue& queue() const { return queue_; }
  std::uint64_t rows() const { return rows_; }
  std::uint32_t most_pending() const { return most_pending_; }
  std::uint32_t files() const { return files_; }

 private:
  static constexpr std::uint32_t kHalvesOfAStep = 4;
  static constexpr std::uint32_t kFileBytes = 1'000'000;  // of a few seconds

  mpq::Span<std::byte> arena() { return {memory_.arena.data(), memory_.arena.size()}; }
  std::uint32_t dropped_rows() const { return queue_.dropped() * kHalfRows; }

  // A half keeps its place until all of its rows are taken.
  Status drain() {
    for (std::uint32_t halves = kHalvesOfAStep; halves != 0 && queue_.pending() != 0; --halves) {
      const auto columns = memory_.columns.of(queue_.front());
      const Status status = memory_.writer.append_columns(columns, kHalfRows);
      const std::uint32_t pending = queue_.pending();
      if (pending > most_pending_) most_pending_ = pending;
      if (status != Status::kOk) return status;
      rows_ += kHalfRows;
      queue_.pop();
    }
    return Status::kOk;
  }

  Status create() { return file_.create(NumberedName("ADC", ++files_).text()); }

  Status begin_next() {
    Status status = memory_.writer.close();
    if (status == Status::kOk) status = file_.close();
    if (status == Status::kOk) status = create();
    return status == Status::kOk ? memory_.writer.roll(file_) : status;
  }

  Queue queue_;
  Memory memory_;
  mpq::DroppedRows dropped_;
  DWORD link_map_[64] = {};
  mpq::FatFsFile file_{link_map_};
  std::uint64_t rows_ = 0;
  std::uint32_t most_pending_ = 0;
  std::uint32_t files_ = 0;
};

}  // namespace adc
