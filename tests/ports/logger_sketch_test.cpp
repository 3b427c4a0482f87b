// The sketch few_lines as it stands, over the card in memory: it logs, is cut off, continues, loses its card and finds
// it again.
#include <Arduino.h>
#include <SD.h>
#include <microparquet.h>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <optional>
#include <string>

#include "microparquet/static_reader.h"
#include "played_board.h"
#include "support/check.h"
#include "support/volume.h"

namespace few_lines {
#include "examples/few_lines/few_lines.ino"
}

namespace {

namespace mpq = microparquet;
using filesystems::RamDisk;
using filesystems::Volume;
using mpq::Status;
using ports::now_ms;

struct FewLinesRow {
  std::int64_t time_ms;
  std::optional<std::int32_t> light;
  std::optional<float> volts;
};
constexpr auto kFewLines =
    mpq::schema(mpq::column("time_ms", &FewLinesRow::time_ms), mpq::column("light", &FewLinesRow::light),
                mpq::column("volts", &FewLinesRow::volts));

void boot_few_lines() {
  using Sketch = decltype(few_lines::logger);
  few_lines::logger.~Sketch();
  new (&few_lines::logger) Sketch;
  now_ms = 12'345;  // the bootloader's
  ports::said.clear();
  few_lines::setup();
}

void run_few_lines(std::uint32_t seconds) {
  for (const std::uint32_t begin = now_ms; now_ms - begin < seconds * 1000;) few_lines::loop();
}

struct LogFound {
  unsigned rows = 0;
  unsigned boots = 0;
  unsigned gaps = 0;   // longer than a period, within a boot
  unsigned wrong = 0;  // values
};

LogFound read_few_lines(const char* name = "LOG00001.PQT") {
  static mpq::StaticReader<kFewLines> reader;  // NOLINT(*-dynamic-static-initializers)
  SDLib::File opened = SDLib::SD.open(name);
  mpq::ArduinoFile<SDLib::File> log;
  LogFound found;
  FewLinesRow row = {};
  Status status = log.attach(opened);
  if (status == Status::kOk) status = reader.open(log);
  std::int64_t before_ms = 0;
  while (status == Status::kOk && (status = reader.next(row)) == Status::kOk) {
    if (found.rows == 0 || row.time_ms < before_ms) {
      ++found.boots;
    } else if (row.time_ms != before_ms + 100) {
      ++found.gaps;
    }
    const int light = ports::light_at(static_cast<std::uint32_t>(row.time_ms) + 12'345);
    const bool good = row.light == light && row.volts == static_cast<float>(light) * 3.3F / 1023;
    if (!good) ++found.wrong;
    before_ms = row.time_ms;
    ++found.rows;
  }
  CHECK_EQ(to_string(status), to_string(Status::kEnd));
  CHECK(log.close() == Status::kOk);
  return found;
}

// Keeps the log in the folder of tests/ports/check_logger.py, where other readers read it.
bool keep_log() {
  const char* const folder = std::getenv("MICROPARQUET_IMAGES");
  if (folder == nullptr) return true;
  static std::byte bytes[1 << 20];
  UINT moved = 0;
  FIL log;
  const bool read = f_open(&log, "LOG00001.PQT", FA_READ) == FR_OK &&
                    f_read(&log, bytes, sizeof bytes, &moved) == FR_OK && f_close(&log) == FR_OK;
  std::FILE* const out = std::fopen((std::string(folder) + "/few_lines.parquet").c_str(), "wb");
  if (out == nullptr) return false;
  const bool written = std::fwrite(bytes, 1, moved, out) == moved;
  return std::fclose(out) == 0 && read && written;
}

}  // namespace

TEST("fifteen lines log until the power goes, and then continue") {
  RamDisk disk(filesystems::kFat32.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kFat32));
  {
    Volume volume(disk);
    boot_few_lines();
    run_few_lines(12);
    CHECK(read_few_lines().rows >= 100);  // the first checkpoint comes soon
    run_few_lines(1288);
    CHECK_EQ(ports::said, "");
    const LogFound found = read_few_lines();
    CHECK(found.rows > 11'500);  // of 13,000: footers grow, and come seldom
    CHECK_EQ(found.gaps, 0U);
    disk.cut_after(20, 0);
    run_few_lines(700);
    CHECK(disk.is_cut());
    CHECK(ports::said.find("no card that can be read; tried again soon") != std::string::npos);
  }
  disk.power_on();
  Volume volume(disk);
  const LogFound before = read_few_lines();
  boot_few_lines();
  run_few_lines(700);
  CHECK_EQ(ports::said, "");
  const LogFound after = read_few_lines();
  CHECK(after.rows >= before.rows + 6000);
  CHECK_EQ(after.boots, 2U);
  CHECK_EQ(after.wrong, 0U);
}

TEST("fifteen lines continue when the card does, and count what it has not taken") {
  RamDisk disk(filesystems::kFat32.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kFat32));
  Volume volume(disk);
  boot_few_lines();
  run_few_lines(60);
  // One write fails: the rows since the last checkpoint may be lost, but no others.
  bool failed = false;
  disk.set_watch([&](RamDisk::Access access, std::uint32_t, const std::byte*) {
    const bool fails = access == RamDisk::Access::kWrite && !failed;
    failed = failed || fails;
    return !fails;
  });
  run_few_lines(200);
  CHECK(failed);
  CHECK_EQ(few_lines::logger.file_name(), std::string_view("LOG00001.PQT"));
  CHECK_EQ(ports::said, "the card is full or fails; tried again soon\r\n");  // it is, at the next row
  // The card was pulled out, and is put back.
  disk.set_watch({});
  RamDisk::insert(nullptr);
  ports::said.clear();
  run_few_lines(60);
  CHECK(ports::said.find("no card that can be read; tried again soon") != std::string::npos);
  RamDisk::insert(&disk);
  run_few_lines(200);
  few_lines::logger.end();
  const LogFound found = read_few_lines();
  CHECK_EQ(found.boots, 1U);
  CHECK_EQ(found.wrong, 0U);
  CHECK_EQ(found.rows + few_lines::logger.lost_rows(), 520U * 10);
  CHECK(keep_log());
  CHECK(found.rows > 400U * 10);
}
