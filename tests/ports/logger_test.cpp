// Logger over the volume of each core: the power cut, or a write failing, at each sector; a card that is pulled, exchanged,
// full, or has no number left.
#include <FS.h>
#include <Rp2040SD.h>
#include <SD.h>
#include <SdFat.h>
#include <TeensySD.h>
#include <microparquet.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "microparquet/port/memory_file.h"
#include "microparquet/static_reader.h"
#include "played_board.h"
#include "support/check.h"
#include "support/sd_fat_layer.h"
#include "support/volume.h"

namespace {

namespace mpq = microparquet;
using filesystems::RamDisk;
using filesystems::Volume;
using mpq::Status;
using ports::now_ms;

template <typename Core>
inline Core the_volume;  // NOLINT(*-dynamic-static-initializers)

struct NumberedRow {
  std::int64_t time_ms;
  std::optional<std::uint32_t> number;
  std::optional<double> half;
};
constexpr auto kNumbered =
    mpq::schema(mpq::column("time_ms", &NumberedRow::time_ms), mpq::column("number", &NumberedRow::number),
                mpq::column("half", &NumberedRow::half));

// SdFat, and the cores that are made of it; on Arm.
template <typename Core>
inline constexpr bool kIsSdFat = std::is_same_v<Core, SdFs> || std::is_same_v<Core, rp2040::SDClass> ||
                                 std::is_same_v<Core, teensy::SDClass>;

// The layer in front of the card of a core.
template <typename Core>
class CoreLayer {
 public:
  explicit CoreLayer(RamDisk& disk) {
    if (kIsSdFat<Core>) layer_.emplace(disk, filesystems::SdFatTraits{});
  }

 private:
  std::optional<filesystems::SdFatLayer> layer_;
};

// A boot of a sketch with ten rows a second.
template <typename Core>
struct Boot {
  explicit Boot(std::uint32_t first) : next(first) {
    now_ms = 77;
    logger.begin(the_volume<Core>, "RUN", [] { return the_volume<Core>.begin(10); });
  }
  // Rows that end_row() was content with.
  unsigned run(unsigned seconds) {
    unsigned good = 0;
    for (unsigned i = 0; i < seconds * 10; ++i) {
      logger.add("number", next).add("half", next * 0.5);
      ++next;
      good += logger.end_row() ? 1U : 0U;
      now_ms += 100;
    }
    return good;
  }
  mpq::Logger<Core, 3, 5000> logger;
  std::uint32_t next;  // number
};

// Counts over the files of a log, one after the other.
struct NumbersFound {
  unsigned rows = 0;
  unsigned files = 0;
  unsigned unreadable = 0;
  unsigned backwards = 0;  // numbers that do not come after those before
  unsigned wrong = 0;      // halves
  std::uint32_t last = 0;
};

void read_numbers(const char* name, NumbersFound& found) {
  static mpq::StaticReader<kNumbered> reader;  // NOLINT(*-dynamic-static-initializers)
  SDLib::File opened = SDLib::SD.open(name);
  mpq::ArduinoFile<SDLib::File> log;
  NumberedRow row = {};
  Status status = log.attach(opened);
  if (status == Status::kOk) status = reader.open(log);
  while (status == Status::kOk && (status = reader.next(row)) == Status::kOk) {
    if (found.rows != 0 && *row.number <= found.last) ++found.backwards;
    if (*row.half != *row.number * 0.5) ++found.wrong;
    found.last = *row.number;
    ++found.rows;
  }
  if (status != Status::kEnd) ++found.unreadable;
  static_cast<void>(log.close());
}

// Finds the path of the file with a number, whatever its name ends in.
bool find_log(std::uint32_t number, mpq::NumberedPath& path) {
  for (const mpq::PathEnding ending : {mpq::PathEnding::kParquet, mpq::PathEnding::kPqt}) {
    if (path.begin("RUN") && path.set(number, ending) && SDLib::SD.exists(path.path())) return true;
  }
  return false;
}

NumbersFound read_log() {
  NumbersFound found;
  for (std::uint32_t number = 1;; ++number) {
    mpq::NumberedPath path;
    if (!find_log(number, path)) return found;
    FILINFO information;
    if (f_stat(path.path(), &information) == FR_OK && information.fsize == 0)
      continue;  // nothing was durable yet
    ++found.files;
    read_numbers(path.path(), found);
  }
}

constexpr unsigned kSeconds = 100;  // of a boot, which makes seven checkpoints

template <typename Core>
unsigned writes_of_a_boot(RamDisk& disk) {
  Volume volume(disk);
  unsigned writes = 0;
  disk.set_watch([&](RamDisk::Access access, std::uint32_t, const std::byte*) {
    writes += access == RamDisk::Access::kWrite ? 1U : 0U;
    return true;
  });
  disk.begin_transaction();
  {
    Boot<Core> boot(0);
    CHECK_EQ(boot.run(kSeconds), kSeconds * 10);
    CHECK(boot.logger.end());
  }
  disk.set_watch({});
  const NumbersFound found = read_log();
  CHECK_EQ(found.rows, kSeconds * 10);
  CHECK_EQ(found.files, 1U);
  CHECK_EQ(found.wrong + found.backwards + found.unreadable, 0U);
  disk.roll_back();
  return writes;
}

template <typename Core>
bool survives_cut(RamDisk& disk, unsigned nth, unsigned& different) {
  static std::uint64_t last_durable = 0;
  std::uint64_t durable = 0;
  std::uint32_t offered = 0;
  disk.cut_after(nth, 0);
  {
    Volume volume(disk);
    Boot<Core> boot(0);
    while (!disk.is_cut() && boot.next < kSeconds * 10) {
      durable = boot.logger.durable_rows();
      boot.run(1);
    }
    offered = boot.next;
    // The power goes here at the latest: the object of an ESP32's file would publish what no footer describes.
    if (!disk.is_cut()) disk.cut_after(0, 0);
  }
  disk.power_on();
  the_volume<Core> = Core();
  Volume volume(disk);
  different += durable != last_durable ? 1U : 0U;
  last_durable = durable;
  const NumbersFound before = read_log();
  Boot<Core> boot(1000);
  const bool good = boot.run(kSeconds) == kSeconds * 10 && boot.logger.end();
  const NumbersFound after = read_log();
  return CHECK(good) && CHECK(before.rows >= durable) && CHECK(before.rows <= offered) &&
         CHECK_EQ(after.rows, before.rows + kSeconds * 10) && CHECK_EQ(after.files, 1U) &&
         CHECK_EQ(after.wrong + after.backwards + after.unreadable, 0U);
}

template <typename Core>
void cut_everywhere(const char* name) {
  RamDisk disk(filesystems::kFat32.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kFat32));
  const CoreLayer<Core> layer(disk);
  const unsigned writes = writes_of_a_boot<Core>(disk);
  unsigned different = 0;
  for (unsigned nth = 0; nth < writes; ++nth) {
    disk.begin_transaction();
    const bool good = survives_cut<Core>(disk, nth, different);
    disk.roll_back();
    if (!good) {
      std::printf("  %s: cut at write %u of %u\n", name, nth, writes);
      return;
    }
  }
  CHECK(writes > 50);
  CHECK(different > 3);
  std::printf("Logger on %s: cut at %u sector writes\n", name, writes);
}

// One write fails. What was not durable may be lost, and is counted.
template <typename Core>
void fail_everywhere(const char* name) {
  RamDisk disk(filesystems::kFat32.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kFat32));
  const CoreLayer<Core> layer(disk);
  const unsigned writes = writes_of_a_boot<Core>(disk);
  for (unsigned nth = 0; nth < writes; ++nth) {
    disk.begin_transaction();
    unsigned left = nth;
    disk.set_watch([&](RamDisk::Access access, std::uint32_t, const std::byte*) {
      return access != RamDisk::Access::kWrite || left-- != 0;
    });
    the_volume<Core> = Core();
    bool good = false;
    {
      Volume volume(disk);
      Boot<Core> boot(0);
      boot.run(kSeconds + 10);
      good = CHECK(boot.logger.end() || boot.logger.lost_rows() != 0);
      const NumbersFound found = read_log();
      const std::uint32_t lost = boot.logger.lost_rows();
      good = good && CHECK_EQ(found.wrong + found.backwards + found.unreadable, 0U) &&
             CHECK_EQ(found.rows + lost, boot.next) && CHECK_EQ(found.files, 1U) && CHECK(lost < 400);
    }
    disk.set_watch({});
    disk.roll_back();
    if (!good) {
      std::printf("  %s: write %u of %u failed\n", name, nth, writes);
      return;
    }
  }
  std::printf("Logger on %s: each of %u sector writes failed\n", name, writes);
}

// Sectors of the file's end, as they are written on a card that has nothing else.
class LastFooter {
 public:
  explicit LastFooter(RamDisk& disk) : disk_(disk) {
    disk.set_watch([this](RamDisk::Access access, std::uint32_t sector, const std::byte* data) {
      constexpr char kMagic[] = "PAR1";
      if (access == RamDisk::Access::kWrite &&
          std::search(data, data + 512, reinterpret_cast<const std::byte*>(kMagic),
                      reinterpret_cast<const std::byte*>(kMagic) + 4) != data + 512)
        last_ = sector;
      return true;
    });
  }
  // Makes the beginning of the file unreadable, and all that stands before it.
  void rot() {
    disk_.set_watch([this](RamDisk::Access access, std::uint32_t sector, const std::byte*) {
      return access != RamDisk::Access::kRead || sector >= last_ || sector + 2 < last_;
    });
  }

 private:
  RamDisk& disk_;
  std::uint32_t last_ = 0;
};

// A part of the file's last footer cannot be read any more: while the log is written, and when the next boot begins.
// `torn`: a volume that closes the file that is left, and cannot make it shorter: it ends torn, for `mpq recover`.
template <typename Core>
void rot_last_footer(const char* name, const char* second, const char* third, bool torn = false) {
  RamDisk disk(filesystems::kFat32.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kFat32));
  Volume volume(disk);
  the_volume<Core> = Core();
  std::uint32_t lost = 0;
  std::uint32_t offered = 0;
  std::uint32_t in_torn = 0;
  {
    LastFooter footer(disk);
    Boot<Core> boot(0);
    boot.run(kSeconds);
    in_torn = torn ? static_cast<std::uint32_t>(boot.logger.durable_rows()) : 0;
    footer.rot();
    boot.run(3 * kSeconds);
    CHECK(boot.logger.status() == Status::kOk);
    CHECK_EQ(std::string(boot.logger.file_name()), second);
    CHECK(boot.logger.end());
    lost = boot.logger.lost_rows();
    offered = boot.next;
    disk.set_watch({});
    const NumbersFound found = read_log();
    CHECK_EQ(found.rows + in_torn + lost, offered);
    CHECK_EQ(found.wrong + found.backwards, 0U);
    CHECK_EQ(found.unreadable, torn ? 1U : 0U);
    CHECK(lost < 600);
    disk.cut_after(0, 0);  // the object closes no file
  }
  disk.power_on();
  the_volume<Core> = Core();
  {
    LastFooter footer(disk);
    Boot<Core> boot(offered);
    boot.run(20);
    CHECK(boot.logger.end());
    footer.rot();
    Boot<Core> next(boot.next);
    next.run(60);
    CHECK(next.logger.status() == Status::kOk);
    CHECK_EQ(std::string(next.logger.file_name()), third);
    CHECK(next.logger.end());
    CHECK(next.logger.lost_rows() < 150);
    disk.set_watch({});
    const NumbersFound all = read_log();
    CHECK_EQ(all.rows + in_torn + lost + next.logger.lost_rows(), next.next);
    CHECK_EQ(all.wrong + all.backwards, 0U);
    CHECK_EQ(all.unreadable, torn ? 1U : 0U);
  }
  std::printf("Logger on %s: a last footer that cannot be read costs %u rows\n", name, lost);
}

}  // namespace

TEST("a Logger continues in the next file where one cannot be read any more, on the volume of each core") {
  rot_last_footer<SDLib::SDClass>("SD", "RUN00002.PQT", "RUN00003.PQT");
  rot_last_footer<SdFs>("SdFat", "RUN00002.parquet", "RUN00003.parquet");
  rot_last_footer<fs::SDFS>("ESP32", "RUN00002.parquet", "RUN00003.parquet", true);
  rot_last_footer<rp2040::SDClass>("RP2040", "RUN00002.parquet", "RUN00003.parquet");
  rot_last_footer<teensy::SDClass>("Teensy", "RUN00002.parquet", "RUN00003.parquet");
}

TEST("a Logger's files survive a power cut at any sector write, on the volume of each core") {
  cut_everywhere<SDLib::SDClass>("SD");
  cut_everywhere<SdFs>("SdFat");
  cut_everywhere<fs::SDFS>("ESP32");
  cut_everywhere<rp2040::SDClass>("RP2040");
  cut_everywhere<teensy::SDClass>("Teensy");
}

TEST("a Logger continues after a sector write that failed, on the volume of each core") {
  fail_everywhere<SDLib::SDClass>("SD");
  fail_everywhere<SdFs>("SdFat");
  fail_everywhere<fs::SDFS>("ESP32");
  fail_everywhere<rp2040::SDClass>("RP2040");
  fail_everywhere<teensy::SDClass>("Teensy");
}

namespace {

// A card in the slot, and another one.
struct TwoCards {
  TwoCards() {
    good =
        filesystems::format(first, filesystems::kFat32) && filesystems::format(second, filesystems::kFat32);
    volume.mount(first);
  }
  RamDisk first{filesystems::kFat32.sectors};
  RamDisk second{filesystems::kFat32.sectors};
  bool good = false;
  Volume volume{first};
};

}  // namespace

TEST("a Logger without a card begins when there is one") {
  TwoCards cards;
  REQUIRE(cards.good);
  RamDisk::insert(nullptr);
  Boot<SDLib::SDClass> boot(0);
  CHECK(boot.logger.status() == Status::kIoError);
  CHECK_EQ(std::string(boot.logger.message()), "no card that can be read; tried again soon");
  CHECK_EQ(boot.run(10), 0U);
  RamDisk::insert(&cards.first);
  boot.run(10);
  CHECK(boot.logger.end());
  const std::uint32_t lost = boot.logger.lost_rows();
  CHECK(lost >= 100);
  CHECK(lost <= 120);  // it is looked for every two seconds
  CHECK_EQ(read_log().rows + lost, 200U);
}

TEST("a Logger begins a file of its own on another card") {
  TwoCards cards;
  REQUIRE(cards.good);
  Boot<SDLib::SDClass> boot(0);
  boot.run(30);
  RamDisk::insert(nullptr);
  boot.run(5);
  cards.volume.mount(cards.second);
  boot.run(30);
  CHECK(boot.logger.end());
  const NumbersFound there = read_log();
  CHECK_EQ(there.files, 1U);
  CHECK(there.rows > 250);
  cards.volume.mount(cards.first);
  const NumbersFound here = read_log();
  CHECK(here.rows > 100);
  CHECK_EQ(here.unreadable + there.unreadable, 0U);
  CHECK_EQ(here.rows + there.rows + boot.logger.lost_rows(), 650U);
}

// SdFat's file leaves a cluster free there, and has no more space than it had when it was opened.
TEST("a Logger on a full exFAT card says so, begins no other file, and continues when there is space") {
  RamDisk disk(filesystems::kExfat.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kExfat));
  Volume volume(disk);
  FIL filler;
  REQUIRE(f_open(&filler, "FILLER", FA_WRITE | FA_CREATE_NEW) == FR_OK);
  REQUIRE(f_lseek(&filler, FSIZE_t{volume.free_clusters() - 10} * 4096) == FR_OK);
  REQUIRE(f_close(&filler) == FR_OK);
  Boot<SdFs> boot(0);
  boot.run(600);
  CHECK_EQ(std::string(boot.logger.message()), "the card is full or fails; tried again soon");
  CHECK(boot.logger.status() == Status::kIoError);
  CHECK(volume.free_clusters() >= 1);
  CHECK_EQ(std::string(boot.logger.file_name()), "RUN00001.parquet");
  const std::uint32_t lost = boot.logger.lost_rows();
  CHECK(lost > 1000);
  REQUIRE(f_unlink("FILLER") == FR_OK);
  boot.run(60);
  CHECK_EQ(std::string(boot.logger.message()), "ok");
  CHECK(boot.logger.end());
  const NumbersFound found = read_log();
  CHECK_EQ(found.files, 1U);
  CHECK_EQ(found.rows + boot.logger.lost_rows(), 6600U);
  CHECK(boot.logger.lost_rows() < lost + 60);
  CHECK_EQ(found.unreadable, 0U);
}

TEST("a Logger on a full card says so, leaves its file open, and continues when there is space") {
  TwoCards cards;
  REQUIRE(cards.good);
  FIL filler;
  REQUIRE(f_open(&filler, "FILLER", FA_WRITE | FA_CREATE_NEW) == FR_OK);
  REQUIRE(f_lseek(&filler, FSIZE_t{cards.volume.free_clusters() - 40} * 512) == FR_OK);
  REQUIRE(f_close(&filler) == FR_OK);
  const int files = ports::FatHandle::not_closed;
  Boot<SDLib::SDClass> boot(0);
  boot.run(600);
  CHECK_EQ(std::string(boot.logger.message()), "the card is full or fails; tried again soon");
  CHECK(boot.logger.status() == Status::kIoError);
  CHECK(ports::FatHandle::not_closed <= files + 5);  // whether it takes another file was tried once
  const std::uint32_t lost = boot.logger.lost_rows();
  CHECK(lost > 1000);
  REQUIRE(f_unlink("FILLER") == FR_OK);
  boot.run(60);
  CHECK_EQ(std::string(boot.logger.message()), "ok");
  CHECK(boot.logger.end());
  CHECK_EQ(read_log().rows + boot.logger.lost_rows(), 6600U);
  CHECK(boot.logger.lost_rows() < lost + 60);
  CHECK_EQ(read_log().unreadable, 0U);
}

namespace {

// Returns the name of the file that a Logger continues where there are only these files of its log.
template <typename Core>
std::string newest_of(const std::vector<std::string>& names) {
  RamDisk disk(filesystems::kFat16.sectors);
  if (!CHECK(filesystems::format(disk, filesystems::kFat16))) return "";
  Volume volume(disk);
  const CoreLayer<Core> layer(disk);
  Boot<Core> first(0);
  first.run(2);
  CHECK(first.logger.end());
  const std::string made = first.logger.file_name();
  for (const std::string& name : names) {
    FIL file;
    CHECK(f_open(&file, name.c_str(), FA_WRITE | FA_CREATE_ALWAYS) == FR_OK && f_close(&file) == FR_OK);
  }
  CHECK(f_unlink(made.c_str()) == FR_OK);
  Boot<Core> boot(0);
  boot.run(1);
  const std::string found = boot.logger.file_name();
  CHECK(boot.logger.end() && read_log().unreadable == 0);
  return found;
}

template <typename Core>
void find_newest(const std::string& ending) {
  const std::string others[] = {"NOTES.TXT",    "RUNNER12.PQT", "RUN0009.PQT",
                                "RUN00011.TXT", "RUN00012.PQX", "AUN00099.PQT"};
  std::vector<std::string> names(std::begin(others), std::end(others));
  CHECK_EQ(newest_of<Core>(names), "RUN00001" + ending);
  names.insert(names.begin(), "RUN00007" + ending);
  CHECK_EQ(newest_of<Core>(names), "RUN00007" + ending);
  names.push_back("RUN00301" + ending);
  names.push_back("RUN00300" + ending);
  CHECK_EQ(newest_of<Core>(names), "RUN00301" + ending);
}

}  // namespace

TEST("a Logger finds its newest file where the first numbers are gone, on the volume of each core") {
  find_newest<SDLib::SDClass>(".PQT");
  find_newest<SdFs>(".parquet");
  find_newest<fs::SDFS>(".parquet");
  find_newest<rp2040::SDClass>(".parquet");
  find_newest<teensy::SDClass>(".parquet");
}

TEST("a Logger over SdFat reads few sectors before its first row, on a card with 300 files") {
  constexpr filesystems::Format kCard{"FAT32", FM_FAT32, 600 << 11, 4096, 2};
  for (const std::uint32_t first : {1U, 5'000U}) {
    RamDisk disk(kCard.sectors);
    REQUIRE(filesystems::format(disk, kCard));
    Volume volume(disk);
    for (std::uint32_t i = 0; i < 300; ++i) {
      mpq::NumberedPath path;
      REQUIRE(path.begin("RUN") && path.set(first + i, mpq::PathEnding::kParquet));
      REQUIRE(filesystems::lengthen(path.path(), 5'000));
    }
    {
      Boot<SdFs> before(0);  // is switched off without a word
      before.run(20);
    }
    volume.mount(disk);
    unsigned reads = 0;
    disk.set_watch([&reads](RamDisk::Access access, std::uint32_t, const std::byte*) {
      reads += access == RamDisk::Access::kRead ? 1U : 0U;
      return true;
    });
    Boot<SdFs> boot(0);
    boot.logger.add("number", 1U).add("half", 0.5);
    CHECK(boot.logger.end_row());
    disk.set_watch({});
    std::printf("from file %u: %u sectors\n", static_cast<unsigned>(first), reads);
    CHECK(reads <= 400);
    CHECK_EQ(std::string(boot.logger.file_name()), first == 1 ? "RUN00301.parquet" : "RUN05300.parquet");
  }
}

TEST("a Logger ends a file whose footer has become long, and stops after the last number") {
  TwoCards cards;
  REQUIRE(cards.good);
  Boot<SDLib::SDClass> boot(0);
  while (boot.logger.file_name() != std::string("RUN00003.PQT") && boot.next < 3'000'000) boot.run(100);
  CHECK(boot.logger.end());
  const NumbersFound found = read_log();
  CHECK_EQ(found.files, 3U);
  CHECK_EQ(found.rows, boot.next);
  CHECK_EQ(found.wrong + found.backwards + found.unreadable, 0U);

  mpq::Logger<SDLib::SDClass, 1> last;
  FIL other;
  for (unsigned i = 1; i <= 99; ++i) {
    mpq::NumberedPath path;
    REQUIRE(path.begin("TEMPER") && path.set(i));
    UINT written = 0;
    REQUIRE(f_open(&other, path.path(), FA_WRITE | FA_CREATE_NEW) == FR_OK);
    REQUIRE(f_write(&other, "another program's file", 22, &written) == FR_OK);
    REQUIRE(f_close(&other) == FR_OK);
  }
  CHECK(last.begin(the_volume<SDLib::SDClass>, "TEMPER"));
  CHECK(!last.add("t", 1).end_row());
  CHECK(last.status() == Status::kLimitReached);
  CHECK_EQ(std::string(last.message()), "the last number of a file is used");
}

namespace {

// A board whose files have a size that is soon reached.
class SmallFiles final : public mpq::LoggerBoard {
 public:
  static constexpr std::size_t kMaxBytes = 400'000;

  std::uint32_t now_ms() override { return ports::now_ms; }
  bool start() override { return true; }
  bool exists(const char* path) override {
    return std::find(paths_.begin(), paths_.end(), path) != paths_.end();
  }
  Status open(const char* path) override {
    if (exists(path)) return Status::kIoError;
    paths_.emplace_back(path);
    memory_.emplace_back(kMaxBytes);
    file_.emplace(memory_.back());
    return Status::kOk;
  }
  void close() override {}
  mpq::File& file() override { return *file_; }
  std::uint64_t max_file_bytes() override { return kMaxBytes; }

  std::vector<std::vector<std::byte>>& memory() { return memory_; }

 private:
  std::vector<std::string> paths_;
  std::vector<std::vector<std::byte>> memory_;
  std::optional<mpq::MemoryFile> file_;
};

}  // namespace

TEST("a Logger begins the next file before one is as long as its file system allows") {
  static mpq::LoggerColumn columns[1];
  static mpq::Field fields[1 + 1];
  static mpq::Value values[1 + 1];
  alignas(8) static std::byte arena[60'000];
  SmallFiles board;
  mpq::LoggerCore core(board, {columns, fields, values, arena});
  REQUIRE(core.begin("LONG"));
  constexpr unsigned kRows = 100'000;
  unsigned good = 0;
  for (unsigned i = 0; i < kRows; ++i) {
    core.add("number", mpq::kLoggerUint32, mpq::Value::of(static_cast<std::int32_t>(i)));
    good += core.end_row() ? 1U : 0U;
  }
  CHECK(core.end());
  CHECK_EQ(good, kRows);
  CHECK_EQ(core.lost_rows(), 0U);
  CHECK(board.memory().size() > 5);
}
