// The logger of examples/sd_logger on this machine, on cards in memory that fail at a known place.
#include "logger.h"

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "ff.h"
#include "microparquet/static_reader.h"
#include "support/check.h"
#include "support/volume.h"

namespace {

namespace mpq = microparquet;
using filesystems::Format;
using filesystems::RamDisk;
using mpq::Status;

constexpr std::uint32_t kSamples = 10'000;
constexpr std::uint32_t kSamplesPerSecond = 400;
constexpr mpq::RollLimits kLimits = {0, 9'000};
constexpr bool kIsStream = !kOptions.layout->in_place;
// In place fewer of the accesses fail.
constexpr unsigned kStep = kIsStream ? 1 : 7;

std::uint32_t ms_of(std::uint32_t number) { return number * 1000 / kSamplesPerSecond; }

Sample make(std::uint32_t number) {
  const auto value = static_cast<float>(number % 1000);
  return {std::int64_t{number},
          ms_of(number) * 1000LL,
          value,
          value + 1,
          value + 2,
          value + 3,
          value + 4,
          value + 5};
}

// The device, switched on.
struct Device {
  explicit Device(const mpq::RollLimits& limits = kLimits) : logger(queue, console, limits) {}

  SampleQueue queue;
  SerialConsole console;
  Logger logger;

  // Takes samples, and writes; the state after each is kept.
  void sample(std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t number = begin; number != end; ++number) {
      queue.push(make(number));
      logger.step(ms_of(number));
      if (states.empty() || states.back() != logger.state()) states.push_back(logger.state());
    }
  }
  // Writes what waits, and completes the file. False: it does not get there.
  bool stop() {
    for (std::uint32_t number = kSamples; number != 2 * kSamples; ++number) {
      logger.step(ms_of(number));
      if (queue.pending() == 0 && logger.stop()) return true;
    }
    return false;
  }

  std::vector<CardState> states;
};

// The value of a key-value; 0: there is none.
std::uint32_t number_of(mpq::Reader& reader, std::string_view key) {
  char buffer[64];
  std::string_view value;
  if (reader.find_key_value(key, buffer, value) != Status::kOk) return 0;
  std::uint32_t number = 0;
  for (const char digit : value) number = 10 * number + static_cast<std::uint32_t>(digit - '0');
  return number;
}

// The numbers of the rows of all sessions on the card, in their order. Empty: a file is not as it should be. `left`: files
// that were left may have no byte. `missing`: how many rows the last file says were dropped or lost.
std::vector<std::uint32_t> read_log(RamDisk& disk, bool left = false, std::uint32_t* missing = nullptr) {
  static mpq::StaticReader<kSchema> reader;  // NOLINT(*-dynamic-static-initializers)
  std::vector<std::uint32_t> numbers;
  const filesystems::Volume volume(disk);
  for (unsigned session = 1; session < 10; ++session) {
    for (unsigned split = 1; split < 20; ++split) {
      char path[64];
      std::snprintf(path, sizeof path, "LOG/6A1B0042/%08u/%08u.parquet", session, split);
      mpq::FatFsFile file;
      if (file.open_for_reading(path) != Status::kOk) break;
      std::uint64_t bytes = 0;
      if (left && file.size(bytes) == Status::kOk && bytes == 0) continue;
      Sample sample;
      Status status = reader.open(file);
      if (missing != nullptr)
        *missing = number_of(reader.reader(), "rows_dropped") + number_of(reader.reader(), "rows_lost");
      while (status == Status::kOk && (status = reader.next(sample)) == Status::kOk) {
        const auto number = static_cast<std::uint32_t>(sample.number);
        const Sample expected = make(number);
        CHECK(sample.time_us == expected.time_us && sample.accelerometer_z == expected.accelerometer_z);
        numbers.push_back(number);
      }
      CHECK_EQ(to_string(status), "end");
      CHECK(file.close() == Status::kOk);
    }
  }
  return numbers;
}

bool is_whole(const std::vector<std::uint32_t>& numbers, std::uint32_t from, std::uint32_t to) {
  if (numbers.size() != to - from) return false;
  for (const std::uint32_t number : numbers) {
    if (number != from++) return false;
  }
  return true;
}

// Whether no row is missing that was durable before the card failed once. In place that is no row at all; a stream loses
// at most those since the last checkpoint, and counts them.
bool has_promised(RamDisk& disk) {
  std::uint32_t missing = 0;
  const std::vector<std::uint32_t> numbers = read_log(disk, false, &missing);
  if (!kIsStream) return is_whole(numbers, 0, kSamples);
  constexpr std::uint32_t kLateMs = 500;  // part of a row group, and the footer
  constexpr std::uint32_t kMost = (kOptions.max_loss_ms + kLateMs) * kSamplesPerSecond / 1000;
  if (numbers.empty() || numbers.size() + missing != kSamples) return false;
  std::uint32_t gaps = (numbers.front() != 0 ? 1 : 0) + (numbers.back() != kSamples - 1 ? 1 : 0);
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    if (numbers[i] <= numbers[i - 1]) return false;
    gaps += numbers[i] != numbers[i - 1] + 1 ? 1 : 0;
  }
  return gaps <= 1 && missing <= kMost;
}

}  // namespace

TEST("the LED flashes the number of the state, then pauses") {
  for (auto state = CardState::kLogging; state <= CardState::kOtherCard;
       state = static_cast<CardState>(static_cast<int>(state) + 1)) {
    unsigned flashes = 0;
    std::uint32_t last_ms = 0;  // when it was on
    std::uint32_t ms = 0;
    for (; ms < 1000 || ms - last_ms < 1000; ++ms) {
      const bool on = is_led_on(state, ms);
      flashes += on && (ms == 0 || !is_led_on(state, ms - 1)) ? 1U : 0U;
      if (on) last_ms = ms;
    }
    CHECK_EQ(flashes, static_cast<unsigned>(state));
  }
}

TEST("a write-protected card is said to be, and what waits goes to the next one") {
  RamDisk disk(filesystems::kFat32.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kFat32));
  RamDisk::insert(&disk);
  disk.set_protected(true);
  Device device;
  device.sample(0, 400);
  CHECK(device.states == std::vector<CardState>{CardState::kWriteProtected});
  CHECK_EQ(device.queue.pending(), 400);
  disk.set_protected(false);
  device.sample(400, 2000);
  CHECK(device.logger.state() == CardState::kLogging);
  CHECK(device.stop());
  CHECK_EQ(device.queue.dropped(), 0);
  CHECK(is_whole(read_log(disk), 0, 2000));
}

// The card fails once, at each access of a kind in turn.
namespace {

bool fail_once(const Format& format, RamDisk::Access failing, unsigned nth) {
  RamDisk disk(format.sectors);
  if (!CHECK(filesystems::format(disk, format))) return false;
  RamDisk::insert(&disk);
  unsigned count = 0;
  bool failed = false;
  disk.set_watch([&](RamDisk::Access access, std::uint32_t, const std::byte*) {
    const bool fails = access == failing && count++ == nth;
    failed = failed || fails;
    return !fails;
  });
  Device device;
  device.sample(0, kSamples);
  const bool stopped = CHECK(device.stop());
  disk.set_watch({});
  for (const CardState state : device.states) CHECK(state != CardState::kOtherCard);
  const bool whole = has_promised(disk) && device.queue.dropped() == 0;
  if (!CHECK(whole) || !stopped) std::printf("  %s: access %u fails\n", format.name, nth);
  return failed && whole;
}

}  // namespace

TEST("a card that fails once costs no durable row, whenever it does") {
  for (const Format& format : {filesystems::kFat32, filesystems::kExfat}) {
    for (const RamDisk::Access failing :
         {RamDisk::Access::kWrite, RamDisk::Access::kRead, RamDisk::Access::kSync}) {
      unsigned nth = 0;
      while (fail_once(format, failing, nth)) nth += kStep;
      CHECK(nth > 20);
      std::printf("%s: failed at each of %u accesses\n", format.name, nth / kStep);
    }
  }
}

TEST("a card that fails now and then is no reason to leave its file") {
  RamDisk disk(filesystems::kFat32.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kFat32));
  RamDisk::insert(&disk);
  bool fails = false;
  disk.set_watch([&fails](RamDisk::Access access, std::uint32_t, const std::byte*) {
    const bool fails_now = fails && access == RamDisk::Access::kWrite;
    fails = fails && !fails_now;
    return !fails_now;
  });
  constexpr mpq::RollLimits kOneFile = {0, 60'000};
  Device device(kOneFile);
  constexpr std::uint32_t kFailures = kIsStream ? 6 : 3;  // in place no checkpoint follows a failure
  constexpr std::uint32_t kRows = 900;  // between two failures, less than a checkpoint's time
  for (std::uint32_t i = 0; i < kFailures; ++i) {
    device.sample(i * kRows, (i + 1) * kRows);
    CHECK(!fails);
    fails = true;
  }
  device.sample(kFailures * kRows, kFailures * kRows + kRows);
  FILINFO information;
  CHECK(f_stat("LOG/6A1B0042/00000001/00000001.parquet", &information) == FR_OK);
  CHECK(f_stat("LOG/6A1B0042/00000001/00000002.parquet", &information) == FR_NO_FILE);
}

namespace {

// Logs to the first card until sample `at`, then for a second without one, then to the second card.
void log_and_swap(RamDisk& first, RamDisk& second, std::uint32_t at) {
  RamDisk::insert(&first);
  Device device;
  device.sample(0, at);
  RamDisk::insert(nullptr);
  device.sample(at, at + kSamplesPerSecond);
  RamDisk::insert(&second);
  device.sample(at + kSamplesPerSecond, kSamples);
  CHECK(device.stop());
}

}  // namespace

TEST("a card that is swapped keeps what was durable, and the other one gets its own session") {
  for (std::uint32_t at = 1; at < kSamples - 1000; at += 373) {
    RamDisk first(filesystems::kFat16.sectors);
    RamDisk second(filesystems::kFat16.sectors);
    REQUIRE(filesystems::format(first, filesystems::kFat16) &&
            filesystems::format(second, filesystems::kFat16));
    log_and_swap(first, second, at);
    std::vector<std::uint32_t> found = read_log(first);
    CHECK(is_whole(found, 0, static_cast<std::uint32_t>(found.size())));
    const std::vector<std::uint32_t> rest = read_log(second);
    CHECK(!rest.empty() && is_whole(rest, rest.front(), kSamples));
    CHECK(found.size() <= at && (at < 6000 || found.size() > 3000));
  }
}

TEST("another card's own sessions are left alone") {
  constexpr std::uint32_t kEarlier = 500;
  for (const std::uint32_t at : {1U, 300U, 5'000U}) {
    RamDisk first(filesystems::kFat16.sectors);
    RamDisk second(filesystems::kFat16.sectors);
    REQUIRE(filesystems::format(first, filesystems::kFat16) &&
            filesystems::format(second, filesystems::kFat16));
    RamDisk::insert(&second);
    Device earlier;
    earlier.sample(0, kEarlier);
    REQUIRE(earlier.stop());
    log_and_swap(first, second, at);
    const std::vector<std::uint32_t> numbers = read_log(second);
    CHECK(numbers.size() > kEarlier && numbers.back() == kSamples - 1);
    const filesystems::Volume volume(second);
    FILINFO information;
    CHECK(f_stat("LOG/6A1B0042/00000001/00000002.parquet", &information) == FR_NO_FILE);
    CHECK(f_stat("LOG/6A1B0042/00000002/00000001.parquet", &information) == FR_OK);
  }
}

namespace {

constexpr std::uint32_t kFilesBegin = 1'400;  // the tables and directories of kFat32 lie before it

// Makes a sector of the data area unwritable from the `nth` write on. False: there was no write so late.
bool fail_for_good(unsigned nth) {
  RamDisk disk(filesystems::kFat32.sectors);
  if (!CHECK(filesystems::format(disk, filesystems::kFat32))) return false;
  RamDisk::insert(&disk);
  unsigned count = 0;
  std::uint32_t bad = 0;
  disk.set_watch([&](RamDisk::Access access, std::uint32_t sector, const std::byte*) {
    if (access != RamDisk::Access::kWrite) return true;
    if (sector >= kFilesBegin && count++ == nth) bad = sector;
    return bad == 0 || sector != bad;
  });
  Device device;
  device.sample(0, kSamples);
  CHECK(device.stop());
  disk.set_watch({});
  std::uint32_t missing = 0;
  const std::vector<std::uint32_t> numbers = read_log(disk, false, &missing);
  CHECK(!numbers.empty());
  CHECK_EQ(numbers.size() + missing, kSamples);
  constexpr unsigned kLate = 700;  // no time is left for another file
  CHECK(nth > kLate || numbers.back() == kSamples - 1);
  for (std::size_t i = 1; i < numbers.size(); ++i) CHECK(numbers[i] > numbers[i - 1]);
  return bad != 0;
}

// Whether a card that takes no more bytes of files does what it is asked.
bool can_access(RamDisk::Access access, std::uint32_t sector) {
  return access != RamDisk::Access::kWrite || sector < kFilesBegin;
}

void lose_writes(RamDisk& disk) {
  disk.set_watch([](RamDisk::Access access, std::uint32_t sector, const std::byte*) {
    return can_access(access, sector);
  });
}

}  // namespace

TEST(
    "a card that takes no file any more is left in peace, gets no more names, and the log continues when it "
    "has healed") {
  RamDisk disk(filesystems::kFat32.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kFat32));
  RamDisk::insert(&disk);
  Device device;
  device.sample(0, 2'000);
  unsigned accesses = 0;
  disk.set_watch([&](RamDisk::Access access, std::uint32_t sector, const std::byte*) {
    ++accesses;
    return can_access(access, sector);
  });
  device.sample(2'000, 50'000);  // two minutes
  CHECK(device.logger.state() != CardState::kLogging);
  const unsigned before = accesses;
  device.sample(50'000, 290'000);  // ten
  CHECK(accesses - before < 2'000);
  FILINFO information;
  CHECK(f_stat("LOG/6A1B0042/00000001/00000001.parquet", &information) == FR_OK);
  CHECK(f_stat("LOG/6A1B0042/00000001/00000005.parquet", &information) == FR_NO_FILE);
  disk.set_watch({});
  device.sample(290'000, 320'000);
  CHECK(device.logger.state() == CardState::kLogging);
  CHECK(device.logger.stop());
  std::uint32_t missing = 0;
  const std::vector<std::uint32_t> numbers = read_log(disk, true, &missing);
  CHECK(!numbers.empty() && numbers.back() == 319'999);
  CHECK_EQ(numbers.size() + missing, 320'000U);
  for (std::size_t i = 1; i < numbers.size(); ++i) CHECK(numbers[i] > numbers[i - 1]);
}

namespace {

constexpr std::uint32_t kMinute = 60 * kSamplesPerSecond;

// Rests: no file on the card has taken a row for some minutes.
std::uint32_t make_rest(Device& device, RamDisk& disk) {
  constexpr std::uint32_t kRests = 2'000 + 3 * kMinute;
  device.sample(0, 2'000);
  lose_writes(disk);
  device.sample(2'000, kRests);
  CHECK(device.logger.state() != CardState::kLogging);
  return kRests;
}

// A card that reads another bit than was written, each time, in what files hold.
class Misreading final : public filesystems::BlockLayer {
 public:
  explicit Misreading(RamDisk& disk) : disk_(disk) { disk.set_front(this); }
  void set_misreads(bool misreads) { misreads_ = misreads; }

  bool read(std::uint32_t first, std::byte* out, std::uint32_t count) override {
    const bool is_read = disk_.read(first, out, count);
    if (misreads_ && first >= kFilesBegin) out[17] ^= std::byte{1};
    return is_read;
  }
  bool write(std::uint32_t first, const std::byte* data, std::uint32_t count) override {
    return disk_.write(first, data, count);
  }
  bool sync() override { return disk_.sync(); }

 private:
  RamDisk& disk_;
  bool misreads_ = false;
};

}  // namespace

TEST("another card than one that takes no file is logged to at once") {
  for (std::uint32_t ms = 0; ms < 60'000; ms += 12'000) {  // wherever in its rest the first one is
    RamDisk bad(filesystems::kFat32.sectors);
    RamDisk good(filesystems::kFat32.sectors);
    REQUIRE(filesystems::format(bad, filesystems::kFat32) && filesystems::format(good, filesystems::kFat32));
    RamDisk::insert(&bad);
    Device device;
    std::uint32_t at = make_rest(device, bad);
    const auto sample_for = [&](std::uint32_t more_ms) {
      const std::uint32_t end = at + more_ms * kSamplesPerSecond / 1000;
      device.sample(at, end);
      at = end;
    };
    sample_for(ms);
    RamDisk::insert(nullptr);
    sample_for(2'000);
    RamDisk::insert(&good);
    sample_for(3'000);
    CHECK(device.logger.state() == CardState::kLogging);
  }
}

TEST("a card that has healed does not rest again at its next failure") {
  RamDisk disk(filesystems::kFat32.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kFat32));
  RamDisk::insert(&disk);
  Device device;
  std::uint32_t at = make_rest(device, disk);
  disk.set_watch({});
  device.sample(at, at + 2 * kMinute);
  at += 2 * kMinute;
  CHECK(device.logger.state() == CardState::kLogging);
  lose_writes(disk);
  device.sample(at, at + kMinute / 4);
  at += kMinute / 4;
  CHECK(device.logger.state() != CardState::kLogging);
  disk.set_watch({});
  device.sample(at, at + kMinute / 12);
  CHECK(device.queue.pending() < kSamplesPerSecond);
  CHECK(device.stop());
}

TEST("rows of files that a card misreads are counted among those that are lost") {
  RamDisk disk(filesystems::kFat32.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kFat32));
  RamDisk::insert(&disk);
  Misreading card(disk);
  Device device;
  device.sample(0, 2'000);
  for (std::uint32_t at = 2'000; at != 2'000 + 4 * kMinute; at += kMinute) {
    card.set_misreads(true);
    device.sample(at, at + kMinute / 2);
    card.set_misreads(false);
    device.sample(at + kMinute / 2, at + kMinute);
  }
  CHECK(device.stop());
  const std::uint32_t taken = 2'000 + 4 * kMinute;
  std::uint32_t missing = 0;
  const std::vector<std::uint32_t> numbers = read_log(disk, true, &missing);
  CHECK(missing != 0);
  CHECK_EQ(numbers.size() + missing, taken);
  CHECK(!numbers.empty() && numbers.back() == taken - 1);
}

TEST("a block that can no more be written ends its file, and the log continues in the next") {
  unsigned nth = 0;
  while (fail_for_good(nth)) nth += 53;
  CHECK(nth > 800);
}

namespace {

constexpr const char* kFirstSession = "LOG/6A1B0042/00000001";

// The card's content when the device starts, before it has logged anything.
struct Found {
  const char* directory;  // none if empty
  const char* file;       // none if empty
  const char* expected;   // where it then logs
};

constexpr Found kFound[] = {
    {"LOG/6A1B0042/00000001 park", "", "LOG/6A1B0042/00000001/00000001.parquet"},
    {"LOG/6A1B0042/00000000", "", "LOG/6A1B0042/00000001/00000001.parquet"},
    {"", "LOG/6A1B0042/00000004", "LOG/6A1B0042/00000005/00000001.parquet"},
    {kFirstSession, "LOG/6A1B0042/00000001/00000001.parquet.part", "LOG/6A1B0042/00000001/00000001.parquet"},
    {kFirstSession, "LOG/6A1B0042/00000001/00000007.parquet", "LOG/6A1B0042/00000002/00000001.parquet"},
    {kFirstSession, "LOG/6A1B0042/00000001/00000007.PQT", "LOG/6A1B0042/00000002/00000001.parquet"},
    {"LOG/6A1B0042/99999999", "LOG/6A1B0042/99999999/00000001.parquet",
     "LOG/6A1B0042/00000001/00000001.parquet"},
};

bool make_file(const char* path) {
  FIL file;
  UINT written = 0;
  static const char content[100'000] = {};
  return f_open(&file, path, FA_WRITE | FA_CREATE_NEW) == FR_OK &&
         f_write(&file, content, sizeof content, &written) == FR_OK && f_close(&file) == FR_OK;
}

bool exists(const char* path) {
  FILINFO information;
  return f_stat(path, &information) == FR_OK;
}

}  // namespace

TEST("only what is named as the logger does counts") {
  for (const Found& found : kFound) {
    RamDisk disk(filesystems::kFat16.sectors);
    REQUIRE(filesystems::format(disk, filesystems::kFat16));
    {
      const filesystems::Volume volume(disk);
      REQUIRE(f_mkdir("LOG") == FR_OK && f_mkdir("LOG/6A1B0042") == FR_OK);
      REQUIRE(found.directory[0] == 0 || f_mkdir(found.directory) == FR_OK);
      REQUIRE(found.file[0] == 0 || make_file(found.file));
    }
    RamDisk::insert(&disk);
    Device device;
    device.sample(0, 500);
    CHECK(device.stop());
    CHECK_EQ(device.queue.dropped(), 0);
    const filesystems::Volume volume(disk);
    if (!CHECK(exists(found.expected))) std::printf("  %s\n", found.expected);
    CHECK(found.directory[0] == 0 || exists(found.directory));
    CHECK(found.file[0] == 0 || exists(found.file));
  }
}

namespace {

// Entries of a folder of the logger on exFAT, of which the checksums are wrong.
void spoil_sets(RamDisk& disk, const std::string& path, unsigned sets) {
  const filesystems::Volume volume(disk);
  DIR folder;
  REQUIRE(f_opendir(&folder, path.c_str()) == FR_OK);
  std::byte* entry = disk.sector(static_cast<std::uint32_t>(folder.sect));
  for (; sets != 0; entry += 32) {
    if (*entry != std::byte{0x85}) continue;
    entry[2] ^= std::byte{1};
    --sets;
  }
}

}  // namespace

TEST("on exFAT a torn folder is mended, and a damaged one left for another") {
  for (const char* const folder : {"LOG", "LOG/6A1B0042", "LOG/6A1B0042/00000001"}) {
    for (const unsigned sets : {1U, 2U}) {
      RamDisk disk(filesystems::kExfat.sectors);
      REQUIRE(filesystems::format(disk, filesystems::kExfat));
      {
        const filesystems::Volume volume(disk);
        REQUIRE(f_mkdir("LOG") == FR_OK && f_mkdir("LOG/6A1B0042") == FR_OK);
        REQUIRE(f_mkdir("LOG/6A1B0042/00000001") == FR_OK);
        for (const char* const name : {"/a", "/b"}) REQUIRE(make_file((std::string(folder) + name).c_str()));
      }
      spoil_sets(disk, folder, sets);
      RamDisk::insert(&disk);
      Device device;
      device.sample(0, 500);
      CHECK(device.stop());
      CHECK_EQ(device.queue.dropped(), 0);
      const std::string parent = sets == 1 ? "LOG" : "LO1";
      const filesystems::Volume volume(disk);
      if (!CHECK(exists((parent + "/6A1B0042/00000001/00000001.parquet").c_str())))
        std::printf("  %s %u\n", folder, sets);
    }
  }
}

namespace {

// A card of a device that was switched off while it logged.
void make_cut_card(RamDisk& disk) {
  CHECK(filesystems::format(disk, filesystems::kFat16));
  RamDisk::insert(&disk);
  Device device;
  device.sample(0, 3'500);
  CHECK(device.logger.state() == CardState::kLogging);
}

// The directory entry of the only log, and its sector.
std::byte* find_entry(RamDisk& disk, std::uint32_t& sector) {
  constexpr std::size_t kEntryBytes = 32;
  for (sector = 0; sector != disk.sectors(); ++sector) {
    for (std::size_t at = 0; at != filesystems::kSectorBytes; at += kEntryBytes) {
      std::byte* const entry = disk.sector(sector) + at;
      if (std::memcmp(entry, "000000~1PAR", 11) == 0) return entry;
    }
  }
  return nullptr;
}

// Boots, and logs. A session of its own is where it does.
void log_in_second_session(RamDisk& disk) {
  RamDisk::insert(&disk);
  Device device;
  device.sample(0, 4'000);
  CHECK(device.stop());
  disk.set_watch({});
  for (const CardState state : device.states) CHECK(state != CardState::kFull);
  const filesystems::Volume volume(disk);
  CHECK(exists("LOG/6A1B0042/00000002/00000001.parquet"));
  CHECK(!exists("LOG/6A1B0042/00000001/00000002.parquet") && !exists("LOG/6A1B0042/00000003"));
}

}  // namespace

TEST("a card that fails once gets a session for each boot, whenever it does") {
  RamDisk cut(filesystems::kFat16.sectors);
  make_cut_card(cut);
  for (const RamDisk::Access failing : {RamDisk::Access::kWrite, RamDisk::Access::kRead}) {
    for (unsigned nth = 0; nth != 60; ++nth) {
      RamDisk disk(filesystems::kFat16.sectors);
      disk.copy_from(cut);
      unsigned count = 0;
      disk.set_watch([&](RamDisk::Access access, std::uint32_t, const std::byte*) {
        return access != failing || count++ != nth;
      });
      log_in_second_session(disk);
      CHECK(count > nth);
    }
  }
}

TEST("what is wrong with the last session's file does not stop the log") {
  for (const bool is_bad : {false, true}) {
    RamDisk disk(filesystems::kFat16.sectors);
    make_cut_card(disk);
    std::uint32_t bad = 0;
    std::byte* const entry = find_entry(disk, bad);
    REQUIRE(entry != nullptr);
    if (is_bad) {
      disk.set_watch(
          [bad](RamDisk::Access, std::uint32_t sector, const std::byte*) { return sector != bad; });
    } else {
      entry[11] |= std::byte{AM_RDO};
    }
    log_in_second_session(disk);
  }
}

TEST("a directory without a place for another entry is full") {
  RamDisk disk(filesystems::kFat16.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kFat16));
  {
    const filesystems::Volume volume(disk);
    FRESULT result = FR_OK;
    for (unsigned number = 0; result == FR_OK; ++number) {
      char path[16];
      std::snprintf(path, sizeof path, "D%u", number);
      result = f_mkdir(path);
    }
    REQUIRE(result == FR_DENIED);
  }
  RamDisk::insert(&disk);
  Device device;
  device.sample(0, 400);
  CHECK(device.states == std::vector<CardState>{CardState::kFull});
}
