// The logger of examples/sd_logger, built for a device that wakes for a row, on this machine.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "ff.h"
#include "microparquet/static_reader.h"
#include "slow_device.h"
#include "support/check.h"
#include "support/folder_names.h"
#include "support/volume.h"

namespace {

namespace mpq = microparquet;
using filesystems::RamDisk;
using filesystems::Volume;
using mpq::Status;

constexpr filesystems::Format kCard{"64 MB", FM_FAT32, 64 << 11, 512, 2};
constexpr char kSession[] = "LOG/6A1B0042/00000001";

// A boot: it logs some rows, or until the power goes.
struct Wake {
  Wake(RamDisk& disk, std::int64_t first, std::int64_t rows) {
    RamDisk::insert(&disk);
    disk.set_watch([this](RamDisk::Access access, std::uint32_t, const std::byte*) {
      reads += access == RamDisk::Access::kRead ? 1U : 0U;
      writes += access == RamDisk::Access::kWrite ? 1U : 0U;
      return true;
    });
    sd_logger_tests::SlowDevice device({}, kKeeping);
    logs = device.sample(first, first + rows) && device.stop();
    disk.set_watch({});
  }

  bool logs = false;
  unsigned reads = 0;
  unsigned writes = 0;
};

// The numbers of a file's rows, which the reader takes in full.
std::vector<std::int64_t> numbers_in(const std::string& path) {
  static mpq::StaticReader<kSchema> reader;  // NOLINT(*-dynamic-static-initializers)
  std::vector<std::int64_t> numbers;
  mpq::FatFsFile file;
  Sample row;
  Status status = file.open_for_reading(path.c_str());
  if (status == Status::kOk) status = reader.open(file);
  while (status == Status::kOk && (status = reader.next(row)) == Status::kOk) numbers.push_back(row.number);
  CHECK(status == Status::kEnd);
  static_cast<void>(file.close());
  return numbers;
}

}  // namespace

TEST("a logger that wakes for a row writes as little at boot 2,000 as at boot 10, into one small file") {
  static_assert(kKeeping.boots_are_wakes);
  RamDisk disk(kCard.sectors);
  REQUIRE(filesystems::format(disk, kCard));
  constexpr std::int64_t kBoots = 2'000;
  constexpr std::int64_t kLast = 100;
  unsigned early = 0;
  unsigned late = 0;
  unsigned late_reads = 0;
  for (std::int64_t boot = 0; boot < kBoots; ++boot) {
    const Wake wake(disk, boot, 1);
    REQUIRE(wake.logs);
    early += boot >= 10 && boot < 10 + kLast ? wake.writes : 0;
    late += boot >= kBoots - kLast ? wake.writes : 0;
    late_reads += boot >= kBoots - kLast ? wake.reads : 0;
  }
  const Volume volume(disk);
  const std::vector<std::string> files = filesystems::names_in(kSession);
  REQUIRE(files.size() == 1);
  FILINFO information;
  REQUIRE(f_stat(files[0].c_str(), &information) == FR_OK);
  std::printf("sectors a boot: %.1f early, %.1f late, %.1f read; %u KB\n", early / 100.0, late / 100.0,
              late_reads / 100.0, static_cast<unsigned>(information.fsize / 1024));
  CHECK(late <= early + early / 4);
  CHECK(late <= 30 * kLast);
  CHECK(information.fsize < 1 << 20);
  const std::vector<std::int64_t> numbers = numbers_in(files[0]);
  CHECK_EQ(numbers.size(), static_cast<std::size_t>(kBoots));
  for (std::size_t i = 0; i < numbers.size(); ++i) CHECK_EQ(numbers[i], static_cast<std::int64_t>(i));
}

TEST("a logger that wakes loses no row of an earlier wake at a cut, whatever write it is") {
  RamDisk disk(kCard.sectors);
  REQUIRE(filesystems::format(disk, kCard));
  constexpr std::int64_t kBefore = 70;
  for (std::int64_t boot = 0; boot < kBefore; ++boot) REQUIRE(Wake(disk, boot, 1).logs);
  for (unsigned nth = 0;; ++nth) {
    REQUIRE(nth < 200);
    disk.begin_transaction();
    disk.cut_after(nth, 0);
    const Wake cut(disk, kBefore, 1);
    disk.power_on();
    const Wake next(disk, kBefore + 1, 1);
    CHECK(next.logs);
    std::vector<std::int64_t> numbers;
    {
      const Volume volume(disk);
      for (const std::string& file : filesystems::names_in(kSession)) {
        const std::vector<std::int64_t> more = numbers_in(file);
        numbers.insert(numbers.end(), more.begin(), more.end());
      }
    }
    disk.roll_back();
    const bool has_cut_row = std::count(numbers.begin(), numbers.end(), kBefore) == 1;
    bool good = numbers.size() == static_cast<std::size_t>(kBefore) + (has_cut_row ? 2 : 1);
    for (std::int64_t i = 0; i < kBefore && good; ++i) good = numbers[static_cast<std::size_t>(i)] == i;
    if (!CHECK(good && numbers.back() == kBefore + 1)) std::printf("  cut at write %u\n", nth);
    if (cut.logs) break;
  }
}
