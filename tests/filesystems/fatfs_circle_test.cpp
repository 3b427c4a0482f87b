// A chain on exFAT that runs in a circle, as no power cut leaves it: FatFs would follow it for ever.
#include <cstring>
#include <vector>

#include "microparquet/port/fatfs_file.h"
#include "support/check.h"
#include "support/exfat_view.h"
#include "support/volume.h"

#if FF_FS_EXFAT

namespace {

using filesystems::ExfatView;
using filesystems::kExfat;
using filesystems::kSectorBytes;
using filesystems::lengthen;
using filesystems::RamDisk;
using filesystems::Volume;
using microparquet::FatFsFile;
using microparquet::Status;

constexpr unsigned kPieces = 3;

DWORD link_map[64];

}  // namespace

TEST("a chain on exFAT that runs in a circle is read to the file's end, and ended there") {
  RamDisk disk(kExfat.sectors);
  REQUIRE(filesystems::format(disk, kExfat));
  Volume volume(disk);
  constexpr std::uint32_t kPiece = kExfat.cluster_bytes;
  for (unsigned i = 0; i < kPieces; ++i)
    REQUIRE(lengthen("LOG.PQT", kPiece) && lengthen("PHOTO.BIN", kPiece));
  const ExfatView view([&](std::uint32_t sector) { return disk.sector(sector); }, disk.sectors());
  const auto set = view.find("LOG.PQT");
  bool sound = false;
  REQUIRE(set && set->is_in_table());
  const auto clusters = view.chain(*set, sound);
  REQUIRE(sound && clusters.size() == kPieces);
  const std::uint64_t link = view.link_at(clusters.back());
  std::memcpy(disk.sector(static_cast<std::uint32_t>(link / kSectorBytes)) + link % kSectorBytes,
              &clusters[0], 4);
  volume.mount(disk);

  FatFsFile file(link_map);
  std::vector<std::byte> data(kPieces * kExfat.cluster_bytes);
  CHECK(file.open_for_reading("LOG.PQT") == Status::kOk);
  CHECK(file.read_at(0, data) == Status::kOk);
  CHECK(file.open_for_append("LOG.PQT") == Status::kOk);
  CHECK(file.write_at(data.size(), {data.data(), 1}) == Status::kOk);
  CHECK(file.sync(data.size() + 1) == Status::kOk);
  CHECK(file.close() == Status::kOk);
  const auto longer = view.find("LOG.PQT");
  REQUIRE(longer.has_value());
  const auto all = view.chain(*longer, sound);
  CHECK(sound && all.size() == kPieces + 1);
  CHECK_EQ(view.next(all.back()), 0xFFFFFFFFU);
}

#endif
