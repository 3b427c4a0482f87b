// A card puts down what no sync divides in any order, and may lose any of it: whatever it keeps of the file
// allocation table, the bitmap of exFAT and the directory, the chain of a file leads to no free cluster and to
// none of another file's. Another file would take the one, and lose it, or the log would, when the chain is next cut.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "microparquet/port/fatfs_file.h"
#include "support/check.h"
#include "support/exfat_view.h"
#include "support/volume.h"

namespace {

using filesystems::ExfatView;
using filesystems::Format;
using filesystems::kFat16;
using filesystems::kFat32;
using filesystems::kSectorBytes;
using filesystems::lengthen;
using filesystems::RamDisk;
using filesystems::Sector;
using filesystems::Volume;
using microparquet::FatFsFile;
using microparquet::Status;

using Sectors = std::map<std::uint32_t, Sector>;

DWORD link_map[64];

// The tables of a volume, some of their sectors as they might be after a cut.
class Tables {
 public:
  Tables(RamDisk& disk, const FATFS& volume) : disk_(disk), volume_(volume) {}

  bool has(std::uint32_t sector) const { return sector < end(); }

  // The chain of the file with this name, as its directory entry begins it; empty when there is none.
  std::set<DWORD> chain(const Sectors& changed, const char* name, bool& sound) const {
    if (volume_.fs_type == FS_EXFAT) return exfat_chain(changed, name, sound);
    std::set<DWORD> clusters;
    sound = true;
    const std::byte* const entry = find(changed, entry_name(name).c_str());
    if (entry == nullptr) return clusters;
    const auto number = [&](unsigned at, unsigned bytes) {
      DWORD value = 0;
      for (unsigned i = bytes; i-- != 0;) value = value << 8 | std::to_integer<DWORD>(entry[at + i]);
      return value;
    };
    const DWORD size = number(28, 4);
    DWORD cluster = number(20, 2) << 16 | number(26, 2);
    while (cluster >= 2 && cluster < volume_.n_fatent) {
      const DWORD next = follow(changed, cluster);
      sound = sound && next != 0;
      if (!clusters.insert(cluster).second) sound = false;
      if (!sound) return clusters;
      cluster = next;
    }
    sound = std::uint64_t{clusters.size()} * volume_.csize * kSectorBytes >= size;
    return clusters;
  }

 private:
  bool is_fat32() const { return volume_.fs_type == FS_FAT32; }
  std::uint32_t directory() const {
    return static_cast<std::uint32_t>(is_fat32() ? volume_.database : volume_.dirbase);
  }
  std::uint32_t end() const {
    std::uint32_t clusters = is_fat32() ? 1 : 0;
    if (volume_.fs_type == FS_EXFAT)
      clusters = static_cast<std::uint32_t>(volume_.dirbase) - 1;  // bitmap ... root
    return static_cast<std::uint32_t>(volume_.database) + clusters * volume_.csize;
  }
  // As a directory entry of FAT has it.
  static std::string entry_name(const std::string& name) {
    const std::size_t dot = name.find('.');
    return name.substr(0, dot) + std::string(8 - dot, ' ') + name.substr(dot + 1);
  }
  // Clusters past the size are nobody's: the port never uses them. A set whose checksum alone is old counts: the
  // port mends it.
  std::set<DWORD> exfat_chain(const Sectors& changed, const char* name, bool& sound) const {
    const ExfatView view([&](std::uint32_t index) { return sector(changed, index); }, disk_.sectors());
    sound = true;
    const auto set = view.find(name);
    if (!set || !set->is_whole) return {};
    const std::vector<std::uint32_t> clusters = view.chain(*set, sound);
    for (const std::uint32_t cluster : clusters) sound = sound && view.is_taken(cluster);
    return {clusters.begin(), clusters.end()};
  }
  const std::byte* sector(const Sectors& changed, std::uint32_t index) const {
    const auto found = changed.find(index);
    return found != changed.end() ? found->second.data() : disk_.sector(index);
  }
  DWORD follow(const Sectors& changed, DWORD cluster) const {
    const unsigned bytes = is_fat32() ? 4 : 2;
    const DWORD at = cluster * bytes;
    const auto first = static_cast<std::uint32_t>(volume_.fatbase);
    DWORD next = 0;
    std::memcpy(&next, sector(changed, first + at / kSectorBytes) + at % kSectorBytes, bytes);
    return is_fat32() ? next & 0x0FFFFFFF : next;
  }
  const std::byte* find(const Sectors& changed, const char* name) const {
    for (std::uint32_t index = directory(); index < end(); ++index) {
      const std::byte* const entries = sector(changed, index);
      for (std::size_t at = 0; at < kSectorBytes; at += 32)
        if (std::memcmp(entries + at, name, 11) == 0) return entries + at;
    }
    return nullptr;
  }

  RamDisk& disk_;
  const FATFS& volume_;
};

// Looks at all that a card might hold, had the power failed just before each sync: with each write that no
// sync has divided lost or kept alone, and with the first ones only.
class AnyOrder {
 public:
  AnyOrder(RamDisk& disk, const FATFS& volume) : disk_(disk), tables_(disk, volume) {
    disk.set_watch([this](RamDisk::Access access, std::uint32_t sector, const std::byte* data) {
      if (access == RamDisk::Access::kWrite && tables_.has(sector)) add(sector, data);
      if (access == RamDisk::Access::kSync) judge();
      return true;
    });
  }
  ~AnyOrder() { disk_.set_watch({}); }
  AnyOrder(const AnyOrder&) = delete;
  AnyOrder& operator=(const AnyOrder&) = delete;

  unsigned syncs() const { return syncs_; }
  unsigned unsound() const { return unsound_; }
  unsigned shared() const { return shared_; }

 private:
  struct Write {
    std::uint32_t sector;
    Sector data;
  };

  void add(std::uint32_t sector, const std::byte* data) {
    if (synced_.count(sector) == 0) std::memcpy(synced_[sector].data(), disk_.sector(sector), kSectorBytes);
    writes_.push_back({sector, {}});
    std::memcpy(writes_.back().data.data(), data, kSectorBytes);
  }

  void judge() {
    for (std::size_t chosen = 0; chosen < writes_.size(); ++chosen) {
      judge([chosen](std::size_t i) { return i != chosen; });
      judge([chosen](std::size_t i) { return i == chosen; });
      judge([chosen](std::size_t i) { return i < chosen; });
    }
    synced_.clear();
    writes_.clear();
    ++syncs_;
  }

  template <typename Kept>
  void judge(Kept is_kept) {
    Sectors left = synced_;
    for (std::size_t i = 0; i < writes_.size(); ++i)
      if (is_kept(i)) left[writes_[i].sector] = writes_[i].data;
    bool sound = true;
    bool others_sound = true;
    const std::set<DWORD> log = tables_.chain(left, "LOG.PQT", sound);
    const std::set<DWORD> other = tables_.chain(left, "PHOTO.BIN", others_sound);
    unsound_ += sound ? 0U : 1U;
    const bool shares =
        std::any_of(log.begin(), log.end(), [&](DWORD cluster) { return other.count(cluster) != 0; });
    shared_ += shares ? 1U : 0U;
  }

  RamDisk& disk_;
  Tables tables_;
  Sectors synced_;
  std::vector<Write> writes_;
  unsigned syncs_ = 0;
  unsigned unsound_ = 0;
  unsigned shared_ = 0;
};

// Leaves free clusters in pieces of half a sector of the table, between those of a file. On exFAT each was a file
// of its own, in one piece, of which the table knows nothing.
bool fragment(const Format& format, unsigned pieces) {
  const bool is_exfat = format.type == FM_EXFAT;
  const unsigned entries = kSectorBytes / (format.type == FM_FAT ? 2 : 4);
  const std::size_t piece = std::size_t{entries} / 2 * format.cluster_bytes;
  const auto gone = [&](unsigned i) {
    return is_exfat ? "GONE/" + std::to_string(i) : std::string("GONE.BIN");
  };
  bool good = !is_exfat || f_mkdir("GONE") == FR_OK;
  for (unsigned i = 0; i < pieces && good; ++i)
    good = lengthen(gone(i), piece) && lengthen("STAYS.BIN", piece);
  FIL rest;
  good = good && f_open(&rest, "REST.BIN", FA_CREATE_NEW | FA_WRITE) == FR_OK &&
         f_lseek(&rest, 0xFFFFFFFF) == FR_OK && f_close(&rest) == FR_OK;
  for (unsigned i = 0; i < (is_exfat ? pieces : 1) && good; ++i) good = f_unlink(gone(i).c_str()) == FR_OK;
  return good;
}

// Uses clusters as a log does, beside a file that takes those it gave back. Its first sync comes before it is
// fragmented, or after.
void live(Volume& volume, RamDisk& disk, const Format& format, FatFsFile& file, bool syncs_first) {
  const std::vector<std::byte> row(700);
  const std::uint64_t space = std::uint64_t{volume.free_clusters()} * format.cluster_bytes;
  REQUIRE(file.create("LOG.PQT") == Status::kOk);
  const std::uint64_t first = syncs_first ? 3 * format.cluster_bytes : 0;
  if (syncs_first) {
    CHECK(file.write_at(first, row) == Status::kOk);
    CHECK(file.sync(first + 700) == Status::kOk);
  }
  CHECK(file.reserve(space / 4) == Status::kOk);
  CHECK(file.write_at(first, row) == Status::kOk);
  CHECK(file.sync(first + 700) == Status::kOk);
  CHECK(file.reserve(space / 3) == Status::kOk);
  CHECK(file.sync(first + 700) == Status::kOk);
  CHECK(file.reserve(space + 1) == Status::kNoSpace);
  CHECK(lengthen("PHOTO.BIN", space / 5));
  CHECK(file.write_at(space / 3, row) == Status::kOk);
  CHECK(file.sync(space / 3 + 700) == Status::kOk);
  CHECK(file.shrink(space / 6) == Status::kOk);
  CHECK(lengthen("PHOTO.BIN", space / 5));
  CHECK(file.reserve(space / 2) == Status::kOk);
  CHECK(file.close() == Status::kOk);
  CHECK(lengthen("PHOTO.BIN", space / 5));
  volume.mount(disk);
  REQUIRE(file.open_for_append("LOG.PQT") == Status::kOk);
  CHECK(file.reserve(space / 4) == Status::kOk);
  CHECK(file.barrier() == Status::kOk);
  CHECK(file.close() == Status::kOk);
}

// Empty files whose sets move the log's from the 16th entry of a sector, where it lies in two.
bool move_set(const Format& format) {
  if (format.type != FM_EXFAT) return true;
  const auto touch = [](const char* path) {
    FIL file;
    return f_open(&file, path, FA_CREATE_NEW | FA_WRITE) == FR_OK && f_close(&file) == FR_OK;
  };
  return touch("A") && touch("B") && touch("C") && touch("NAME_OF_MANY_LETTERS");
}

void keep_any(const Format& format, bool with_map, bool syncs_first) {
  RamDisk disk(format.sectors);
  REQUIRE(filesystems::format(disk, format));
  Volume volume(disk);
  if (!syncs_first) REQUIRE(move_set(format));
  REQUIRE(fragment(format, 10));
  volume.mount(disk);
  AnyOrder watch(disk, volume.fatfs());
  FatFsFile file(with_map ? microparquet::Span<DWORD>(link_map) : microparquet::Span<DWORD>());
  live(volume, disk, format, file, syncs_first);
  CHECK(watch.syncs() > 10);
  CHECK_EQ(watch.unsound(), 0U);
  CHECK_EQ(watch.shared(), 0U);
  if (format.type == FM_EXFAT) std::printf("exfat.unsound %u states\n", watch.unsound() + watch.shared());
}

void keep_any(const Format& format) {
  for (const bool with_map : {true, false}) {
    for (const bool syncs_first : {true, false}) keep_any(format, with_map, syncs_first);
  }
}

}  // namespace

TEST("whatever of its tables a card keeps, a file's chain leads to no free cluster and into no other file") {
  keep_any(kFat16);
  keep_any(kFat32);
}

#if FF_FS_EXFAT
TEST("whatever of its tables and its bitmap a card keeps, a file's chain on exFAT leads nowhere else") {
  keep_any(filesystems::kExfat);
}
#endif
