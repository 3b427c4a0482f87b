#include "cards/logger_log.h"

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "support/imu8.h"

// With the macros of Arduino's core, after all else.
#include <SdFat.h>
#include <microparquet.h>

#include "played_board.h"

namespace cards {

namespace {

void must(bool taken, const char* what, const char* message) {
  if (taken) return;
  std::fprintf(stderr, "%s: %s\n", what, message);
  std::exit(1);
}

std::uint64_t bytes_of_all_files() {
  std::uint64_t bytes = 0;
  DIR root;
  FILINFO file;
  must(f_opendir(&root, "/") == FR_OK, "open the root", "FatFs refuses");
  while (f_readdir(&root, &file) == FR_OK && file.fname[0] != 0) bytes += file.fsize;
  f_closedir(&root);
  return bytes;
}

}  // namespace

Logged log_by_logger(LoggedCard& card, const Rate& rate) {
  SdFs volume;
  const auto logger = std::make_unique<microparquet::Logger<SdFs>>();
  microparquet::bench::Imu8Generator generator(rate.rows());
  microparquet::bench::Imu8Row row;
  Logged result;
  result.rows = rate.rows();
  result.ram_bytes = sizeof *logger;
  ports::now_ms = 0;
  must(logger->begin(volume, "LOG"), "begin", logger->message());
  for (std::int32_t i = 0; i < rate.rows(); ++i) {
    generator.next(row);
    ports::now_ms = rate.ms_of(i);
    card.commands().begin_call(ports::now_ms);
    logger->add("seq", row.seq).add("ax", row.ax).add("ay", row.ay).add("az", row.az).add("temp", row.temp);
    logger->add("status", row.status).add("battery_mv", row.battery_mv);
    must(logger->end_row(), "end_row", logger->message());
    const auto waiting = static_cast<double>(logger->rows() - logger->durable_rows());
    if (waiting / rate.hertz > result.longest_wait_s) result.longest_wait_s = waiting / rate.hertz;
  }
  card.commands().begin_call(rate.ms_of(rate.rows()));
  must(logger->end() && logger->lost_rows() == 0, "end", logger->message());
  card.commands().forget_call();
  result.file_bytes = bytes_of_all_files();
  return result;
}

}  // namespace cards
