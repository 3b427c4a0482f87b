// Counting free clusters in steps, on every kind of volume, and what a volume says of its layout.
#include "microparquet/port/fatfs_space.h"

#include <vector>

#include "microparquet/port/fatfs_file.h"
#include "support/check.h"
#include "support/volume.h"

namespace {

using filesystems::Format;
using filesystems::kAllFormats;
using filesystems::kFat12;
using filesystems::kFat32;
using filesystems::lengthen;
using filesystems::RamDisk;
using filesystems::Volume;
using microparquet::FatFsFile;
using microparquet::FreeClusters;
using microparquet::Status;

}  // namespace

TEST("free clusters are counted in steps of a few sectors") {
  for (const Format& format : kAllFormats) {
    RamDisk disk(format.sectors);
    REQUIRE(filesystems::format(disk, format));
    Volume volume(disk);
    for (unsigned i = 0; i < 5; ++i) REQUIRE(lengthen("GONE.BIN", 100'000) && lengthen("STAYS.BIN", 100'000));
    REQUIRE(FatFsFile::remove("GONE.BIN") == Status::kOk);
    const DWORD expected = volume.free_clusters();
    unsigned reads = 0;
    disk.set_watch([&](RamDisk::Access access, std::uint32_t, const std::byte*) {
      reads += access == RamDisk::Access::kRead ? 1U : 0U;
      return true;
    });
    for (const DWORD last : {DWORD{2}, DWORD{700}, volume.fatfs().n_fatent - 1, DWORD{0xFFFFFFFF}}) {
      volume.fatfs().last_clst = last;
      volume.fatfs().free_clst = 0;  // FatFs's own, which may be wrong
      FreeClusters free(volume.fatfs());
      unsigned most = 0;
      for (unsigned steps = 0; !free.is_done() && CHECK(steps < 2000); ++steps) {
        reads = 0;
        CHECK(free.step(2) == Status::kOk);
        if (reads > most) most = reads;
      }
      CHECK_EQ(free.clusters(), expected);
      CHECK_EQ(free.bytes(), std::uint64_t{expected} * format.cluster_bytes);
      CHECK(most <= (format.sectors == kFat12.sectors ? 4U : 2U));
      CHECK_EQ(volume.fatfs().free_clst, expected);
    }
    disk.set_watch({});
  }
}

TEST("a count sees what FatFs has not written yet, and is not FatFs's own if a cluster is taken meanwhile") {
  RamDisk disk(kFat32.sectors);
  REQUIRE(filesystems::format(disk, kFat32));
  Volume volume(disk);
  FatFsFile file;
  REQUIRE(file.create("LOG.PQT") == Status::kOk && file.reserve(300'000) == Status::kOk);
  FreeClusters all(volume.fatfs());
  while (!all.is_done()) REQUIRE(all.step(1) == Status::kOk);
  const DWORD before = volume.free_clusters();
  CHECK_EQ(all.clusters(), before);
  volume.fatfs().free_clst = 0xFFFFFFFF;
  FreeClusters free(volume.fatfs());
  CHECK(free.step(1) == Status::kOk && file.reserve(400'000) == Status::kOk);
  while (!free.is_done()) REQUIRE(free.step(100) == Status::kOk);
  CHECK(free.clusters() <= before && free.clusters() >= before - 200);
  CHECK_EQ(volume.fatfs().free_clst, 0xFFFFFFFF);
  CHECK(file.close() == Status::kOk);
}

TEST("a card that does not answer ends a count") {
  RamDisk disk(kFat32.sectors);
  REQUIRE(filesystems::format(disk, kFat32));
  Volume volume(disk);
  disk.set_watch([](RamDisk::Access, std::uint32_t, const std::byte*) { return false; });
  FreeClusters free(volume.fatfs());
  CHECK(free.step(100) == Status::kMediumLost);
  disk.set_watch({});
  while (!free.is_done()) REQUIRE(free.step(100) == Status::kOk);
  CHECK_EQ(free.clusters(), volume.free_clusters());
}

TEST("a volume tells small clusters and those that are not aligned") {
  struct {
    Format format;
    bool is_small;
  } const volumes[] = {{{"FAT32", FM_FAT32, 40 << 11, 512}, true},
                       {{"FAT16", FM_FAT, 256 << 11, 8192}, true},
                       {{"FAT16", FM_FAT, 256 << 11, 16384}, false},
                       {{"FAT16", FM_FAT, 256 << 11, 32768}, false}};
  for (const auto& [format, is_small] : volumes) {
    RamDisk disk(format.sectors);
    REQUIRE(filesystems::format(disk, format));
    Volume volume(disk);
    FATFS& fatfs = volume.fatfs();
    CHECK_EQ(microparquet::costs_of(fatfs).small_clusters, is_small);
    CHECK_EQ(microparquet::costs_of(fatfs).unaligned, fatfs.database % 32 != 0);
    for (const LBA_t begin : {8192U, 8192U + 8U, 8192U + 32U}) {
      fatfs.database = begin;
      CHECK_EQ(microparquet::costs_of(fatfs).unaligned, begin == 8200);
    }
  }
}
