// Files that reach 4 GiB: each port writes on where the volume lets it, and says where a file ends on one that is not full. The
// files are long, and almost nothing of them is ever written.
#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <type_traits>

#include "Rp2040SD.h"
#include "TeensySD.h"
#include "port_cases.h"
#include "port_sweep.h"
#include "support/check.h"

namespace {

namespace mpq = microparquet;
using filesystems::Format;
using filesystems::History;
using filesystems::LongImu;
using mpq::Status;
using ports::Card;

constexpr std::uint64_t k4GiB = std::uint64_t{1} << 32;
constexpr std::uint64_t kBegin = k4GiB - (1 << 20);  // where the tests begin to write
constexpr std::uint64_t kMaxOnFat = k4GiB - 1;
constexpr Format kFat32Of9GiB{"FAT32", FM_FAT32, 9U << 21, 32768};
constexpr Format kExfatOf9GiB{"exFAT", FM_EXFAT, 9U << 21, 128 << 10};
constexpr std::array<std::byte, 1000> kBytes = [] {
  std::array<std::byte, 1000> bytes = {};
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 7 + 1);
  return bytes;
}();

// Makes a file by its length alone.
bool make_file(const char* path, std::uint64_t bytes) {
  FIL file;
  return f_open(&file, path, FA_WRITE | FA_CREATE_NEW) == FR_OK &&
         f_lseek(&file, static_cast<FSIZE_t>(bytes)) == FR_OK && f_size(&file) == bytes &&
         f_close(&file) == FR_OK;
}

std::uint64_t entry_size() {
  FILINFO information;
  return f_stat(ports::kName, &information) == FR_OK ? information.fsize : ~std::uint64_t{0};
}

bool holds(mpq::File& file, std::uint64_t offset) {
  std::array<std::byte, kBytes.size()> read = {};
  return file.read_at(offset, read) == Status::kOk && read == kBytes;
}

template <typename Port>
constexpr bool kIsNamed = std::is_base_of_v<mpq::NamedFile, decltype(Port::file)>;

template <typename Port>
void pass_4gib() {
  std::printf("%s\n", Port::kPort);
  Card card(nullptr, kExfatOf9GiB);
  REQUIRE(card.good());
  REQUIRE(make_file(ports::kName, kBegin));
  {
    Port port;
    REQUIRE(port.resume() == Status::kOk);
    for (std::uint64_t at = kBegin; at < k4GiB + (1 << 20); at += 100'000) {
      if (!CHECK(port.file.write_at(at, kBytes) == Status::kOk)) return;
    }
    CHECK(port.file.write_at(k4GiB + (1 << 20) - kBytes.size(), kBytes) == Status::kOk);
    CHECK(port.file.write_at(k4GiB - 500, kBytes) == Status::kOk);
    CHECK(port.file.reserve(k4GiB + (3 << 20)) == Status::kOk);
    CHECK(port.file.sync(k4GiB + (1 << 20)) == Status::kOk);
    CHECK(port.close() == Status::kOk);
    CHECK_EQ(entry_size(), k4GiB + (1 << 20));
  }
  Port port;
  REQUIRE(port.resume() == Status::kOk);
  CHECK(holds(port.file, k4GiB - 500));
  CHECK(holds(port.file, kBegin));
  CHECK(port.file.write_at(k4GiB + (2 << 20), kBytes) == Status::kOk);
  CHECK(port.file.sync(k4GiB + (2 << 20) + kBytes.size()) == Status::kOk);
  CHECK(port.file.write_at(std::uint64_t{1} << 63, kBytes) == Status::kNoSpace);
  CHECK_EQ(port.file.limit_reached(), kIsNamed<Port>);  // SdFat's file ends where the card does
  CHECK(port.close() == Status::kOk);
}

template <typename Port>
void end_on_fat32() {
  std::printf("%s\n", Port::kPort);
  Card card(nullptr, kFat32Of9GiB);
  REQUIRE(card.good());
  REQUIRE(make_file(ports::kName, kBegin));
  Port port;
  REQUIRE(port.resume() == Status::kOk);
  auto& file = port.file;
  CHECK(file.write_at(kBegin, kBytes) == Status::kOk);
  for (const std::uint64_t at : {k4GiB - 500, k4GiB + 500, 2 * k4GiB, ~std::uint64_t{0} - 50}) {
    CHECK(file.write_at(at, kBytes) == Status::kNoSpace);
    CHECK(file.limit_reached());
    if constexpr (kIsNamed<Port>) CHECK_EQ(file.native_error(), EFBIG);
  }
  CHECK(file.reserve(k4GiB) == Status::kNoSpace);
  CHECK(file.limit_reached());
  CHECK_EQ(file.max_bytes(), kMaxOnFat);
  CHECK(file.sync(kBegin + kBytes.size()) == Status::kOk);
  CHECK_EQ(entry_size(), kBegin + kBytes.size());
  CHECK(file.write_at(kMaxOnFat - kBytes.size(), kBytes) == Status::kOk);
  CHECK(file.sync(kMaxOnFat) == Status::kOk);
  CHECK(holds(file, kBegin));
  CHECK(port.close() == Status::kOk);
  CHECK_EQ(entry_size(), kMaxOnFat);

  Port again;
  REQUIRE(again.resume() == Status::kOk);
  CHECK(again.file.write_at(kMaxOnFat, kBytes) == Status::kNoSpace);
  CHECK(again.file.limit_reached());
  CHECK(holds(again.file, kMaxOnFat - kBytes.size()));
  CHECK(again.close() == Status::kOk);
  CHECK_EQ(entry_size(), kMaxOnFat);
}

// A full card, where the file would end a little later.
template <typename Port>
void tell_full_card() {
  Card card(nullptr, kFat32Of9GiB);
  REQUIRE(card.good());
  REQUIRE(make_file(ports::kName, kBegin));
  REQUIRE(make_file("FILL1", kMaxOnFat));
  const std::uint64_t left = std::uint64_t{card.volume().free_clusters()} * 32768;
  REQUIRE(make_file("FILL2", left - (256 << 10)));
  Port port;
  REQUIRE(port.resume() == Status::kOk);
  CHECK(port.file.reserve(k4GiB + 500) == Status::kNoSpace);
  CHECK(!port.file.limit_reached());
  CHECK_EQ(port.file.native_error(), ENOSPC);
  CHECK(port.file.reserve(kBegin + (200 << 10)) == Status::kOk);
  CHECK(port.close() == Status::kOk);
  CHECK_EQ(entry_size(), kBegin);
}

// SdFat looks for a free cluster for ever where there is none.
void leave_a_cluster() {
  constexpr std::uint32_t kCluster = 4096;
  Card card(nullptr, filesystems::kExfat);
  REQUIRE(card.good());
  REQUIRE(make_file(ports::kName, 10 * kCluster + 1));
  REQUIRE(make_file("FILL", std::uint64_t{card.volume().free_clusters() - 20} * kCluster));
  ports::ArduinoSdFatNoLimit port;
  REQUIRE(port.resume() == Status::kOk);
  CHECK(port.file.reserve((11 + 19) * kCluster + 1) == Status::kNoSpace);
  CHECK(!port.file.limit_reached());
  CHECK_EQ(card.volume().free_clusters(), 20U);
  CHECK(port.file.write_at((11 + 19) * kCluster - kBytes.size(), kBytes) == Status::kOk);
  CHECK(port.file.sync((11 + 19) * kCluster) == Status::kOk);
  CHECK(port.close() == Status::kOk);
  CHECK_EQ(card.volume().free_clusters(), 1U);
}

// A file that is longer than a short off_t counts is refused, and stays.
template <typename Port>
void refuse_long_file(std::uint64_t bytes) {
  Card card(nullptr, kExfatOf9GiB);
  REQUIRE(card.good());
  REQUIRE(make_file(ports::kName, bytes));
  const std::uint32_t free_clusters = card.volume().free_clusters();
  ports::has_short_off_t = true;
  decltype(Port::file) file;
  const auto refuses = [&](Status status) {
    return status == Status::kIoError && file.native_error() == EFBIG && !file.is_open();
  };
  CHECK(refuses(file.open_for_append(Port::kPath)));
  CHECK(refuses(file.open_for_reading(Port::kPath)));
  CHECK(refuses(file.create(Port::kPath, mpq::Existing::kOverwrite)));
  ports::has_short_off_t = false;
  CHECK_EQ(entry_size(), bytes);
  CHECK_EQ(card.volume().free_clusters(), free_clusters);
}

struct Ended {
  Status status = Status::kOk;  // of the call that failed
  bool limit_reached = false;
  Status closed = Status::kOk;
  std::uint32_t rows = 0;
  std::uint64_t durable = 0;
};

// Logs until the file has `bytes` or a call fails.
Ended log_long(ports::EspIdf& port, std::uint64_t bytes) {
  constexpr std::uint32_t kRowsPerGroup = 40;
  filesystems::Boot<LongImu> boot(0);
  auto& writer = filesystems::Boot<LongImu>::writer();
  Ended ended;
  ended.status = boot.resume(port.file);
  for (std::uint64_t size = 0; ended.status == Status::kOk && size < bytes;) {
    ended.status = boot.append();
    if (ended.status == Status::kOk && boot.offered() % kRowsPerGroup == 0)
      ended.status = writer.end_row_group();
    if (ended.status == Status::kOk) ended.status = port.file.size(size);
  }
  ended.limit_reached = port.file.limit_reached();
  ended.closed = writer.close();
  ended.rows = boot.offered();
  ended.durable = writer.durable_rows();
  return ended;
}

Ended log_and_read(const Format& format, std::uint64_t bytes) {
  Card card(nullptr, format);
  ports::EspIdf port;
  CHECK(card.good() && port.resume() == Status::kOk);
  const Ended ended = log_long(port, bytes);
  CHECK(port.close() == Status::kOk);
  CHECK(ended.closed == Status::kOk);
  CHECK_EQ(ended.durable, ended.rows);
  History found;
  CHECK(port.open() == Status::kOk);
  CHECK_EQ(filesystems::read_log<LongImu>(port.file, found), "");
  CHECK(found.size() == 1 && found.front().rows == ended.rows);
  CHECK(port.close() == Status::kOk);
  return ended;
}

// The ArduinoFile of a class on a volume, which knows how far a file may grow.
template <typename File, typename Volume, typename Mode>
std::uint64_t max_bytes(const Format& format, Volume& volume, Mode mode) {
  const Card card(nullptr, format);
  CHECK(card.good() && make_file(ports::kName, 1000));
  File opened = volume.open("/LOG.PQT", mode);
  mpq::ArduinoFile<File> file;
  CHECK(file.attach(opened, volume) == Status::kOk);
  CHECK(file.close() == Status::kOk);
  return file.max_bytes();
}

}  // namespace

TEST("on exFAT files become longer than 4 GiB") {
  pass_4gib<ports::Zephyr>();
  pass_4gib<ports::EspIdf>();
  pass_4gib<ports::ArduinoSdFatNoLimit>();
}

TEST("on FAT32 files end at 4 GiB - 1, and the port says that the card is not full") {
  end_on_fat32<ports::Zephyr>();
  end_on_fat32<ports::EspIdf>();
  end_on_fat32<ports::ArduinoSdFatNoLimit>();
}

TEST("a full card is not taken for a file's end") {
  tell_full_card<ports::Zephyr>();
  tell_full_card<ports::EspIdf>();
}

TEST("SdFat's file leaves a cluster of an exFAT card free") { leave_a_cluster(); }

TEST("a file that is longer than an off_t of 32 bits counts is refused") {
  for (const std::uint64_t bytes : {(k4GiB >> 2) * 3, k4GiB + 5}) {
    refuse_long_file<ports::Zephyr>(bytes);
    refuse_long_file<ports::EspIdf>(bytes);
  }
}

TEST("a log becomes longer than 4 GiB on exFAT, and ends before on FAT32 with all its rows") {
  const Ended on_exfat = log_and_read(kExfatOf9GiB, k4GiB + (k4GiB >> 2));
  CHECK(on_exfat.status == Status::kOk);
  const Ended on_fat32 = log_and_read(kFat32Of9GiB, 2 * k4GiB);
  CHECK(on_fat32.status == Status::kNoSpace);
  CHECK(on_fat32.limit_reached);
  CHECK(on_fat32.rows > 400);
}

TEST("Arduino's classes end where their positions and their volumes do") {
  constexpr std::uint64_t kOnExfat = 0x7FFFFFFFFFFFFFFF;
  teensy::SDClass teensy;
  CHECK_EQ((max_bytes<teensy::File>(kFat32Of9GiB, teensy, teensy::kWriteBegin)), kMaxOnFat);
  CHECK_EQ((max_bytes<teensy::File>(kExfatOf9GiB, teensy, teensy::kWriteBegin)), kOnExfat);
  SdFs sdfat;
  CHECK_EQ((max_bytes<FsFile>(kFat32Of9GiB, sdfat, O_RDWR)), kMaxOnFat);
  CHECK_EQ((max_bytes<FsFile>(kExfatOf9GiB, sdfat, O_RDWR)), kOnExfat);
  rp2040::SDClass rp2040;
  CHECK_EQ((max_bytes<rp2040::File>(kExfatOf9GiB, rp2040, "r+")), kMaxOnFat);
  fs::SDFS esp32;
  CHECK_EQ((max_bytes<fs::File>(kFat32Of9GiB, esp32, "r+")), k4GiB / 2 - 1);
}
