// FSINFO's count of free clusters and its place to look for one are hints: another device may have left a lie,
// and a power cut must leave none.
#include <cstdio>
#include <cstring>
#include <vector>

#include "microparquet/port/fatfs_file.h"
#include "support/boot.h"
#include "support/check.h"
#include "support/volume.h"

namespace {

using filesystems::Boot;
using filesystems::Format;
using filesystems::Imu;
using filesystems::kFat32;
using filesystems::lengthen;
using filesystems::RamDisk;
using filesystems::Volume;
using microparquet::Existing;
using microparquet::FatFsFile;
using microparquet::Status;

constexpr DWORD kUnknown = 0xFFFFFFFF;
constexpr std::uint32_t kFsInfo = 1;  // its sector
constexpr std::size_t kCount = 488;
constexpr std::size_t kNext = 492;

DWORD link_map[64];

DWORD get(RamDisk& disk, std::size_t offset) {
  DWORD value = 0;
  std::memcpy(&value, disk.sector(kFsInfo) + offset, sizeof value);
  return value;
}

void put(RamDisk& disk, std::size_t offset, DWORD value) {
  std::memcpy(disk.sector(kFsInfo) + offset, &value, sizeof value);
}

std::uint32_t counted(RamDisk& disk) {
  Volume volume(disk);
  return volume.free_clusters();
}

bool log_rows(FatFsFile& file, std::uint32_t boot, std::uint32_t rows) {
  Boot<Imu> logger(boot);
  return logger.resume(file) == Status::kOk && logger.log({rows, 100, 0, true}) == Status::kOk &&
         logger.offered() == rows;
}

// Logs to a new file, and to the same one in the next boot.
bool logs(RamDisk& disk) {
  FatFsFile file(link_map);
  bool good = true;
  for (std::uint32_t boot = 0; boot < 2 && good; ++boot) {
    const Volume volume(disk);
    const Status opened =
        boot == 0 ? file.create("LOG.PQT", Existing::kOverwrite) : file.open_for_append("LOG.PQT");
    good = opened == Status::kOk && log_rows(file, boot, 1500);
    good = file.close() == Status::kOk && good;
  }
  return good;
}

}  // namespace

TEST("whatever FSINFO says, a log does not end while clusters are free") {
  RamDisk disk(kFat32.sectors);
  REQUIRE(filesystems::format(disk, kFat32));
  const DWORD free = counted(disk);
  const DWORD last = free + get(disk, kNext);
  unsigned logs_ended = 0;
  unsigned tried = 0;
  for (const DWORD count : {DWORD{0}, DWORD{1}, DWORD{100}, free - 1, free, free + 1, free + 50, kUnknown}) {
    for (const DWORD next :
         {DWORD{0}, DWORD{1}, DWORD{2}, DWORD{700}, last - 1, last, DWORD{1} << 28, kUnknown}) {
      disk.begin_transaction();
      put(disk, kCount, count);
      put(disk, kNext, next);
      logs_ended += logs(disk) ? 0U : 1U;
      disk.roll_back();
      ++tried;
    }
  }
  CHECK_EQ(tried, 64U);
  CHECK_EQ(logs_ended, 0U);
  std::printf("fsinfo.logs_ended %u logs\n", logs_ended);
}

TEST("FSINFO counts nothing from the first cluster of a log on, and right once the file is closed") {
  RamDisk disk(kFat32.sectors);
  REQUIRE(filesystems::format(disk, kFat32));
  const DWORD before = get(disk, kCount);
  CHECK_EQ(before, counted(disk));
  Volume volume(disk);
  unsigned stored = 0;
  unsigned early = 0;  // table sectors that were written while FSINFO said a number
  disk.set_watch([&](RamDisk::Access access, std::uint32_t sector, const std::byte*) {
    if (access != RamDisk::Access::kWrite) return true;
    if (sector == kFsInfo) ++stored;
    const bool is_table = sector >= volume.fatfs().fatbase && sector < volume.fatfs().database;
    if (is_table && get(disk, kCount) != kUnknown) ++early;
    return true;
  });
  FatFsFile file(link_map);
  REQUIRE(file.create("LOG.PQT") == Status::kOk);
  CHECK(log_rows(file, 0, 3000));
  CHECK_EQ(early, 0U);
  CHECK_EQ(get(disk, kCount), kUnknown);
  CHECK(stored <= 2);
  CHECK(file.close() == Status::kOk);
  CHECK(stored <= 3);
  disk.set_watch({});
  CHECK(get(disk, kCount) < before);
  CHECK_EQ(get(disk, kCount), counted(disk));
}

TEST("a card that is full is searched once") {
  RamDisk disk(kFat32.sectors);
  REQUIRE(filesystems::format(disk, kFat32));
  Volume volume(disk);
  REQUIRE(lengthen("PHOTO.BIN", (volume.free_clusters() - 10) * kFat32.cluster_bytes));
  volume.fatfs().free_clst = kUnknown;
  FatFsFile file(link_map);
  REQUIRE(file.create("LOG.PQT") == Status::kOk);
  CHECK(file.reserve(20 * kFat32.cluster_bytes) == Status::kNoSpace);
  const unsigned writes = disk.writes();
  CHECK(file.reserve(20 * kFat32.cluster_bytes) == Status::kNoSpace);
  CHECK_EQ(disk.writes(), writes);  // nothing was allocated to be freed again
  CHECK(file.reserve(10 * kFat32.cluster_bytes) == Status::kOk);
  unsigned reads = 0;
  disk.set_watch([&](RamDisk::Access access, std::uint32_t, const std::byte*) {
    reads += access == RamDisk::Access::kRead ? 1U : 0U;
    return true;
  });
  CHECK(file.reserve(11 * kFat32.cluster_bytes) == Status::kNoSpace);
  disk.set_watch({});
  CHECK(reads < 10);
  REQUIRE(f_unlink("PHOTO.BIN") == FR_OK);
  CHECK(file.reserve(11 * kFat32.cluster_bytes) == Status::kOk);
  CHECK(file.close() == Status::kOk);
  CHECK_EQ(get(disk, kCount), counted(disk));
}

// Photos lie before the log and after it. FSINFO is as the boot before left it, or a lie.
TEST("a cluster is looked for after the newest file, not from the beginning of the table") {
  RamDisk disk(kFat32.sectors);
  REQUIRE(filesystems::format(disk, kFat32));
  {
    const Volume volume(disk);
    FatFsFile file(link_map);
    REQUIRE(lengthen("PHOTO.BIN", 30000 * kFat32.cluster_bytes));
    REQUIRE(file.create("LOG.PQT") == Status::kOk);
    CHECK(log_rows(file, 0, 500) && file.close() == Status::kOk);
    REQUIRE(lengthen("LATER.BIN", 100 * kFat32.cluster_bytes));
  }
  const DWORD entries = filesystems::kSectorBytes / 4;
  for (const DWORD next : {DWORD{0}, DWORD{2}, DWORD{1} << 28, kUnknown, get(disk, kNext)}) {
    for (const bool is_new : {false, true}) {
      disk.begin_transaction();
      put(disk, kNext, next);
      Volume volume(disk);
      FatFsFile file(link_map);
      REQUIRE(file.open_for_append("LOG.PQT") == Status::kOk);
      if (is_new) CHECK(file.close() == Status::kOk && file.create("NEW.PQT") == Status::kOk);
      unsigned early = 0;
      disk.set_watch([&](RamDisk::Access access, std::uint32_t sector, const std::byte*) {
        const std::uint32_t before = static_cast<std::uint32_t>(volume.fatfs().fatbase) + 30000 / entries;
        early += access == RamDisk::Access::kRead && sector >= volume.fatfs().fatbase && sector < before;
        return true;
      });
      CHECK(log_rows(file, 1, 500));
      CHECK_EQ(early, 0U);
      CHECK(file.close() == Status::kOk);
      disk.set_watch({});
      disk.roll_back();
    }
  }
}
