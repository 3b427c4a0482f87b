// Logger whose device learns the time late, boot after boot, over SdFat.
#include <Arduino.h>
#include <SD.h>
#include <SdFat.h>
#include <microparquet.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microparquet/clock_anchors.h"
#include "microparquet/detail/fat_date.h"
#include "microparquet/static_reader.h"
#include "played_board.h"
#include "support/check.h"
#include "support/fat_files.h"
#include "support/folder_names.h"
#include "support/volume.h"

namespace late_time {
#include "examples/late_time/late_time.ino"
}

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

// Keeps the log in the folder of tests/ports/check_logger.py, where other readers read it.
void keep(const char* name, const char* as) {
  const char* const folder = std::getenv("MICROPARQUET_IMAGES");
  const std::vector<std::byte> bytes = filesystems::bytes_of(name);
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
  const std::vector<std::byte> bytes = filesystems::bytes_of("LATE0001.parquet");
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::string footer = text.substr(text.size() > 10'000 ? text.size() - 10'000 : 0);
  CHECK(footer.find("clock.0000000093") != std::string::npos);
}

namespace {

// Logs a row in which another number of columns makes another file.
template <typename Core>
std::string log_row(Core& volume, const char* name, std::int64_t unix_s, bool has_second) {
  mpq::Logger<Core, 2, 5600> logger;
  logger.begin(volume, name, [] { return true; });
  if (unix_s != 0) logger.set_time(unix_s);
  logger.add("first", 1);
  if (has_second) logger.add("second", 2);
  CHECK(logger.end_row());
  CHECK(logger.end());
  return logger.file_name();
}

}  // namespace

TEST("a Logger's file that begins when the time is known carries its date, and is found again") {
  RamDisk disk(filesystems::kFat32.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kFat32));
  Volume volume(disk);
  REQUIRE(late_volume.begin(10) && SDLib::SD.begin(10));
  const std::string first = "LATE0001_20270115T0800Z.parquet";
  CHECK_EQ(log_row(late_volume, "LATE", kFirstS, false), first);
  CHECK_EQ(log_row(late_volume, "LATE", kFirstS + 86'400, false), first);
  CHECK_EQ(log_row(late_volume, "LATE", 0, false), first);
  CHECK_EQ(log_row(late_volume, "LATE", kFirstS + 3'599, true), "LATE0002_20270115T0859Z.parquet");
  CHECK_EQ(log_row(late_volume, "LATE", 0, false), "LATE0003.parquet");
  CHECK_EQ(log_row(late_volume, "LATE", 0, false), "LATE0003.parquet");
  // A library that makes no list, or short names, has no dates.
  CHECK_EQ(log_row(SDLib::SD, "SHORT", kFirstS, false), "SHORT001.PQT");
}

TEST("SdFat receives the time of each checkpoint, for the dates of its entries, unless a sketch does it") {
  RamDisk disk(filesystems::kFat32.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kFat32));
  Volume volume(disk);
  FsDateTime::callback = nullptr;
  CHECK_EQ(log_row(late_volume, "LATE", 0, false), "LATE0001.parquet");
  CHECK(FsDateTime::callback == nullptr);
  for (const std::int64_t unix_s : {kFirstS, kFirstS + 86'400}) {
    static_cast<void>(log_row(late_volume, "LATE", unix_s, false));
    REQUIRE(FsDateTime::callback != nullptr);
    mpq::detail::FatDate told;
    std::uint8_t ms10 = 1;
    FsDateTime::callback(&told.date, &told.time, &ms10);
    CHECK_EQ(mpq::detail::seconds_of(told), unix_s);
    CHECK_EQ(ms10, 0U);
  }
  const FsDateTime::Callback own = [](std::uint16_t*, std::uint16_t*, std::uint8_t*) {};
  FsDateTime::setCallback(own);
  static_cast<void>(log_row(late_volume, "LATE", kFirstS, false));
  CHECK(FsDateTime::callback == own);
  FsDateTime::callback = nullptr;
}

TEST("dates in names are those of the calendar") {
  for (std::int64_t unix_s = 315'532'800; unix_s < 10'000'000'000; unix_s += 12'345 * 61) {
    mpq::NumberedPath path;
    REQUIRE(path.begin("LOG") && path.set(12, mpq::PathEnding::kParquet));
    path.add_date(unix_s);
    const auto time = static_cast<std::time_t>(unix_s);
    char wanted[64];
    std::tm calendar = {};
    REQUIRE(gmtime_r(&time, &calendar) != nullptr);
    REQUIRE(std::strftime(wanted, sizeof wanted, "/LOG00012_%Y%m%dT%H%MZ.parquet", &calendar) != 0);
    if (!CHECK_EQ(std::string(path.path()), wanted)) return;
    CHECK_EQ(path.number_of(path.path()), 12U);
    mpq::NumberedPath same;
    REQUIRE(same.begin("LOG") && same.set_form(12, path.form_of(path.path())));
    if (!CHECK_EQ(std::string(same.path()), wanted)) return;
    const mpq::detail::FatDate fat = mpq::detail::fat_date_of(unix_s);
    const bool is_in_range = calendar.tm_year + 1900 <= 2107;
    if (!CHECK_EQ(mpq::detail::seconds_of(fat), is_in_range ? unix_s / 2 * 2 : 0)) return;
  }
  CHECK_EQ(mpq::detail::fat_date_of(315'532'799).date, 0U);
  CHECK_EQ(mpq::detail::fat_date_of(-1).date, 0U);
  mpq::NumberedPath path;
  REQUIRE(path.begin("LOG"));
  for (const char* name : {"/LOG00012.parquet", "/LOG00012.PQT"}) {
    CHECK(path.set_form(12, path.form_of(name)));
    CHECK_EQ(std::string(path.path()), name);
  }
  CHECK(!path.set_form(100'000, 0));
  for (const char* name : {"LOG00012_20279931T1012Z.parquet", "LOG00012_20270199T1012Z.parquet",
                           "LOG00012_20270131T9912Z.parquet", "LOG00012_20270131T1099Z.parquet",
                           "LOG00012_19690131T1012Z.parquet", "LOG00012_24820131T1012Z.parquet"})
    CHECK_EQ(path.form_of(name), mpq::NumberedPath::kNoForm);
  for (const char* other :
       {"LOG00012_20270131T1012.parquet", "LOG00012_2027013T11012Z.parquet", "LOG00012_.parquet",
        "LOG00012_20270131T1012Z.parquet2", "LOG00012_20270131T1012Z", "OTH00012_20270131T1012Z.parquet"})
    CHECK_EQ(path.number_of(other), 0U);
}

namespace {

struct TypedRow {
  std::int64_t time_ms;
  std::optional<std::int64_t> time;
  std::optional<std::int32_t> light;
  std::optional<std::string_view> mark;
};
constexpr auto kTyped =
    mpq::schema(mpq::column("time_ms", &TypedRow::time_ms), mpq::timestamp_us_column("time", &TypedRow::time),
                mpq::column("light", &TypedRow::light), mpq::column("mark", &TypedRow::mark));

}  // namespace

TEST("the sketch late_time takes the time and marks from the serial line") {
  RamDisk disk(filesystems::kFat32.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kFat32));
  Volume volume(disk);
  now_ms = 5'000;
  ports::said.clear();
  late_time::setup();
  for (unsigned i = 0; i < 200; ++i) {
    if (i == 50) ports::typed = "door open\r\n";
    if (i == 100) ports::typed = "T1800000000\n";
    if (i == 150) ports::typed = "a mark that is longer than a line may be, so it is cut\n";
    late_time::loop();
  }
  CHECK(late_time::logger.end());
  CHECK_EQ(ports::said, "");
  static mpq::StaticReader<kTyped> reader;  // NOLINT(*-dynamic-static-initializers)
  SDLib::File opened = SDLib::SD.open("LATE0001.PQT");
  mpq::ArduinoFile<SDLib::File> log;
  REQUIRE(log.attach(opened) == mpq::Status::kOk && reader.open(log) == mpq::Status::kOk);
  TypedRow row = {};
  unsigned rows = 0;
  for (; reader.next(row) == mpq::Status::kOk; ++rows) {
    CHECK_EQ(row.time.has_value(), rows >= 100);
    if (rows >= 100)
      CHECK_EQ(*row.time,
               (1'800'000'000 + (rows - 100) / 10) * std::int64_t{1'000'000} + (rows - 100) % 10 * 100'000);
    CHECK_EQ(row.mark.value_or(""), rows == 50    ? "door open"
                                    : rows == 150 ? "a mark that is longer than a lin"
                                                  : "");
  }
  CHECK_EQ(rows, 200U);
  CHECK(log.close() == mpq::Status::kOk);
}
