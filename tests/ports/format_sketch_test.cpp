// The sketch format_for_logging as it stands, over cards in memory: what it writes is a FAT32 volume whose parts are aligned,
// and it writes nothing before it is asked twice.
#include <Arduino.h>
#include <SdFat.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "played_board.h"
#include "support/check.h"
#include "support/volume.h"

#include "examples/format_for_logging/fat32_layout.h"

namespace {

namespace sketch {
#include "examples/format_for_logging/format_for_logging.ino"
}
using sketch::layout;
using sketch::Step;

using filesystems::RamDisk;
using filesystems::Volume;

constexpr std::uint32_t kGigabyte = 1'000'000'000 / 512;  // sectors

void answer(const std::string& words) {
  sketch::step = Step::kFindCard;
  sketch::letters = 0;
  ports::said.clear();
  ports::typed = words;
  sketch::setup();
  for (int i = 0; i < 5; ++i) sketch::loop();
}

bool says(const char* text) { return ports::said.find(text) != std::string::npos; }

// Keeps what fsck.fat reads of the volume, for tests/groups/ports.
bool keep(RamDisk& disk, const FATFS& volume) {
  const char* const folder = std::getenv("MICROPARQUET_IMAGES");
  if (folder == nullptr) return true;
  std::FILE* const out = std::fopen((std::string(folder) + "/formatted.volume").c_str(), "wb");
  if (out == nullptr) return false;
  const std::uint32_t first = static_cast<std::uint32_t>(volume.volbase);
  const std::uint32_t count = layout.end_of_root() - first;
  bool good = std::fwrite(disk.sector(first), 512, count, out) == count;
  good = std::fseek(out, static_cast<long>(layout.sectors) * 512 - 1, SEEK_SET) == 0 &&
         std::fputc(0, out) == 0 && good;
  return std::fclose(out) == 0 && good;
}

void format_a_card(std::uint32_t sectors) {
  RamDisk disk(sectors);
  RamDisk::insert(&disk);
  answer("FORMAT\nYES\n");
  CHECK(says("The card is ready."));
  Volume volume(disk);
  REQUIRE(volume.result() == FR_OK);
  const FATFS& found = volume.fatfs();
  CHECK_EQ(found.fs_type, FS_FAT32);
  CHECK_EQ(found.csize * 512U, 32U << 10);
  CHECK_EQ(found.volbase * 512 % (4 << 20), 0U);
  CHECK_EQ(found.database * 512 % (4 << 20), 0U);
  CHECK(found.database + (found.n_fatent - 2) * found.csize > sectors - 2 * Fat32Layout::kAlignment);
  const DWORD said_to_be_free = found.free_clst;
  CHECK_EQ(volume.free_clusters(), said_to_be_free);
  CHECK_EQ(said_to_be_free, found.n_fatent - 3);
  FIL file;
  UINT written = 0;
  CHECK_EQ(f_open(&file, "A LONG NAME.parquet", FA_WRITE | FA_CREATE_NEW), FR_OK);
  CHECK_EQ(f_write(&file, ports::said.data(), static_cast<UINT>(ports::said.size()), &written), FR_OK);
  CHECK_EQ(f_close(&file), FR_OK);
  if (sectors == 64 * kGigabyte) CHECK(keep(disk, found));
}

}  // namespace

TEST("format_for_logging makes a FAT32 volume with aligned clusters of 32 KB") {
  for (const std::uint32_t gigabytes : {4, 32, 64, 512}) format_a_card(gigabytes * kGigabyte);
}

TEST("format_for_logging writes nothing before it is asked twice") {
  RamDisk disk(4 * kGigabyte);
  for (const char* const words :
       {"", "\n", "YES\n", "format\nYES\n", "FORMATTED\nYES\n", "FORMAT", "FORMAT\n", "FORMAT\r\n",
        "FORMAT\nFORMAT\n", "FORMAT\nNO\nYES\n", "FORMAT\nYESTERDAY\n"}) {
    RamDisk::insert(&disk);
    answer(words);
    CHECK_EQ(disk.writes(), 0U);
    CHECK(says("ALL FILES ON IT WILL BE LOST"));
    CHECK(!says("ready"));
  }
}

TEST("format_for_logging leaves small cards, and says that there is none") {
  RamDisk disk(1 * kGigabyte);
  RamDisk::insert(&disk);
  answer("FORMAT\nYES\n");
  CHECK_EQ(disk.writes(), 0U);
  CHECK(says("below 4 GB"));
  RamDisk::insert(nullptr);
  answer("FORMAT\nYES\n");
  CHECK(says("There is no card."));
}

TEST("format_for_logging leaves no volume on a card that fails meanwhile") {
  for (const std::uint64_t writes : {1U, 2U, 10U, 1000U, 8000U}) {
    RamDisk disk(4 * kGigabyte);
    RamDisk::insert(&disk);
    answer("FORMAT\nYES\n");
    REQUIRE(says("ready"));
    disk.cut_after(writes, 0);
    answer("FORMAT\nYES\n");
    CHECK(says("The card has failed"));
    disk.power_on();
    const Volume volume(disk);
    CHECK_EQ(volume.result(), FR_NO_FILESYSTEM);
  }
}
