// Files that reach 4 GiB: on exFAT they become longer, on FAT32 they end there, which is not a full card. Row groups are large and
// ended early, so that a log of some thousand rows is that long and little of it is ever written.
#include <array>
#include <cstdint>
#include <string>

#include "microparquet/port/fatfs_file.h"
#include "microparquet/rolling.h"
#include "support/boot.h"
#include "support/check.h"
#include "support/volume.h"

namespace {

namespace mpq = microparquet;
using filesystems::Format;
using filesystems::History;
using filesystems::LongImu;
using filesystems::RamDisk;
using filesystems::Volume;
using mpq::FatFsFile;
using mpq::Status;

constexpr std::uint64_t k4GiB = std::uint64_t{1} << 32;
constexpr std::uint32_t kRowsPerGroup = 40;

constexpr Format kFat32Of9GiB{"FAT32", FM_FAT32, 9U << 21, 32768};
constexpr Format kFat32Of1GiB{"FAT32", FM_FAT32, 1U << 21, 8192};

using Boot = filesystems::Boot<LongImu>;

struct Disk {
  explicit Disk(const Format& format) : ram(format.sectors), good(filesystems::format(ram, format)) {}
  RamDisk ram;
  bool good;
};

DWORD link_map[64];  // NOLINT(*-avoid-non-const-global-variables)

// Appends rows, and ends each row group early, until the file is `bytes` long or a call fails.
Status log_until(Boot& boot, mpq::File& file, std::uint64_t bytes) {
  Status status = Status::kOk;
  for (std::uint64_t size = 0; status == Status::kOk && size < bytes;) {
    for (std::uint32_t i = 0; i < kRowsPerGroup && status == Status::kOk; ++i) status = boot.append();
    if (status == Status::kOk) status = Boot::writer().end_row_group();
    if (status == Status::kOk) status = file.size(size);
  }
  return status;
}

// The rows of each boot in a file.
History rows_in(const char* path) {
  History found;
  FatFsFile file(link_map);
  CHECK(file.open_for_reading(path) == Status::kOk);
  CHECK_EQ(filesystems::read_log<LongImu>(file, found), std::string());
  CHECK(file.close() == Status::kOk);
  return found;
}

}  // namespace

#if FF_FS_EXFAT
namespace {

constexpr Format kExfatOf9GiB{"exFAT", FM_EXFAT, 9U << 21, 128 << 10};

bool holds(FatFsFile& file, std::uint64_t offset, const std::array<std::byte, 512>& data) {
  std::array<std::byte, 512> read = {};
  return file.read_at(offset, read) == Status::kOk && read == data;
}

}  // namespace

TEST("on exFAT a file is written and read beyond 4 GiB") {
  Disk disk(kExfatOf9GiB);
  REQUIRE(disk.good);
  const Volume volume(disk.ram);
  FatFsFile file(link_map);
  REQUIRE(file.create("BIG.BIN") == Status::kOk);
  std::array<std::byte, 512> page;
  page.fill(std::byte{0x5A});
  constexpr std::array<std::uint64_t, 4> kPlaces = {0, k4GiB - 513, k4GiB, k4GiB + (k4GiB >> 1) + 100};
  for (const std::uint64_t place : kPlaces) CHECK(file.write_at(place, page) == Status::kOk);
  CHECK(file.sync(kPlaces.back() + page.size()) == Status::kOk);
  CHECK(file.close() == Status::kOk);
  REQUIRE(file.open_for_append("BIG.BIN") == Status::kOk);
  for (const std::uint64_t place : kPlaces) CHECK(holds(file, place, page));
  CHECK(file.reserve(std::uint64_t{1} << 40) == Status::kNoSpace);
  CHECK(!file.limit_reached());
  CHECK(file.close() == Status::kOk);
}

TEST("on exFAT a log becomes longer than 4 GiB, and after it was closed") {
  Disk disk(kExfatOf9GiB);
  REQUIRE(disk.good);
  const Volume volume(disk.ram);
  FatFsFile file(link_map);
  std::array<std::uint32_t, 2> rows = {};
  for (const std::uint32_t number : {0U, 1U}) {
    REQUIRE(file.open_for_append("LOG.PQT") == Status::kOk);
    Boot boot(number);
    REQUIRE(boot.resume(file) == Status::kOk);
    CHECK_EQ(to_string(log_until(boot, file, k4GiB + (number + 1) * (k4GiB / 4))), to_string(Status::kOk));
    CHECK(Boot::writer().close() == Status::kOk);
    CHECK(file.close() == Status::kOk);
    rows[number] = boot.offered();
  }
  const History found = rows_in("LOG.PQT");
  REQUIRE(found.size() == 2);
  CHECK_EQ(found[0].rows, rows[0]);
  CHECK_EQ(found[1].rows, rows[1]);
}
#endif

TEST("on FAT32 a log ends before 4 GiB with all its rows, and the port says that the card is not full") {
  Disk disk(kFat32Of9GiB);
  REQUIRE(disk.good);
  const Volume volume(disk.ram);
  FatFsFile file(link_map);
  REQUIRE(file.create("LOG.PQT") == Status::kOk);
  CHECK_EQ(file.max_bytes(), k4GiB - 1);
  Boot boot(0);
  REQUIRE(boot.resume(file) == Status::kOk);
  CHECK_EQ(to_string(log_until(boot, file, 2 * k4GiB)), to_string(Status::kNoSpace));
  CHECK(file.limit_reached());
  CHECK(Boot::writer().close() == Status::kOk);
  CHECK_EQ(Boot::writer().durable_rows(), boot.offered());
  CHECK(boot.offered() > 10 * kRowsPerGroup);
  CHECK(file.close() == Status::kOk);

  REQUIRE(file.open_for_append("LOG.PQT") == Status::kOk);
  Boot later(1);
  REQUIRE(later.resume(file) == Status::kOk);
  CHECK_EQ(to_string(log_until(later, file, 2 * k4GiB)), to_string(Status::kNoSpace));
  CHECK(file.limit_reached());
  CHECK(Boot::writer().close() == Status::kOk);
  CHECK(file.close() == Status::kOk);
  const History found = rows_in("LOG.PQT");
  REQUIRE(found.size() == 1);
  CHECK_EQ(found[0].rows, boot.offered());
}

TEST("a full card is not taken for a file's end") {
  Disk disk(kFat32Of1GiB);
  REQUIRE(disk.good);
  const Volume volume(disk.ram);
  FatFsFile file(link_map);
  REQUIRE(file.create("LOG.PQT") == Status::kOk);
  CHECK(file.reserve(k4GiB) == Status::kNoSpace);
  CHECK(file.limit_reached());
  Boot boot(0);
  REQUIRE(boot.resume(file) == Status::kOk);
  CHECK_EQ(to_string(log_until(boot, file, k4GiB)), to_string(Status::kNoSpace));
  CHECK(!file.limit_reached());
  CHECK(Boot::writer().close() == Status::kOk);
  CHECK(file.close() == Status::kOk);
}

namespace {

// LOG1.PQT, LOG2.PQT, ...
class Numbered final : public mpq::FileSequence {
 public:
  Status next(mpq::File*& file) override {
    ++path_[3];
    file = &file_;
    return file_.create(path_.c_str());
  }
  FatFsFile& file() { return file_; }
  const char* path() const { return path_.c_str(); }

 private:
  std::string path_ = "LOG0.PQT";
  FatFsFile file_{link_map};
};

}  // namespace

TEST("a RollingWriter without a limit of its own continues in the next file at FAT32's end") {
  Disk disk(kFat32Of9GiB);
  REQUIRE(disk.good);
  const Volume volume(disk.ram);
  Numbered files;
  mpq::File* first = nullptr;
  REQUIRE(files.next(first) == Status::kOk);
  auto& writer = Boot::writer();
  writer.reset();
  REQUIRE(writer.open(*first) == Status::kOk);
  mpq::RollingWriter rolling(writer, files, {0, 0, 16});
  std::uint32_t row = 0;
  Status status = Status::kOk;
  while (status == Status::kOk && files.path() != std::string("LOG2.PQT")) {
    status = rolling.append(LongImu::make(filesystems::row_id(0, row)));
    if (status == Status::kOk && ++row % kRowsPerGroup == 0) status = writer.end_row_group();
    REQUIRE(row < 100 * kRowsPerGroup);
  }
  CHECK_EQ(to_string(status), to_string(Status::kOk));
  CHECK(writer.close() == Status::kOk);
  CHECK(files.file().close() == Status::kOk);
  const std::uint32_t before = row - 1;
  const History ended = rows_in("LOG1.PQT");
  REQUIRE(ended.size() == 1);
  CHECK_EQ(ended[0].rows, before);
  CHECK_EQ(rolling.lost_rows(), 0U);
  CHECK_EQ(writer.durable_rows(), 1U);
}
