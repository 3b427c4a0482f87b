// The log over FatFs and a driver of cards that comes with it, on SPI 0.
#include "hw_config.h"
#include "log.h"
#include "microparquet/port/fatfs_file.h"
#include "pico/stdlib.h"
#include "rtc.h"

namespace {

DWORD link_map[64];
mpq::FatFsFile log_file{mpq::Span<DWORD>(link_map, 64)};

mpq::Status open_log() {
  if (f_mount(&sd_get_by_num(0)->fatfs, "0:", 1) != FR_OK) return mpq::Status::kMediumLost;
  return log_file.open_for_append("0:LOG.PQT");
}

}  // namespace

int main() {
  stdio_init_all();
  time_init();
  mpq::Status status = open_log();
  if (status == mpq::Status::kOk) status = log_as_set(log_file);
  if (status == mpq::Status::kOk) status = log_file.close();
  end_boot(status);
}
