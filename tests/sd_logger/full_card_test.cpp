// The logger of examples/sd_logger on this machine: cards that are full or have many files, and boots that are wakes.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "ff.h"
#include "logger.h"
#include "microparquet/detail/fat_date.h"
#include "microparquet/static_reader.h"
#include "slow_device.h"
#include "support/check.h"
#include "support/folder_names.h"
#include "support/volume.h"

namespace {

namespace mpq = microparquet;
using filesystems::Format;
using filesystems::names_in;
using filesystems::RamDisk;
using filesystems::Volume;
using mpq::Status;
using sd_logger_tests::SlowDevice;

constexpr Format kCard{"64 MB", FM_FAT32, 64 << 11, 512, 2};
constexpr bool kIsStream = !kOptions.layout->in_place;
constexpr char kDevice[] = "LOG/6A1B0042";

Keeping dropping() {
  Keeping keeping;
  keeping.limits.when_full = mpq::WhenFull::kDropOldest;
  keeping.limits.low_water = 1 << 20;
  return keeping;
}

mpq::RollLimits each(std::uint32_t seconds) {
  mpq::RollLimits limits;
  limits.ms = seconds * 1'000;
  return limits;
}

std::vector<std::string> all_files() {
  std::vector<std::string> files;
  for (const std::string& folder : names_in("LOG")) {
    for (const std::string& session : names_in(folder)) {
      for (const std::string& file : names_in(session)) files.push_back(file);
    }
  }
  return files;
}

// The numbers of a file's rows. Empty: it is not whole.
std::vector<std::int64_t> rows_of(const std::string& path) {
  static mpq::StaticReader<kSchema> reader;  // NOLINT(*-dynamic-static-initializers)
  std::vector<std::int64_t> rows;
  mpq::FatFsFile file;
  Sample row;
  Status status = file.open_for_reading(path.c_str());
  if (status == Status::kOk) status = reader.open(file);
  while (status == Status::kOk && (status = reader.next(row)) == Status::kOk) rows.push_back(row.number);
  if (status != Status::kEnd) rows.clear();
  static_cast<void>(file.close());
  return rows;
}

// The number that a file has as key-value; "none": it has not.
std::string key_value_of(const std::string& path, std::string_view key) {
  static mpq::StaticReader<kSchema> reader;  // NOLINT(*-dynamic-static-initializers)
  mpq::FatFsFile file;
  char buffer[64];
  std::string_view value;
  if (file.open_for_reading(path.c_str()) != Status::kOk || reader.open(file) != Status::kOk ||
      reader.reader().find_key_value(key, buffer, value) != Status::kOk)
    value = "none";
  const std::string text(value);
  static_cast<void>(file.close());
  return text;
}

// Whether these files have all rows from some number to `end`, but for at most `most_lost` in one place, which the last
// file counts. Those before `first` may be of them.
bool have_newest(const std::vector<std::string>& files, std::int64_t end, std::int64_t& first,
                 std::int64_t most_lost = 0) {
  std::int64_t next = first = -1;
  std::int64_t missing = 0;
  for (const std::string& file : files) {
    for (const std::int64_t number : rows_of(file)) {
      if (next == -1) first = number;
      const std::int64_t gap = next == -1 ? 0 : number - next;
      if (gap < 0 || (gap != 0 && missing != 0)) return false;
      missing += gap;
      next = number + 1;
    }
  }
  missing += end - next;
  const std::int64_t lost = next == -1 ? 0 : std::stoll(key_value_of(files.back(), "rows_lost"));
  return next != -1 && lost <= most_lost && (missing == 0 || missing == lost);
}

// Fills the card until so much is free.
bool fill(Volume& volume, std::uint32_t free_bytes) {
  const std::uint32_t bytes = volume.free_clusters() * volume.fatfs().csize * 512;
  return bytes >= free_bytes && filesystems::lengthen("FILL.BIN", bytes - free_bytes);
}

}  // namespace

TEST("three days at 1 Hz on a full card of 64 MB keep the newest rows") {
  constexpr std::int64_t kDay = 86'400;
  RamDisk disk(kCard.sectors);
  REQUIRE(filesystems::format(disk, kCard));
  {
    Volume volume(disk);
    REQUIRE(fill(volume, 6 << 20));
  }
  std::int64_t number = 0;
  std::uint32_t full = 0;
  for (unsigned boot = 0; boot < 6; ++boot) {
    RamDisk::insert(&disk);
    SlowDevice device(each(3'600), dropping());
    REQUIRE(device.sample(number, number + 1));
    full += device.sample(number + 1, number + kDay / 2) ? 0U : 1U;
    number += kDay / 2;
    CHECK_EQ(device.queue.dropped(), 0U);
    REQUIRE(device.stop());
  }
  CHECK_EQ(full, 0U);
  const Volume volume(disk);
  const std::vector<std::string> files = all_files();
  std::int64_t first = 0;
  CHECK(have_newest(files, number, first));
  CHECK(first > kDay / 2 && first < number - kDay / 2);
  std::printf("%u files, rows from %u of %u; %s files made place in the last boot\n",
              static_cast<unsigned>(files.size()), static_cast<unsigned>(first),
              static_cast<unsigned>(number), key_value_of(files.back(), "files_removed").c_str());
  CHECK(key_value_of(files.back(), "files_removed").size() == 2);
  FILINFO information;
  CHECK(f_stat("FILL.BIN", &information) == FR_OK && information.fsize > 50 << 20);
  CHECK(f_stat("OTHER.TXT", &information) == FR_OK && information.fsize == 20'000);
}

TEST("a card that is full when the device is switched on") {
  for (const bool drops : {false, true}) {
    RamDisk disk(kCard.sectors);
    REQUIRE(filesystems::format(disk, kCard));
    RamDisk::insert(&disk);
    for (unsigned boot = 0; boot < 3; ++boot) {
      SlowDevice device(each(600), Keeping());
      device.sample(0, 3'000);
      REQUIRE(device.stop());
    }
    std::vector<std::string> before;
    {
      Volume volume(disk);
      before = all_files();
      REQUIRE(before.size() >= 15 && fill(volume, 20 << 10));
    }
    RamDisk::insert(&disk);
    Keeping keeping = drops ? dropping() : Keeping();
    keeping.limits.low_water = 100 << 10;
    SlowDevice device(each(600), keeping);
    device.sample(0, 900);
    CHECK(device.logger.state() == (drops ? CardState::kLogging : CardState::kFull));
    CHECK_EQ(device.stop(), drops);
    const Volume volume(disk);
    const std::vector<std::string> files = all_files();
    const auto has = [&files](const std::string& file) {
      return std::find(files.begin(), files.end(), file) != files.end();
    };
    if (!drops) CHECK_EQ(files.size(), before.size() + 1);  // the next boot takes its place
    if (!drops) CHECK(std::all_of(before.begin(), before.end(), has));
    if (drops) CHECK(!has(before.front()) && has(before.back()));
    std::size_t rows = 0;
    for (const std::string& file : files)
      rows += has(file) && file > before.back() ? rows_of(file).size() : 0;
    CHECK_EQ(rows, drops ? 900U : 0U);
  }
}

TEST("a card that fails once while it is full costs no durable row, whenever it does") {
  // A stream may lose those since the last checkpoint.
  constexpr std::int64_t kMostLost = kIsStream ? kOptions.max_loss_ms / 1'000 : 0;
  unsigned failures = 0;
  for (const RamDisk::Access failing :
       {RamDisk::Access::kWrite, RamDisk::Access::kRead, RamDisk::Access::kSync}) {
    for (unsigned nth = 0, hit = 1; hit != 0; nth += 7) {
      RamDisk disk(filesystems::kFat16.sectors);
      REQUIRE(filesystems::format(disk, filesystems::kFat16));
      {
        Volume volume(disk);
        REQUIRE(fill(volume, kIsStream ? 1'150 << 10 : 1'250 << 10));
      }
      RamDisk::insert(&disk);
      SlowDevice device(each(400), dropping());
      device.sample(0, 1'500);
      unsigned count = 0;
      hit = 0;
      disk.set_watch([&](RamDisk::Access access, std::uint32_t, const std::byte*) {
        const bool fails = access == failing && count++ == nth;
        hit += fails ? 1 : 0;
        return !fails;
      });
      device.sample(1'500, 3'000);
      disk.set_watch({});
      CHECK(device.stop());
      const Volume volume(disk);
      std::int64_t first = 0;
      const std::vector<std::string> files = all_files();
      const bool is_whole = have_newest(files, 3'000, first, kMostLost) && device.queue.dropped() == 0;
      if (!CHECK(is_whole && first > 0))
        std::printf("  access %u of kind %d: from %d, %u files, %u dropped\n", nth, static_cast<int>(failing),
                    static_cast<int>(first), static_cast<unsigned>(files.size()), device.queue.dropped());
      failures += hit;
    }
  }
  std::printf("%u failures\n", failures);
  CHECK(failures > 100);
}

TEST("boots that are wakes continue the last file, and a hundred files end a session") {
  RamDisk disk(kCard.sectors);
  REQUIRE(filesystems::format(disk, kCard));
  Keeping wakes;
  wakes.boots_are_wakes = true;
  std::int64_t number = 0;
  for (unsigned boot = 0; boot < 20; ++boot) {
    RamDisk::insert(&disk);
    SlowDevice device({}, wakes);
    device.sample(number, number + 5);
    number += 5;
    REQUIRE(device.stop());
  }
  {
    const Volume volume(disk);
    CHECK(all_files().size() == 1);
    CHECK_EQ(rows_of(all_files()[0]).size(), 100U);
  }
  RamDisk::insert(&disk);
  mpq::RollLimits small;
  small.ms = 2'000;
  SlowDevice device(small, wakes);
  device.sample(number, number + 600);
  number += 600;
  REQUIRE(device.stop());
  const Volume volume(disk);
  const std::vector<std::string> sessions = names_in(kDevice);
  CHECK(sessions.size() >= 3);
  for (const std::string& session : sessions) CHECK(names_in(session).size() <= 100);
  std::int64_t first = -1;
  CHECK(have_newest(all_files(), number, first) && first == 0);
}

TEST("a file of another program's columns is not continued at a wake") {
  RamDisk disk(kCard.sectors);
  REQUIRE(filesystems::format(disk, kCard));
  {
    const Volume volume(disk);
    for (const char* folder : {"LOG", kDevice, "LOG/6A1B0042/00000004"}) REQUIRE(f_mkdir(folder) == FR_OK);
    REQUIRE(filesystems::lengthen("LOG/6A1B0042/00000004/00000007.parquet", 50'000));
  }
  RamDisk::insert(&disk);
  Keeping wakes;
  wakes.boots_are_wakes = true;
  SlowDevice device({}, wakes);
  CHECK(device.sample(0, 20));
  REQUIRE(device.stop());
  const Volume volume(disk);
  const std::vector<std::string> files = all_files();
  REQUIRE(files.size() == 2);
  CHECK(files[1] == "LOG/6A1B0042/00000004/00000008.parquet" && rows_of(files[1]).size() == 20);
  FILINFO information;
  CHECK(f_stat(files[0].c_str(), &information) == FR_OK && information.fsize == 50'000);
}

namespace {

constexpr std::int64_t kNoonS = 1'801'396'800;  // 31 January 2027, 12:00

// The date of a file's entry; 0: it has none.
std::int64_t written_s(const std::string& path) {
  FILINFO information;
  if (f_stat(path.c_str(), &information) != FR_OK) return -1;
  return mpq::detail::seconds_of({information.fdate, information.ftime});
}

}  // namespace

TEST(
    "files that begin when the time is known have it in their names, and all have FAT's dates from then on") {
  RamDisk disk(kCard.sectors);
  REQUIRE(filesystems::format(disk, kCard));
  RamDisk::insert(&disk);
  const std::string session = std::string(kDevice) + "/00000001/";
  {
    SlowDevice device(each(300), Keeping());
    CHECK(device.sample(0, 450));
    device.logger.set_time(0, device.now_ms);              // a clock that does not run
    device.logger.set_time(5'000'000'000, device.now_ms);  // nor does this one
    CHECK(device.sample(450, 750));
    device.logger.set_time(kNoonS, device.now_ms + 500);  // 750 s after the start, but for the half one
    CHECK(device.sample(750, 1'500));
    REQUIRE(device.stop());
    const Volume volume(disk);
    const std::vector<std::string> files = names_in(session.substr(0, session.size() - 1));
    REQUIRE(files.size() == 5);
    CHECK(files[0] == session + "00000001.parquet" && files[2] == session + "00000003.parquet");
    CHECK(files[3] == session + "00000004_20270131T1202Z.parquet");
    CHECK(files[4] == session + "00000005_20270131T1207Z.parquet");
    CHECK_EQ(written_s(files[0]), 315'532'800);  // 1 January 1980
    const std::int64_t last = written_s(files[2]);
    CHECK(last >= kNoonS + 100 && last <= kNoonS + 160);
    CHECK(written_s(files[4]) >= kNoonS + 700);
    CHECK_EQ(key_value_of(files[4], "started_at"), "2027-01-31T11:47:30Z");
    CHECK_EQ(key_value_of(files[1], "started_at"), "none");
  }
  std::int64_t first = -1;
  Keeping wakes;
  wakes.boots_are_wakes = true;
  for (const bool has_time : {false, true}) {  // the newest file is continued, by its name
    RamDisk::insert(&disk);
    SlowDevice device({}, wakes);
    const std::int64_t number = has_time ? 1'510 : 1'500;
    if (has_time) device.logger.set_time(kNoonS + 86'400, 0);
    CHECK(device.sample(number, number + 10));
    REQUIRE(device.stop());
    const Volume volume(disk);
    CHECK_EQ(all_files().size(), 5U);
    CHECK(have_newest(all_files(), number + 10, first) && first == 0);
  }
}

TEST("the oldest files go, and those without rows, whether their names have dates or not") {
  RamDisk disk(kCard.sectors);
  REQUIRE(filesystems::format(disk, kCard));
  RamDisk::insert(&disk);
  {
    SlowDevice device(each(100), Keeping());
    CHECK(device.sample(0, 250));
    device.logger.set_time(kNoonS, device.now_ms);
    CHECK(device.sample(250, 650));
    REQUIRE(device.stop());
  }
  const std::string session = std::string(kDevice) + "/00000001/";
  {
    const Volume volume(disk);
    REQUIRE(names_in(session.substr(0, session.size() - 1)).size() == 7);
    // A power cut has left this one without a row.
    REQUIRE(filesystems::lengthen((session + "00000008_20270131T1300Z.parquet"), 1'000));
  }
  RamDisk::insert(&disk);
  Keeping keeping = dropping();
  keeping.limits.low_water = 0;
  keeping.limits.files = 4;
  keeping.limits.age_s = 0;
  SlowDevice device(each(1'000), keeping);
  CHECK(device.sample(650, 800));
  {
    const Volume volume(disk);
    const std::vector<std::string> files = all_files();
    REQUIRE(files.size() == 4);
    CHECK(files[0] == session + "00000005_20270131T1202Z.parquet");
    CHECK(files[3] == std::string(kDevice) + "/00000002/00000001.parquet");
  }
}

TEST("a file that is too old goes once the time is known") {
  RamDisk disk(kCard.sectors);
  REQUIRE(filesystems::format(disk, kCard));
  Keeping keeping = dropping();
  keeping.limits.low_water = 0;
  keeping.limits.age_s = 30 * 86'400;
  std::int64_t number = 0;
  for (const std::int64_t day : {0, 1, 40}) {
    RamDisk::insert(&disk);
    SlowDevice device({}, keeping);
    device.logger.set_time(kNoonS + day * 86'400, 0);
    CHECK(device.sample(number, number + 50));
    number += 50;
    REQUIRE(device.stop());
  }
  const Volume volume(disk);
  const std::vector<std::string> files = all_files();
  REQUIRE(files.size() == 2);  // one goes each time a file begins
  CHECK(files[0] == std::string(kDevice) + "/00000002/00000001_20270201T1200Z.parquet");
  CHECK(files[1] == std::string(kDevice) + "/00000003/00000001_20270312T1200Z.parquet");
}

TEST("a file that was lost before it had rows gives its place to one with its own date") {
  RamDisk disk(kCard.sectors);
  REQUIRE(filesystems::format(disk, kCard));
  const std::string session = std::string(kDevice) + "/00000004";
  {
    const Volume volume(disk);
    for (const char* folder : {"LOG", kDevice, session.c_str()}) REQUIRE(f_mkdir(folder) == FR_OK);
    REQUIRE(filesystems::lengthen((session + "/00000007_20260131T1012Z.parquet"), 1'000));
  }
  RamDisk::insert(&disk);
  Keeping wakes;
  wakes.boots_are_wakes = true;
  SlowDevice device({}, wakes);
  device.logger.set_time(kNoonS, 0);
  CHECK(device.sample(0, 20));
  REQUIRE(device.stop());
  const Volume volume(disk);
  const std::vector<std::string> files = all_files();
  REQUIRE(files.size() == 1);
  CHECK(files[0] == session + "/00000007_20270131T1200Z.parquet" && rows_of(files[0]).size() == 20);
}

TEST("a folder has a hundred sessions, and the oldest go first in all folders") {
  RamDisk disk(kCard.sectors);
  REQUIRE(filesystems::format(disk, kCard));
  const std::string first = kDevice;
  {
    const Volume volume(disk);
    for (const char* folder : {"LOG", kDevice, "LOG/6A1B0042/00000097"}) REQUIRE(f_mkdir(folder) == FR_OK);
    REQUIRE(filesystems::lengthen("LOG/6A1B0042/00000097/00000001.parquet", 50'000));  // not the log's
    REQUIRE(filesystems::lengthen("LOG/6A1B0042.007", 10));                            // no folder
  }
  std::int64_t number = 0;
  const auto boot = [&](const Keeping& keeping) {
    RamDisk::insert(&disk);
    SlowDevice device({}, keeping);
    CHECK(device.sample(number, number + 100));
    number += 100;
    REQUIRE(device.stop());
  };
  for (unsigned i = 0; i < 4; ++i) boot(Keeping());
  {
    const Volume volume(disk);
    const std::vector<std::string> files = all_files();
    REQUIRE(files.size() == 5);
    CHECK(files[2] == first + "/00000099/00000001.parquet");
    CHECK(files[3] == first + ".001/00000100/00000001.parquet");
    CHECK(files[4] == first + ".001/00000101/00000001.parquet");
    std::int64_t from = 0;
    CHECK(have_newest({files.begin() + 1, files.end()}, number, from) && from == 0);
    // As firmware had it that knew one folder; and one without a session, which a power cut has left.
    REQUIRE(f_rename((first + ".001/00000100").c_str(), (first + "/00000100").c_str()) == FR_OK);
    REQUIRE(f_mkdir((first + ".002").c_str()) == FR_OK);
  }
  Keeping keeping = dropping();
  keeping.limits.low_water = 0;
  keeping.limits.files = 2;
  boot(keeping);
  Keeping wakes;
  wakes.boots_are_wakes = true;
  boot(wakes);
  const Volume volume(disk);
  const std::vector<std::string> files = all_files();
  REQUIRE(files.size() == 3);
  CHECK(files[0] == first + "/00000097/00000001.parquet");
  CHECK(files[1] == first + ".001/00000101/00000001.parquet");
  CHECK(files[2] == first + ".002/00000200/00000001.parquet");
  CHECK_EQ(rows_of(files[2]).size(), 200U);
  // The next removal takes the last one's folder.
  const std::vector<std::string> sessions = names_in(first);
  CHECK(sessions == std::vector<std::string>({first + "/00000097", first + "/00000100"}));
}

TEST("after the last number of a session the oldest one still goes first") {
  RamDisk disk(kCard.sectors);
  REQUIRE(filesystems::format(disk, kCard));
  {
    const Volume volume(disk);
    for (const char* folder : {"LOG", kDevice}) REQUIRE(f_mkdir(folder) == FR_OK);
    REQUIRE(f_mkdir("LOG/6A1B0042/99999998") == FR_OK);
    REQUIRE(filesystems::lengthen("LOG/6A1B0042/99999998/00000001.parquet", 50'000));
  }
  std::int64_t number = 0;
  for (unsigned boot = 0; boot < 4; ++boot) {  // 99999999, 1, 2, 3
    RamDisk::insert(&disk);
    SlowDevice device(each(300), Keeping());
    constexpr std::int64_t kRows = kIsStream ? 4'000 : 1'000;  // a stream's files are smaller
    CHECK(device.sample(number, number + kRows));
    number += kRows;
    REQUIRE(device.stop());
  }
  {
    Volume volume(disk);
    REQUIRE(names_in("LOG/6A1B0042.999/99999999").size() > 2 && names_in("LOG/6A1B0042/00000003").size() > 2);
    REQUIRE(fill(volume, 900 << 10));
  }
  RamDisk::insert(&disk);
  SlowDevice device(each(300), dropping());
  CHECK(device.sample(number, number + 1) || device.sample(number + 1, number + 10));
  device.sample(number + 10, number + 1'000);
  REQUIRE(device.stop());
  const Volume volume(disk);
  const std::vector<std::string> oldest = names_in("LOG/6A1B0042.999/99999999");
  CHECK(oldest.empty() || oldest[0] > "LOG/6A1B0042.999/99999999/00000001.parquet");
  CHECK(!names_in("LOG/6A1B0042/00000003").empty() && !names_in("LOG/6A1B0042/00000004").empty());
  CHECK_EQ(names_in("LOG/6A1B0042/99999998").size(), 1U);
}

namespace {

// Puts a hundred sessions of a hundred files on a card, the last of which a power cut has left.
bool fill_with_files(RamDisk& disk) {
  const Volume volume(disk);
  for (const char* folder : {"LOG", kDevice, "LOG/6A1B0042.001"}) {
    if (f_mkdir(folder) != FR_OK) return false;
  }
  char path[80];
  for (unsigned session = 99; session < 199; ++session) {
    std::snprintf(path, sizeof path, "%s%s/%08u", kDevice, session == 99 ? "" : ".001", session);
    if (f_mkdir(path) != FR_OK) return false;
    const std::string folder = path;
    for (unsigned split = 1; split <= 100; ++split) {
      std::snprintf(path, sizeof path, "/%08u_20270131T1012Z.parquet", split);
      if (!filesystems::lengthen(folder + path, 9'000)) return false;
    }
  }
  return true;
}

// Returns how many sectors a device reads from power to its first row.
unsigned reads_to_first_row(RamDisk& disk, const Keeping& keeping) {
  RamDisk::insert(&disk);
  unsigned reads = 0;
  disk.set_watch([&reads](RamDisk::Access access, std::uint32_t, const std::byte*) {
    reads += access == RamDisk::Access::kRead ? 1U : 0U;
    return true;
  });
  SlowDevice device({}, keeping);
  device.queue.push({});
  for (unsigned i = 0; i < 100 && device.queue.pending() != 0; ++i) device.logger.step(device.now_ms += 1);
  disk.set_watch({});
  CHECK_EQ(device.queue.pending(), 0U);
  return reads;
}

}  // namespace

TEST("from power to the first row few sectors are read, on a card with 10,000 files") {
  constexpr Format kLarge{"FAT32", FM_FAT32, 1 << 20, 4096, 2};
  constexpr Format kLargeExfat{"exFAT", FM_EXFAT, 1 << 20, 4096};
  unsigned most = 0;
  for (const Format& format : {kLarge, kLargeExfat}) {
    for (const bool wakes : {false, true}) {
      RamDisk disk(format.sectors);
      REQUIRE(filesystems::format(disk, format) && fill_with_files(disk));
      Keeping keeping = dropping();
      keeping.boots_are_wakes = wakes;
      for (const char* when : {"after other programs", "after a cut", "after another cut"}) {
        const unsigned reads = reads_to_first_row(disk, keeping);
        std::printf("%s, %s, %s: %u sectors\n", format.name, wakes ? "wakes" : "boots", when, reads);
        most = std::max(most, reads);
        RamDisk::insert(&disk);
        SlowDevice device({}, keeping);  // and is switched off without a word
        device.sample(0, 100);
      }
    }
  }
  std::printf("boot.first_row_reads %u sectors\n", most);
  CHECK(most <= 400);
}
