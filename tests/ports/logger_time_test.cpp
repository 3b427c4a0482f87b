// Logger whose device learns the time late, boot after boot, over SdFat.
#include <SdFat.h>
#include <microparquet.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "microparquet/clock_anchors.h"
#include "played_board.h"
#include "support/check.h"
#include "support/volume.h"

namespace {

namespace mpq = microparquet;
using filesystems::RamDisk;
using filesystems::Volume;
using ports::now_ms;

using LateLogger = mpq::Logger<SdFs, 2, 5600>;
SdFs late_volume;

constexpr std::int64_t kFirstS = 1'800'000'000;

// A boot of some rows a second apart, the clock of which is set after some of them.
void log_late(LateLogger& logger, unsigned boot, unsigned rows, unsigned set_after) {
  logger.begin(late_volume, "LATE", [] { return late_volume.begin(10); });
  for (unsigned i = 0; i < rows; ++i) {
    if (i == set_after) logger.set_time(kFirstS + boot * 1000 + i);
    if (i == rows / 2) logger.mark("half");
    logger.add("boot", boot).add("row", i);
    CHECK(logger.end_row());
    now_ms += 1000;
  }
}

std::vector<char> bytes_of(const char* name) {
  FIL file;
  if (f_open(&file, name, FA_READ) != FR_OK) return {};
  std::vector<char> bytes(f_size(&file));
  UINT moved = 0;
  const bool good = f_read(&file, bytes.data(), static_cast<UINT>(bytes.size()), &moved) == FR_OK;
  static_cast<void>(f_close(&file));
  return good && moved == bytes.size() ? bytes : std::vector<char>();
}

// Keeps the log in the folder of tests/ports/check_logger.py, where other readers read it.
void keep(const char* name, const char* as) {
  const char* const folder = std::getenv("MICROPARQUET_IMAGES");
  const std::vector<char> bytes = bytes_of(name);
  CHECK(!bytes.empty());
  if (folder == nullptr || bytes.empty()) return;
  std::FILE* const out = std::fopen((std::string(folder) + "/" + as).c_str(), "wb");
  REQUIRE(out != nullptr);
  CHECK_EQ(std::fwrite(bytes.data(), 1, bytes.size(), out), bytes.size());
  CHECK_EQ(std::fclose(out), 0);
}

}  // namespace

TEST("a Logger's boots learn the time late, never, and at once, in one file") {
  RamDisk disk(filesystems::kFat32.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kFat32));
  Volume volume(disk);
  constexpr unsigned kSetAfter[] = {10, 40, 0};
  for (unsigned boot = 0; boot < 3; ++boot) {
    LateLogger logger;
    now_ms = 5'000 + boot;
    log_late(logger, boot, 40, kSetAfter[boot]);
    CHECK(logger.end());
    CHECK_EQ(std::string(logger.file_name()), "LATE0001.parquet");
    CHECK_EQ(logger.lost_rows(), 0U);
  }
  keep("LATE0001.parquet", "late_time.parquet");
}

TEST("a Logger begins the next file after 32 boots that learned the time late") {
  RamDisk disk(filesystems::kFat32.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kFat32));
  Volume volume(disk);
  for (unsigned boot = 0; boot <= mpq::ClockAnchors::kMostBoots; ++boot) {
    LateLogger logger;
    log_late(logger, boot, 3, 2);
    CHECK(logger.end());
    const bool is_last = boot == mpq::ClockAnchors::kMostBoots;
    CHECK_EQ(std::string(logger.file_name()), is_last ? "LATE0002.parquet" : "LATE0001.parquet");
  }
  // One that knows the time takes no anchor, and continues.
  for (unsigned boot = 0; boot < 40; ++boot) {
    LateLogger logger;
    log_late(logger, boot, 3, 0);
    CHECK(logger.end());
    CHECK_EQ(std::string(logger.file_name()), "LATE0002.parquet");
  }
  const std::vector<char> bytes = bytes_of("LATE0001.parquet");
  const std::string text(bytes.begin(), bytes.end());
  const std::string footer = text.substr(text.size() > 10'000 ? text.size() - 10'000 : 0);
  CHECK(footer.find("clock.0000000093") != std::string::npos);
}
