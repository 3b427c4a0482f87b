// The sketch deep_sleep as it stands, over the card in memory: it sleeps and wakes, its card is missing, fails or loses
// its power, it is reset while it writes, and each row is in the file once.
#include <Arduino.h>
#include <SD.h>
#include <SPI.h>
#include <esp_attr.h>
#include <esp_sleep.h>
#include <esp_system.h>
#include <microparquet.h>

#include <csetjmp>
#include <cstring>
#include <new>
#include <optional>
#include <vector>

#include "FS.h"
#include "microparquet/port/vfs_file.h"
#include "microparquet/static_reader.h"
#include "played_board.h"
#include "support/check.h"
#include "support/volume.h"

namespace deep_sleep {
fs::SDFS SD;  // of the ESP32's core
#include "examples/deep_sleep/deep_sleep.ino"
}  // namespace deep_sleep

namespace {

namespace mpq = microparquet;
using deep_sleep::Sample;
using filesystems::RamDisk;
using filesystems::Volume;
using mpq::Status;

std::jmp_buf awake;
esp_reset_reason_t reason = ESP_RST_POWERON;
std::uint64_t slept_us;

// A boot from reset to sleep, or to another reset: all variables are new but those of the RTC.
void wake(esp_reset_reason_t why) {
  reason = why;
  slept_us = 0;
  new (&deep_sleep::writer) decltype(deep_sleep::writer);
  static_cast<void>(deep_sleep::file.close());
  new (&deep_sleep::file) mpq::VfsFile;
  if (setjmp(awake) == 0) deep_sleep::setup();
}

struct Found {
  std::vector<std::uint32_t> minutes;
  unsigned resets = 0;
};

Found read() {
  static mpq::StaticReader<deep_sleep::kSchema> reader;  // NOLINT(*-dynamic-static-initializers)
  mpq::VfsFile file;
  Found found;
  Sample sample = {};
  Status status = file.open_for_reading("/sd/log.parquet");
  if (status == Status::kOk) status = reader.open(file);
  while (status == Status::kOk && (status = reader.next(sample)) == Status::kOk) {
    found.minutes.push_back(sample.minute);
    if (sample.reset) ++found.resets;
  }
  CHECK_EQ(to_string(status), to_string(Status::kEnd));
  CHECK(file.close() == Status::kOk);
  return found;
}

// Whether the minutes are those from 1 on, each once.
bool is_whole(const Found& found) {
  for (std::size_t i = 0; i < found.minutes.size(); ++i) {
    if (found.minutes[i] != i + 1) return false;
  }
  return true;
}

void put_battery_in() { std::memset(static_cast<void*>(&deep_sleep::queue), 0x5A, sizeof deep_sleep::queue); }

}  // namespace

extern "C" esp_reset_reason_t esp_reset_reason(void) { return reason; }
extern "C" esp_err_t esp_sleep_enable_timer_wakeup(std::uint64_t time_in_us) {
  slept_us = time_in_us;
  return 0;
}
extern "C" void esp_deep_sleep_start(void) { std::longjmp(awake, 1); }

TEST("the sketch that sleeps wakes the card on one wake in thirty, and each row is in the file once") {
  RamDisk disk(filesystems::kFat32.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kFat32));
  Volume volume(disk);
  put_battery_in();
  wake(ESP_RST_POWERON);
  unsigned wakes_with_card = 0;
  for (unsigned minute = 2; minute <= 600; ++minute) {
    const unsigned writes = disk.writes();
    wake(minute % 100 == 50 ? ESP_RST_TASK_WDT : ESP_RST_DEEPSLEEP);
    CHECK_EQ(slept_us, std::uint64_t{60'000'000});
    wakes_with_card += disk.writes() != writes ? 1U : 0U;
  }
  CHECK_EQ(wakes_with_card, 20U);
  CHECK_EQ(deep_sleep::SD.begun, 0);
  const Found found = read();
  CHECK(is_whole(found));
  CHECK_EQ(found.minutes.size(), std::size_t{600});
  CHECK_EQ(found.resets, 7U);
}

TEST("the sketch that sleeps is reset at each write of the card, and each row is in the file once") {
  unsigned resets = 0;
  for (std::uint64_t write = 0; write < 60; ++write) {
    RamDisk disk(filesystems::kFat32.sectors);
    REQUIRE(filesystems::format(disk, filesystems::kFat32));
    Volume volume(disk);
    put_battery_in();
    wake(ESP_RST_POWERON);
    unsigned minute = 1;
    for (; minute < 59; ++minute) wake(ESP_RST_DEEPSLEEP);
    disk.cut_after(write, write % 2 == 0 ? 0 : 512);
    wake(ESP_RST_DEEPSLEEP);  // the card is lost in it, or a little later
    ++minute;
    if (disk.is_cut()) ++resets;
    disk.power_on();
    volume.mount(disk);
    for (; minute < 130; ++minute) wake(minute == 60 ? ESP_RST_BROWNOUT : ESP_RST_DEEPSLEEP);
    const Found found = read();
    CHECK(is_whole(found));
    CHECK(found.minutes.size() >= 100);
  }
  CHECK(resets > 5);
}

TEST("the sketch that sleeps keeps what a missing card does not take, and counts the rest") {
  RamDisk disk(filesystems::kFat32.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kFat32));
  {
    put_battery_in();
    wake(ESP_RST_POWERON);
    RamDisk::insert(nullptr);
    for (unsigned minute = 2; minute <= 100; ++minute) wake(ESP_RST_DEEPSLEEP);
    CHECK_EQ(deep_sleep::queue.pending(), 100U);
  }
  Volume volume(disk);
  wake(ESP_RST_DEEPSLEEP);
  CHECK_EQ(deep_sleep::queue.pending(), 0U);
  const Found found = read();
  CHECK(is_whole(found));
  CHECK_EQ(found.minutes.size(), std::size_t{101});
}
