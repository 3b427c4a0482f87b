// Logs a counter at 10 Hz into log.parquet on an SD card. The power may be cut at any time: the next start
// continues the file.
//
// Needs: STM32Cube's generated code for the clock and the card, with FatFs and long names on.
#include <stm32f4xx_hal.h>

#include <ff.h>

#include "microparquet/microparquet.h"
#include "microparquet/port/fatfs_file.h"

namespace mpq = microparquet;

struct Sample {
  std::uint32_t time_ms;
  std::uint32_t count;
};
inline constexpr auto kSchema =
    mpq::schema(mpq::column("time_ms", &Sample::time_ms), mpq::column("count", &Sample::count));

static mpq::StaticWriter<kSchema> writer;
static mpq::FatFsFile file;
static FATFS volume;

static mpq::Status start() {
  if (f_mount(&volume, "", 1) != FR_OK) return mpq::Status::kIoError;
  if (const mpq::Status status = file.open_for_append("log.parquet"); status != mpq::Status::kOk)
    return status;
  return writer.resume(file);
}

int main() {
  HAL_Init();
  mpq::Status status = start();
  Sample sample = {};
  while (status == mpq::Status::kOk) {
    sample.time_ms = HAL_GetTick();
    ++sample.count;
    status = writer.append(sample);
    if (status == mpq::Status::kOk) status = writer.tick(sample.time_ms);
    HAL_Delay(100);
  }
  for (;;) {
  }
}
