// A log of `imu8` by the library, in a file or in files of some minutes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>

#include "cards/logged_card.h"
#include "cards/logs.h"
#include "microparquet/port/fatfs_file.h"
#include "microparquet/rolling.h"
#include "microparquet/static_writer.h"
#include "support/imu8_rows.h"
#include "support/must.h"

namespace cards {

template <const auto& kSchema, const auto& kOptions>
class ParquetLog final : private microparquet::FileSequence {
 public:
  using Writer = microparquet::StaticWriter<kSchema, kOptions>;

  // Files are named by the letter and a number, and end after `roll_ms`; 0: there is one.
  ParquetLog(LoggedCard& card, const Rate& rate, std::uint32_t roll_ms, char letter)
      : card_(card),
        rate_(rate),
        letter_(letter),
        logged_(file_, card),
        generator_(rate.rows()),
        rolling_(writer_, *this, {0, roll_ms}) {
    create();
    support::must(writer_.open(logged_), "open");
  }

  // Appends the next row.
  void append() {
    const std::uint32_t ms = rate_.ms_of(rows_++);
    generator_.next(row_);
    call(ms, [&] { support::must(rolling_.append(row_), "append"); });
    tick(ms);
    const auto waiting = static_cast<double>(writer_.rows() - writer_.durable_rows());
    longest_wait_s_ = std::max(longest_wait_s_, waiting / rate_.hertz);
  }

  void tick(std::uint32_t ms) {
    call(ms, [&] { support::must(rolling_.tick(ms), "tick"); });
  }

  Logged close() {
    call(rate_.ms_of(rows_), [&] {
      support::must(writer_.close(), "close");
      has_rolled_ = true;
    });
    support::must(file_.close(), "close the file");
    return {rows_, sizeof writer_, logged_.published(), longest_wait_s_};
  }

 private:
  template <typename Call>
  void call(std::uint32_t ms, Call what) {
    has_rolled_ = false;
    card_.commands().begin_call(ms);
    what();
    if (has_rolled_) card_.commands().forget_call();
  }

  void create() {
    char name[16];
    std::snprintf(name, sizeof name, "%c%05d.PQT", letter_, number_++);
    support::must(file_.create(name), "create");
  }

  microparquet::Status next(microparquet::File*& file) override {
    support::must(file_.close(), "close the file");
    create();
    logged_.begin_next();
    has_rolled_ = true;
    file = &logged_;
    return microparquet::Status::kOk;
  }

  LoggedCard& card_;
  const Rate rate_;
  const char letter_;
  int number_ = 1;
  DWORD link_map_[64] = {};
  microparquet::FatFsFile file_{link_map_};
  LoggedFile logged_;
  microparquet::bench::Imu8Generator generator_;
  microparquet::bench::Imu8Row row_ = {};
  Writer writer_;
  microparquet::RollingWriter<Writer> rolling_;
  bool has_rolled_ = false;
  std::int32_t rows_ = 0;
  double longest_wait_s_ = 0;
};

// A log of that rate.
template <const auto& kSchema, const auto& kOptions, std::uint32_t kRollMs = 0>
Logged log_parquet(LoggedCard& card, const Rate& rate) {
  const auto log = std::make_unique<ParquetLog<kSchema, kOptions>>(card, rate, kRollMs, 'L');
  for (std::int32_t i = 0; i < rate.rows(); ++i) log->append();
  return log->close();
}

}  // namespace cards
