// Removing and overwriting a file on a card that puts writes down in any order, and loses any of them when its
// power fails: no other file is hurt, neither at once nor when the space is used again.
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "microparquet/port/fatfs_file.h"
#include "support/check.h"
#include "support/fat_files.h"
#include "support/recorded_writes.h"
#include "support/volume.h"

namespace {

using filesystems::Format;
using filesystems::is_there;
using filesystems::kAllFormats;
using filesystems::kFat12;
using filesystems::kFat16;
using filesystems::kFat32;
using filesystems::kSectorBytes;
using filesystems::RamDisk;
using filesystems::RecordedWrites;
using filesystems::Sector;
using filesystems::Volume;
using microparquet::Existing;
using microparquet::FatFsFile;
using microparquet::Status;

DWORD link_map[64];

// Appends clusters that are full of a byte, as many as there are if `clusters` is 0. Returns how many.
DWORD put(const char* path, char byte, DWORD clusters = 0) {
  FIL file;
  if (f_open(&file, path, FA_OPEN_APPEND | FA_WRITE) != FR_OK) return 0;
  const std::vector<char> data(std::size_t{file.obj.fs->csize} * kSectorBytes, byte);
  DWORD done = 0;
  UINT written = 0;
  while (clusters == 0 || done < clusters) {
    if (f_write(&file, data.data(), static_cast<UINT>(data.size()), &written) != FR_OK) break;
    if (written != data.size()) break;
    ++done;
  }
  return f_close(&file) == FR_OK ? done : 0;
}

// Whether all of a file is full of a byte, or the file is not there.
bool has_only(const char* path, char byte) {
  FILINFO information;
  return f_stat(path, &information) == FR_NO_FILE || filesystems::has_only(path, byte);
}

// A card that is full but for a file OLD.PQT, whose clusters lie in a row, or between another one's.
struct FullCard {
  FullCard(const Format& format, bool is_fragmented) : disk(format.sectors) {
    if (!filesystems::format(disk, format)) return;
    const Volume volume(disk);
    const DWORD entries = format.type == FM_FAT32 ? 128 : 256;
    old_clusters = format.type == FM_EXFAT || format.sectors == kFat12.sectors ? 600 : 5 * entries / 2;
    for (DWORD i = 0; i < old_clusters; i += is_fragmented ? 3 : old_clusters) {
      put("OLD.PQT", 'a', is_fragmented ? 3 : old_clusters);
      put("KEPT.BIN", 'k', 2);
    }
    put("FILL.BIN", 'f');
    FILINFO information;
    if (f_stat("OLD.PQT", &information) == FR_OK)
      old_clusters = static_cast<DWORD>(information.fsize / format.cluster_bytes);
  }

  RamDisk disk;
  DWORD old_clusters = 0;
};

struct Outcome {
  unsigned cuts = 0;
  unsigned hurt = 0;          // files with bytes of another one, or unreadable
  unsigned not_repeated = 0;  // removals that failed after the cut
  unsigned slow = 0;          // those that took longer than one without a cut
  DWORD most_lost = 0;        // clusters, by a cut
};

// Removes OLD.PQT by `removal`, and after each cut uses its clusters for a second file, removes it again, and
// uses what is then free for a third one.
Outcome cut_removal(const Format& format, bool is_fragmented, const std::function<bool()>& removal) {
  Outcome outcome;
  FullCard card(format, is_fragmented);
  card.disk.begin_transaction();
  RecordedWrites recording(card.disk);
  {
    const Volume volume(card.disk);
    CHECK(removal());
  }
  recording.stop();
  const unsigned accesses = recording.accesses();
  card.disk.roll_back();
  outcome.cuts = recording.each_cut([&] {
    Volume volume(card.disk);
    volume.fatfs().free_clst = 0xFFFFFFFF;
    if (!has_only("OLD.PQT", 'a')) ++outcome.hurt;
    put("NEW.PQT", 'b');
    unsigned repeated = 0;
    card.disk.set_watch(
        [&repeated](RamDisk::Access, std::uint32_t, const std::byte*) { return ++repeated != 0; });
    if (is_there("OLD.PQT") && !removal()) ++outcome.not_repeated;
    if (repeated > accesses + 100) ++outcome.slow;
    card.disk.set_watch({});
    volume.mount(card.disk);
    volume.fatfs().free_clst = 0xFFFFFFFF;
    put("THIRD.PQT", 'c');
    if (!has_only("NEW.PQT", 'b') || !has_only("THIRD.PQT", 'c') || !has_only("KEPT.BIN", 'k'))
      ++outcome.hurt;
    FILINFO information;
    DWORD used = 0;
    for (const char* path : {"NEW.PQT", "THIRD.PQT"}) {
      const bool is_found = f_stat(path, &information) == FR_OK;
      used += is_found ? static_cast<DWORD>(information.fsize / format.cluster_bytes) : 0;
    }
    const DWORD lost = card.old_clusters > used ? card.old_clusters - used : 0;
    if (lost > outcome.most_lost) outcome.most_lost = lost;
  });
  return outcome;
}

bool removes() { return FatFsFile::remove("OLD.PQT") == Status::kOk; }

bool removes_in_parts() {
  bool is_done = false;
  for (unsigned parts = 0; parts < 1'000 && !is_done; ++parts) {
    if (FatFsFile::remove_part("OLD.PQT", 1, is_done) != Status::kOk) return false;
  }
  return is_done;
}

bool overwrites() {
  FatFsFile file(link_map);
  return file.create("OLD.PQT", Existing::kOverwrite) == Status::kOk && file.close() == Status::kOk;
}

}  // namespace

TEST("a file is removed, and all its clusters are free") {
  for (const Format& format : kAllFormats) {
    for (const bool is_fragmented : {false, true}) {
      FullCard card(format, is_fragmented);
      Volume volume(card.disk);
      const DWORD before = volume.free_clusters();
      CHECK(FatFsFile::remove("OLD.PQT") == Status::kOk);
      CHECK(!is_there("OLD.PQT"));
      CHECK_EQ(volume.free_clusters(), before + card.old_clusters);
      CHECK_EQ(put("NEW.PQT", 'b'), card.old_clusters + before);
      CHECK(has_only("KEPT.BIN", 'k') && has_only("NEW.PQT", 'b') && has_only("FILL.BIN", 'f'));
      CHECK(FatFsFile::remove("OLD.PQT") == Status::kIoError);
    }
  }
}

TEST("a file is overwritten, and all its clusters are free") {
  for (const Format& format : kAllFormats) {
    FullCard card(format, true);
    Volume volume(card.disk);
    const DWORD before = volume.free_clusters();
    FatFsFile file(link_map);
    REQUIRE(file.create("OLD.PQT", Existing::kOverwrite) == Status::kOk);
    std::uint64_t size = 1;
    CHECK(file.size(size) == Status::kOk && size == 0);
    CHECK_EQ(volume.free_clusters(), before + card.old_clusters);
    CHECK(file.reserve(std::uint64_t{card.old_clusters} * format.cluster_bytes) == Status::kOk);
    CHECK(file.write_at(0, std::vector<std::byte>(700)) == Status::kOk && file.sync(700) == Status::kOk);
    CHECK(file.close() == Status::kOk);
    CHECK(has_only("OLD.PQT", '\0') && has_only("KEPT.BIN", 'k') && has_only("FILL.BIN", 'f'));
    CHECK_EQ(volume.free_clusters(),
             before + card.old_clusters - (700 + format.cluster_bytes - 1) / format.cluster_bytes);
  }
}

TEST("whatever a card keeps of a removal or an overwriting, it hurts no other file") {
  for (const Format& format : kAllFormats) {
    for (const bool is_fragmented : {false, true}) {
      for (const auto removal : {&removes, &removes_in_parts, &overwrites}) {
        const Outcome outcome = cut_removal(format, is_fragmented, removal);
        const char* const what = removal == &removes      ? "removed"
                                 : removal == &overwrites ? "overwritten"
                                                          : "removed in parts";
        std::printf("%s, %s, %s: %u cuts, %u hurt, %u clusters lost at most\n", format.name, what,
                    is_fragmented ? "in pieces" : "in a row", outcome.cuts, outcome.hurt,
                    static_cast<unsigned>(outcome.most_lost));
        CHECK(outcome.cuts > 15);
        CHECK_EQ(outcome.hurt, 0U);
        CHECK_EQ(outcome.not_repeated, 0U);
        CHECK_EQ(outcome.slow, 0U);
        if (format.sectors != kFat12.sectors)
          CHECK(outcome.most_lost <= (format.type == FM_EXFAT ? 256U : 1U));
      }
    }
  }
}

// That the test above would find it.
TEST("f_unlink on such a card hurts other files") {
  const Outcome outcome = cut_removal(kFat32, false, [] { return f_unlink("OLD.PQT") == FR_OK; });
  CHECK(outcome.hurt != 0);
}

TEST("a file is empty between two parts of its removal, and each part is short") {
  for (const Format& format : {kFat16, kFat32}) {
    FullCard card(format, false);
    Volume volume(card.disk);
    unsigned parts = 0;
    for (bool is_done = false; !is_done && parts < 100; ++parts) {
      unsigned writes = 0;
      card.disk.set_watch([&writes](RamDisk::Access access, std::uint32_t, const std::byte*) {
        writes += access == RamDisk::Access::kWrite ? 1U : 0U;
        return true;
      });
      CHECK(FatFsFile::remove_part("OLD.PQT", 1, is_done) == Status::kOk);
      card.disk.set_watch({});
      CHECK(writes <= 10);
      FILINFO information;
      const FRESULT found = f_stat("OLD.PQT", &information);
      CHECK(is_done ? found == FR_NO_FILE : found == FR_OK && information.fsize == 0);
    }
    CHECK(parts >= 3);
    CHECK_EQ(put("NEW.PQT", 'b'), card.old_clusters);
    CHECK(has_only("KEPT.BIN", 'k') && has_only("NEW.PQT", 'b') && has_only("FILL.BIN", 'f'));
  }
}

TEST("on a full card the next file is found where one was removed, without a search") {
  FullCard card(kFat32, false);
  const Volume volume(card.disk);
  CHECK(FatFsFile::remove("OLD.PQT") == Status::kOk);
  unsigned reads = 0;
  card.disk.set_watch([&reads](RamDisk::Access access, std::uint32_t, const std::byte*) {
    reads += access == RamDisk::Access::kRead ? 1U : 0U;
    return true;
  });
  CHECK_EQ(put("NEW.PQT", 'b', 1), 1U);
  card.disk.set_watch({});
  CHECK(reads < 20);
}

namespace {

// A full card with a folder of several clusters, whose files are gone.
struct FolderCard {
  explicit FolderCard(const Format& format) : disk(format.sectors) {
    if (!filesystems::format(disk, format)) return;
    const Volume volume(disk);
    made = f_mkdir("LOG") == FR_OK && f_mkdir("LOG/00000007") == FR_OK;
    char path[32];
    for (unsigned i = 0; i < 70; ++i) {
      std::snprintf(path, sizeof path, "LOG/00000007/%08u.PQT", i);
      made = put(path, 'x', 1) == 1 && made;
      if (i % 16 == 0) put("KEPT.BIN", 'k', 1);
    }
    for (unsigned i = 0; i < 70; ++i) {
      std::snprintf(path, sizeof path, "LOG/00000007/%08u.PQT", i);
      made = FatFsFile::remove(path) == Status::kOk && made;
    }
    put("FILL.BIN", 'f');
  }
  RamDisk disk;
  bool made = false;
};

// Removes the folder, and after each cut uses its clusters for a file, removes it again, and uses what is free then
// for a second one. Returns how often another file was hurt.
unsigned hurt_by_folder(const Format& format, const std::function<bool()>& removal, unsigned& cuts) {
  FolderCard card(format);
  CHECK(card.made);
  card.disk.begin_transaction();
  RecordedWrites recording(card.disk);
  {
    const Volume volume(card.disk);
    CHECK(removal());
  }
  recording.stop();
  card.disk.roll_back();
  unsigned hurt = 0;
  cuts = recording.each_cut([&] {
    Volume volume(card.disk);
    volume.fatfs().free_clst = 0xFFFFFFFF;
    put("NEW.PQT", 'b');
    if (is_there("LOG/00000007") && !removal()) ++hurt;
    volume.mount(card.disk);
    volume.fatfs().free_clst = 0xFFFFFFFF;
    put("THIRD.PQT", 'c');
    const bool is_whole = has_only("NEW.PQT", 'b') && has_only("THIRD.PQT", 'c') &&
                          has_only("KEPT.BIN", 'k') && has_only("FILL.BIN", 'f');
    hurt += is_whole ? 0 : 1;
  });
  return hurt;
}

}  // namespace

TEST("a folder without names is removed, and whatever a card keeps of that hurts no file") {
  for (const Format& format : {kFat16, kFat32}) {
    FolderCard card(format);
    {
      Volume volume(card.disk);
      const DWORD before = volume.free_clusters();
      CHECK(FatFsFile::remove_folder("LOG") == Status::kIoError);  // it has a name
      CHECK(FatFsFile::remove_folder("LOG/00000007") == Status::kOk);
      CHECK(!is_there("LOG/00000007") && is_there("LOG"));
      CHECK(volume.free_clusters() > before + 1);
      CHECK(FatFsFile::remove_folder("LOG/00000007") == Status::kIoError);
      CHECK(FatFsFile::remove_folder("FILL.BIN") == Status::kIoError && is_there("FILL.BIN"));
      CHECK(FatFsFile::remove_folder("log") == Status::kUnsupported);
      CHECK(FatFsFile::remove_folder("LOG/0000000012") == Status::kUnsupported);
      CHECK(FatFsFile::remove_folder("") == Status::kUnsupported);
    }
    unsigned cuts = 0;
    const auto removal = [] { return FatFsFile::remove_folder("LOG/00000007") == Status::kOk; };
    CHECK_EQ(hurt_by_folder(format, removal, cuts), 0U);
    CHECK(cuts > 4);
    CHECK(hurt_by_folder(format, [] { return f_unlink("LOG/00000007") == FR_OK; }, cuts) != 0);
  }
}

#if FF_FS_EXFAT
TEST("a file of which a damaged bitmap has a cluster free is removed all the same") {
  FullCard card(filesystems::kExfat, false);
  {
    Volume volume(card.disk);
    FIL file;
    REQUIRE(f_open(&file, "OLD.PQT", FA_READ) == FR_OK);
    const DWORD bit = file.obj.sclust + 5 - 2;
    REQUIRE(f_close(&file) == FR_OK);
    const LBA_t sector = volume.fatfs().bitbase + bit / (8 * kSectorBytes);
    card.disk.sector(static_cast<std::uint32_t>(sector))[bit / 8 % kSectorBytes] &=
        ~(std::byte{1} << bit % 8);
  }
  const Volume volume(card.disk);
  CHECK(FatFsFile::remove("OLD.PQT") == Status::kOk);
  CHECK(!is_there("OLD.PQT"));
}
#endif

// Links to nothing, to a free cluster, and back.
TEST("a file with a broken chain is removed all the same") {
  for (const Format& format : {kFat16, kFat32}) {
    for (const DWORD link : {0U, 1U, 2U, 3U, 300U, 301U}) {
      for (const DWORD broken : {0U, 5U, 200U, 299U}) {
        FullCard card(format, false);
        DWORD first = 0;
        {
          Volume volume(card.disk);
          FIL file;
          REQUIRE(f_open(&file, "OLD.PQT", FA_READ) == FR_OK);
          first = file.obj.sclust;
          REQUIRE(f_close(&file) == FR_OK);
          const std::size_t bytes = format.type == FM_FAT32 ? 4 : 2;
          const DWORD value = link < 2 ? link : first + link - 2;
          const std::size_t at = (first + broken) * bytes;
          std::memcpy(
              card.disk.sector(static_cast<std::uint32_t>(volume.fatfs().fatbase + at / kSectorBytes)) +
                  at % kSectorBytes,
              &value, bytes);
        }
        const Volume volume(card.disk);
        CHECK(FatFsFile::remove("OLD.PQT") == Status::kOk);
        CHECK(!is_there("OLD.PQT"));
        CHECK(has_only("KEPT.BIN", 'k') && has_only("FILL.BIN", 'f'));
      }
    }
  }
}
