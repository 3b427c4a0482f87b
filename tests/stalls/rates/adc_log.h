// Eight channels of an ADC, as DMA leaves them: when a half of its buffer is full, an interrupt queues that half, and the program
// appends its rows or, with ADC_BY_COLUMNS, its columns.
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
#include "microparquet/static_writer.h"
#include "microparquet/writer.h"
#include "numbered_name.h"

namespace adc {

namespace mpq = microparquet;
using mpq::Status;

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

#ifdef ADC_BY_COLUMNS

// Appends the columns of a half. The file holds 16 bits as INT32, and append_columns() takes them so: they are copied once,
// four bytes a value, into memory of a half.
class HalfWriter {
 public:
  Status open(mpq::File& file) {
    return writer.open(file, kFields, kOptions, {arena_.data(), arena_.size()});
  }

  // Appends rows of the half from `taken` on, and counts them.
  [[gnu::noinline]] Status append(const Half& half, std::uint32_t& taken) {
    for (std::uint32_t i = 0; i < kHalfRows; ++i) times_[i] = (std::int64_t{half.first} + i) * kRowUs;
    for (std::uint32_t channel = 0; channel < kChannels; ++channel) copy(half, channel);
    const std::uint64_t before = writer.rows();
    const mpq::ColumnData columns[] = {{times_ + taken},     {values_[0] + taken}, {values_[1] + taken},
                                       {values_[2] + taken}, {values_[3] + taken}, {values_[4] + taken},
                                       {values_[5] + taken}, {values_[6] + taken}, {values_[7] + taken}};
    const Status status = writer.append_columns({columns, kChannels + 1}, kHalfRows - taken);
    taken += static_cast<std::uint32_t>(writer.rows() - before);
    return status;
  }

  mpq::Writer writer;

 private:
  void copy(const Half& half, std::uint32_t channel) {
    std::int32_t* to = values_[channel];
    const std::int16_t* from = &half.values[0][channel];
    for (const std::int32_t* const end = to + kHalfRows; to != end; from += kChannels) *to++ = *from;
  }

  alignas(8) std::array<std::byte, mpq::Writer::required_bytes(kFields, kOptions)> arena_;
  std::int64_t times_[kHalfRows];
  std::int32_t values_[kChannels][kHalfRows];
};

#else

// A row where it lies in the buffer.
struct Row {
  std::int64_t time;
  const std::int16_t* values;
};

template <std::uint32_t kChannel>
constexpr auto column() {
  return mpq::column<Row>(kFields[kChannel + 1], [](auto& row) -> auto& { return row.values[kChannel]; });
}

inline constexpr auto kSchema =
    mpq::schema(mpq::column(kFields[0], &Row::time), column<0>(), column<1>(), column<2>(), column<3>(),
                column<4>(), column<5>(), column<6>(), column<7>());

// Appends the rows of a half, which the writer takes from the buffer: nothing is copied before.
class HalfWriter {
 public:
  Status open(mpq::File& file) { return writer.open(file); }

  // Appends rows of the half from `taken` on, and counts them.
  [[gnu::noinline]] Status append(const Half& half, std::uint32_t& taken) {
    for (; taken != kHalfRows; ++taken) {
      const std::int64_t time = (std::int64_t{half.first} + taken) * kRowUs;
      const Status status = writer.append(Row{time, half.values[taken]});
      if (status != Status::kOk) return status;
    }
    return Status::kOk;
  }

  mpq::StaticWriter<kSchema, kOptions> writer;
};

#endif

template <std::uint32_t kHalves>
class Logger {
 public:
  static constexpr std::uint32_t kDepth = kHalves;
  using Queue = mpq::RowQueue<Half, kDepth>;

  // Call it from the interrupt.
  void push(const Half& half) { queue_.push(half); }

  Status open() {
    Status status = create();
    if (status == Status::kOk) status = halves_.open(file_);
    return status == Status::kOk ? dropped_.begin(halves_.writer, dropped_rows()) : status;
  }

  Status step(std::uint32_t now_ms) {
    Status status = drain();
    if (status == Status::kOk) status = dropped_.update(halves_.writer, dropped_rows());
    if (status == Status::kOk) status = halves_.writer.tick(now_ms);
    const bool is_large = halves_.writer.bytes_so_far() >= kFileBytes;
    return status == Status::kOk && is_large ? begin_next() : status;
  }

  Status close() {
    Status status = Status::kOk;
    while (status == Status::kOk && queue_.pending() != 0) status = drain();
    if (status == Status::kOk) status = dropped_.close(halves_.writer, dropped_rows());
    return status == Status::kOk ? file_.close() : status;
  }

  const HalfWriter& writer() const { return halves_; }
  const Queue& queue() const { return queue_; }
  std::uint64_t rows() const { return rows_; }
  std::uint32_t most_pending() const { return most_pending_; }
  std::uint32_t files() const { return files_; }

 private:
  static constexpr std::uint32_t kHalvesOfAStep = 4;
  static constexpr std::uint32_t kFileBytes = 1'000'000;  // of a few seconds

  std::uint32_t dropped_rows() const { return queue_.dropped() * kHalfRows; }

  // A half keeps its place until all of its rows are taken.
  Status drain() {
    for (std::uint32_t halves = kHalvesOfAStep; halves != 0 && queue_.pending() != 0; --halves) {
      const std::uint32_t before = taken_;
      const Status status = halves_.append(queue_.front(), taken_);
      rows_ += taken_ - before;
      const std::uint32_t pending = queue_.pending();
      if (pending > most_pending_) most_pending_ = pending;
      if (status != Status::kOk) return status;
      queue_.pop();
      taken_ = 0;
    }
    return Status::kOk;
  }

  Status create() { return file_.create(NumberedName("ADC", ++files_).text()); }

  Status begin_next() {
    Status status = halves_.writer.close();
    if (status == Status::kOk) status = file_.close();
    if (status == Status::kOk) status = create();
    return status == Status::kOk ? halves_.writer.roll(file_) : status;
  }

  Queue queue_;
  HalfWriter halves_;
  std::uint32_t taken_ = 0;  // rows of the queue's front
  mpq::DroppedRows dropped_;
  DWORD link_map_[64] = {};
  mpq::FatFsFile file_{link_map_};
  std::uint64_t rows_ = 0;
  std::uint32_t most_pending_ = 0;
  std::uint32_t files_ = 0;
};

}  // namespace adc
