#include "cards/logs.h"

#include <cstdio>
#include <cstring>

#include "cards/parquet_log.h"
#include "cards/stream_logs.h"
#include "microparquet/codecs.h"
#include "microparquet/layout.h"
#include "support/imu8_rows.h"

namespace cards {

namespace {

namespace mpq = microparquet;

constexpr std::uint32_t kMaxLossMs = 600'000;

constexpr mpq::Options in_place(std::uint32_t page_bytes) {
  mpq::Options options;
  options.page_bytes = page_bytes;
  options.max_loss_ms = kMaxLossMs;
  return options;
}

constexpr mpq::Options forward(std::uint32_t page_bytes, std::uint32_t pool_bytes) {
  mpq::Options options = in_place(page_bytes);
  options.layout = &mpq::kForward;
  options.row_group_bytes = pool_bytes;
  return options;
}

constexpr auto kSmallSchema = mpq::bench::kImu8Schema.with_encoder(mpq::kAuto.under(mpq::kLz4RawCompressor));

void must_be_ok(FRESULT result, const char* what) {
  if (result == FR_OK) return;
  std::fprintf(stderr, "%s: FatFs's error %d\n", what, result);
  std::exit(1);
}

std::size_t as_csv(const mpq::bench::Imu8Row& row, char (&line)[160]) {
  return static_cast<std::size_t>(
      std::snprintf(line, sizeof line, "%lld,%d,%.4f,%.4f,%.4f,%.2f,%d,%d\n", static_cast<long long>(row.ts),
                    row.seq, static_cast<double>(row.ax), static_cast<double>(row.ay),
                    static_cast<double>(row.az), static_cast<double>(row.temp), row.status, row.battery_mv));
}

std::size_t as_struct(const mpq::bench::Imu8Row& row, char (&line)[160]) {
  std::memcpy(line, &row, sizeof row);
  return sizeof row;
}

using Format = std::size_t(const mpq::bench::Imu8Row& row, char (&line)[160]);

template <Format& kFormat, std::uint32_t kSyncMs>
Logged log_lines(LoggedCard& card, const Rate& rate) {
  card.set_cause(Cause::kPages);
  FIL file;
  must_be_ok(f_open(&file, "LOG.CSV", FA_WRITE | FA_CREATE_ALWAYS), "open");
  mpq::bench::Imu8Generator generator(rate.rows());
  mpq::bench::Imu8Row row;
  std::uint32_t synced_ms = 0;
  for (std::int32_t i = 0; i < rate.rows(); ++i) {
    generator.next(row);
    const std::uint32_t ms = rate.ms_of(i);
    card.commands().begin_call(ms);
    char line[160];
    const std::size_t bytes = kFormat(row, line);
    UINT written = 0;
    must_be_ok(f_write(&file, line, static_cast<UINT>(bytes), &written), "write");
    if (ms - synced_ms < kSyncMs) continue;
    synced_ms = ms;
    must_be_ok(f_sync(&file), "sync");
  }
  Logged result{rate.rows(), sizeof file, f_size(&file), kSyncMs / 1000.0};
  must_be_ok(f_close(&file), "close");
  return result;
}

constexpr mpq::Options kInPlace512 = in_place(512);
constexpr mpq::Options kInPlace1k = in_place(1 << 10);
constexpr mpq::Options kInPlace4k = in_place(4 << 10);
constexpr mpq::Options kForward13k = forward(8192, 14 << 10);
constexpr mpq::Options kForward28k = forward(8192, 18 << 10);

}  // namespace

const std::vector<Log>& logs() {
  using mpq::bench::kImu8Schema;
  static const std::vector<Log> usual = {
      {"in_place", "pages of 512 bytes, the default", log_parquet<kImu8Schema, kInPlace512>},
      {"in_place_4k", "pages of 4 KiB", log_parquet<kImu8Schema, kInPlace4k>},
      {"in_place_small", "kAuto under LZ4_RAW, pages of 1 KiB", log_parquet<kSmallSchema, kInPlace1k>},
      {"forward_13k", "kForward, a pool of 13 KiB, pages of 512 bytes",
       log_parquet<kImu8Schema, kForward13k>},
      {"forward_28k", "kForward, a pool of 28 KiB, pages of 1 KiB", log_parquet<kImu8Schema, kForward28k>},
      {"csv_1s", "CSV, f_sync() each second", log_lines<as_csv, 1000>},
      {"csv_60s", "CSV, f_sync() each minute", log_lines<as_csv, 60'000>},
      {"struct_60s", "structs of 40 bytes, f_sync() each minute", log_lines<as_struct, 60'000>},
  };
  static const std::vector<Log> all = [] {
    std::vector<Log> both = usual;
    both.insert(both.end(), stream_logs().begin(), stream_logs().end());
    return both;
  }();
  return all;
}

}  // namespace cards
