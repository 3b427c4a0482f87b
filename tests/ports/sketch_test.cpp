// The sketch sd_log as it stands, over the card in memory: it logs, is cut off, continues, and finds its
// card again.
#include <Arduino.h>

#include "microparquet/static_reader.h"
#include "played_board.h"
#include "support/check.h"
#include "support/volume.h"

#include "examples/sd_log/sd_log.ino"

namespace {

using filesystems::RamDisk;
using filesystems::Volume;
using mpq::Status;
using ports::led;
using ports::light_at;
using ports::now_ms;

void boot() {
  logging = false;
  number = 0;
  now_ms = 0;
  setup();
}

void run(std::uint32_t seconds) {
  for (const std::uint32_t end = now_ms + seconds * 1000; now_ms < end; now_ms += 10) loop();
}

struct Found {
  unsigned rows = 0;
  unsigned boots = 0;
  std::uint32_t first_ms = 0;
  std::uint32_t next_ms = 0;  // after the last one
  unsigned mislabelled = 0;   // not measured when they say
};

// Rows that follow each other by 100 ms.
Found read(const char* name = "LOG00.PQT") {
  static mpq::StaticReader<kSchema> reader;  // NOLINT(*-dynamic-static-initializers)
  SDLib::File opened = SD.open(name);
  mpq::ArduinoFile<SDLib::File> log;
  Found found;
  Sample sample = {};
  Status status = log.attach(opened);
  if (status == Status::kOk) status = reader.open(log);
  while (status == Status::kOk && (status = reader.next(sample)) == Status::kOk) {
    if (found.rows == 0) found.first_ms = sample.time_ms;
    if (sample.light != light_at(sample.time_ms)) ++found.mislabelled;
    if (found.rows == 0 || sample.time_ms != found.next_ms) ++found.boots;
    found.next_ms = sample.time_ms + 100;
    ++found.rows;
  }
  CHECK_EQ(to_string(status), to_string(Status::kEnd));
  CHECK(log.close() == Status::kOk);
  return found;
}

}  // namespace

TEST("the sketch logs until it is switched off, and then continues") {
  RamDisk disk(filesystems::kFat32.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kFat32));
  {
    Volume volume(disk);
    boot();
    run(1300);
    CHECK(!led);
    const Found found = read();
    CHECK(found.rows > 6000);  // at most max_loss_ms are lost
    CHECK_EQ(found.boots, 1U);
    disk.cut_after(20, 0);
    run(700);
    CHECK(disk.is_cut());
    CHECK(led);
  }
  disk.power_on();
  Volume volume(disk);
  const Found before = read();
  boot();
  run(700);
  const Found after = read();
  CHECK(after.rows >= before.rows + 5500);
  CHECK_EQ(after.boots, 2U);
  // The card fails once, and the sketch starts again.
  bool failed = false;
  disk.set_watch([&](RamDisk::Access access, std::uint32_t, const std::byte*) {
    const bool fails = access == RamDisk::Access::kWrite && !failed;
    failed = failed || fails;
    return !fails;
  });
  run(1300);
  CHECK(failed);
  CHECK(!led);
  const Found last = read();
  CHECK(last.rows > after.rows);
  CHECK_EQ(last.boots, 3U);
}

TEST("a sample has the time it was taken at, though the card paused") {
  RamDisk disk(filesystems::kFat32.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kFat32));
  Volume volume(disk);
  boot();
  unsigned writes = 0;
  disk.set_watch([&](RamDisk::Access access, std::uint32_t, const std::byte*) {
    if (access == RamDisk::Access::kWrite && ++writes % 50 == 0) now_ms += 730;
    return true;
  });
  run(1300);
  CHECK(writes > 200);
  const Found found = read();
  CHECK(found.rows > 6000);
  CHECK(found.boots > 3);  // pauses
  CHECK_EQ(found.mislabelled, 0U);
}

TEST("the sketch continues in the next file when one is full, or none of its own") {
  RamDisk disk(filesystems::kFat32.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kFat32));
  Volume volume(disk);
  FIL other;
  UINT written = 0;
  REQUIRE(f_open(&other, "LOG00.PQT", FA_WRITE | FA_CREATE_NEW) == FR_OK);
  REQUIRE(f_write(&other, "another program's file", 22, &written) == FR_OK);
  REQUIRE(f_close(&other) == FR_OK);
  const int files = ports::FatHandle::not_closed;
  boot();
  while (number < 2 && now_ms < 100'000'000) run(100);
  run(1300);
  CHECK(!led);
  CHECK_EQ(number, 2U);
  CHECK_EQ(ports::FatHandle::not_closed, files + 1);
  FILINFO information;
  CHECK(f_stat("LOG00.PQT", &information) == FR_OK);
  CHECK_EQ(information.fsize, 22U);
  CHECK(f_stat("LOG01.PQT", &information) == FR_OK);
  CHECK(information.fsize <= kMaxBytes);
  const Found full = read("LOG01.PQT");
  const Found next = read("LOG02.PQT");
  CHECK(full.rows > 100'000);
  CHECK_EQ(full.boots, 1U);
  CHECK(next.first_ms <= full.next_ms + 100);
  CHECK(next.rows > 6000);

  boot();
  run(1300);
  CHECK(!led);
  CHECK_EQ(number, 2U);
  CHECK_EQ(ports::FatHandle::not_closed, files + 2);  // the one that the power cut has left, too
  CHECK_EQ(read("LOG01.PQT").rows, full.rows);
  CHECK(read("LOG02.PQT").rows > next.rows + 6000);
}

TEST("the sketch stops when there are no more names") {
  RamDisk disk(filesystems::kFat32.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kFat32));
  Volume volume(disk);
  const int files = ports::FatHandle::not_closed;
  boot();
  number = kMaxFiles - 1;
  while (number < kMaxFiles && now_ms < 100'000'000) run(100);
  run(60);
  CHECK(led);
  CHECK_EQ(number, kMaxFiles);
  CHECK_EQ(ports::FatHandle::not_closed, files);
  CHECK(read("LOG99.PQT").rows > 100'000);
}
