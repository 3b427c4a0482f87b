// The port by itself: what it writes where, what it publishes when, and what it answers.
#include "microparquet/port/fatfs_file.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

#include "contract_test.h"
#include "support/check.h"
#include "support/volume.h"
#include "support/write_cache.h"

namespace {

using filesystems::kFat16;
using filesystems::kFat32;
using filesystems::RamDisk;
using filesystems::Volume;
using microparquet::FatFsFile;
using microparquet::Span;
using microparquet::Status;

constexpr filesystems::Format kFormats[] = {
    kFat16,
    kFat32,
#if FF_FS_EXFAT
    filesystems::kExfat,
#endif
};

DWORD link_map[64];

std::vector<std::byte> pattern(std::size_t bytes, unsigned seed) {
  std::vector<std::byte> data(bytes);
  for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<std::byte>((i * 7 + i / 512 + seed) & 0xFF);
  return data;
}

// Formatted and mounted.
struct Card {
  explicit Card(const filesystems::Format& format)
      : disk(format.sectors), formatted(CHECK(filesystems::format(disk, format))), volume(disk) {}

  RamDisk disk;
  bool formatted;
  Volume volume;
};

// The size in the directory entry.
FSIZE_t entry_size(const char* path) {
  FILINFO information;
  return f_stat(path, &information) == FR_OK ? information.fsize : ~FSIZE_t{0};
}

bool holds(FatFsFile& file, std::uint64_t offset, const std::vector<std::byte>& data) {
  std::vector<std::byte> read(data.size());
  return file.read_at(offset, read) == Status::kOk && read == data;
}

// Counts the sectors that are read and written from now on.
struct Traffic {
  explicit Traffic(RamDisk& disk) : disk_(disk) {
    disk.set_watch([this](RamDisk::Access access, std::uint32_t, const std::byte*) {
      reads += access == RamDisk::Access::kRead ? 1U : 0U;
      writes += access == RamDisk::Access::kWrite ? 1U : 0U;
      return true;
    });
  }
  ~Traffic() { disk_.set_watch({}); }
  Traffic(const Traffic&) = delete;
  Traffic& operator=(const Traffic&) = delete;

  unsigned reads = 0;
  unsigned writes = 0;

 private:
  RamDisk& disk_;
};

class Contract final : public port_contract::TestedPort {
 public:
  explicit Contract(Card& card) : TestedPort("FatFsFile"), card_(card), cache_(card.disk) {}
  microparquet::File* create() override {
    return file_.create("TEST.BIN", microparquet::Existing::kOverwrite) == Status::kOk ? &file_ : nullptr;
  }
  microparquet::File* open_again() override {
    const Status status = file_.close();
    if (status == Status::kMediumLost) card_.volume.mount(card_.disk);
    const bool good = status == (cache_.has_failed() ? Status::kMediumLost : Status::kOk);
    return good && file_.open_for_append("TEST.BIN") == Status::kOk ? &file_ : nullptr;
  }
  microparquet::File* open_after_cut() override {
    cache_.lose();
    card_.volume.mount(card_.disk);
    static_cast<void>(file_.close());  // which FatFs does not know any more
    return file_.open_for_append("TEST.BIN") == Status::kOk ? &file_ : nullptr;
  }
  bool fail_next(bool fails) override {
    cache_.fail_next(fails);
    return true;
  }

 private:
  Card& card_;
  filesystems::WriteCache cache_;
  FatFsFile file_{link_map};
};

}  // namespace

TEST("the contract of ports is held") {
  for (const auto& format : kFormats) {
    Card card(format);
    Contract port(card);
    port_contract::check_all(port, 24);
  }
}

TEST("a file is written anywhere, read back, and read after a remount") {
  for (const auto& format : kFormats) {
    RamDisk disk(format.sectors);
    REQUIRE(filesystems::format(disk, format));
    const auto a = pattern(3000, 1);
    const auto b = pattern(512, 2);
    {
      Volume volume(disk);
      FatFsFile file(link_map);
      REQUIRE(file.create("LOG.PQT") == Status::kOk);
      CHECK(file.write_at(0, a) == Status::kOk);
      CHECK(file.write_at(10240, a) == Status::kOk);
      CHECK(file.write_at(5120, b) == Status::kOk);
      CHECK(holds(file, 10240, a));
      CHECK(holds(file, 0, a));
      CHECK(holds(file, 5120, b));
      std::uint64_t size = 0;
      CHECK(file.size(size) == Status::kOk);
      CHECK_EQ(size, 13240);
      std::byte behind[2];
      CHECK(file.read_at(13239, behind) == Status::kIoError);
      CHECK(file.sync(13240) == Status::kOk);
      CHECK(file.close() == Status::kOk);
      CHECK(file.write_at(0, b) == Status::kWrongState);
    }
    Volume volume(disk);
    FatFsFile file;
    REQUIRE(file.open_for_reading("LOG.PQT") == Status::kOk);
    CHECK(holds(file, 0, a));
    CHECK(holds(file, 5120, b));
    CHECK(holds(file, 10240, a));
    CHECK(file.write_at(0, b) == Status::kWrongState);
    CHECK(file.close() == Status::kOk);
  }
}

TEST("sync alone publishes a size, and only the one it is given") {
  for (const auto& format : kFormats) {
    Card card(format);
    FatFsFile file(link_map);
    REQUIRE(file.create("LOG.PQT") == Status::kOk);
    CHECK(file.write_at(0, pattern(1000, 1)) == Status::kOk);
    CHECK(file.sync(1000) == Status::kOk);
    CHECK_EQ(entry_size("LOG.PQT"), 1000);
    CHECK(file.reserve(100000) == Status::kOk);
    CHECK(file.write_at(90000, pattern(5000, 2)) == Status::kOk);
    CHECK(file.barrier() == Status::kOk);
    CHECK_EQ(entry_size("LOG.PQT"), 1000);
    CHECK(file.sync(999) == Status::kInvalidArgument);
    CHECK(file.sync(95001) == Status::kInvalidArgument);
    CHECK(file.sync(94000) == Status::kOk);
    CHECK_EQ(entry_size("LOG.PQT"), 94000);
    std::uint64_t size = 0;
    CHECK(file.size(size) == Status::kOk);
    CHECK_EQ(size, 94000);
    CHECK(file.close() == Status::kOk);
    CHECK_EQ(entry_size("LOG.PQT"), 94000);
  }
}

TEST("barrier puts a part of a sector on the card") {
  Card card(kFat32);
  FatFsFile file(link_map);
  REQUIRE(file.create("LOG.PQT") == Status::kOk);
  CHECK(file.write_at(0, pattern(512, 1)) == Status::kOk);
  CHECK(file.sync(512) == Status::kOk);
  const auto part = pattern(100, 9);
  CHECK(file.write_at(50, part) == Status::kOk);
  const auto syncs = card.disk.syncs();
  CHECK(file.barrier() == Status::kOk);
  CHECK_EQ(card.disk.syncs(), syncs + 1);
  bool found = false;
  for (std::uint32_t i = 0; i < card.disk.sectors() && !found; ++i) {
    found = std::memcmp(card.disk.sector(i) + 50, part.data(), part.size()) == 0;
  }
  CHECK(found);
  CHECK(file.close() == Status::kOk);
}

TEST("whole sectors go to the card once, and nothing is read") {
  Card card(kFat32);
  FatFsFile file(link_map);
  REQUIRE(file.create("LOG.PQT") == Status::kOk);
  CHECK(file.write_at(0, pattern(512, 1)) == Status::kOk);
  CHECK(file.sync(512) == Status::kOk);
  CHECK(file.reserve(200 * 512) == Status::kOk);
  CHECK(file.barrier() == Status::kOk);
  const Traffic traffic(card.disk);
  for (unsigned i = 0; i < 100; ++i) {
    CHECK(file.write_at((i % 8 * 20 + 20 + i / 8) * 512, pattern(512, i)) == Status::kOk);
  }
#if FF_USE_FASTSEEK
  CHECK_EQ(traffic.reads, 0);
#endif
  CHECK(traffic.writes <= 102);  // two more for the tables that reserve changed
  CHECK(file.close() == Status::kOk);
}

TEST("reserve allocates, and close frees what was not used") {
  for (const auto& format : kFormats) {
    Card card(format);
    const std::uint32_t before = card.volume.free_clusters();
    FatFsFile file(link_map);
    REQUIRE(file.create("LOG.PQT") == Status::kOk);
    CHECK(file.reserve(1) == Status::kOk);
    CHECK_EQ(card.volume.free_clusters(), before - 1);
    CHECK(file.reserve(10 * format.cluster_bytes) == Status::kOk);
    CHECK(file.reserve(9 * format.cluster_bytes + 1) == Status::kOk);
    CHECK_EQ(card.volume.free_clusters(), before - 10);
    CHECK(file.write_at(0, pattern(700, 1)) == Status::kOk);
    CHECK(file.sync(700) == Status::kOk);
    CHECK(file.close() == Status::kOk);
    CHECK_EQ(card.volume.free_clusters(), before - (700 + format.cluster_bytes - 1) / format.cluster_bytes);
    REQUIRE(file.create("OTHER.PQT") == Status::kOk);  // and a file that was never synced takes nothing
    CHECK(file.write_at(0, pattern(9000, 1)) == Status::kOk);
    CHECK(file.close() == Status::kOk);
    CHECK_EQ(entry_size("OTHER.PQT"), 0);
    CHECK_EQ(card.volume.free_clusters(), before - (700 + format.cluster_bytes - 1) / format.cluster_bytes);
  }
}

TEST("a full card refuses to reserve, and is as it was") {
  for (const auto& format : kFormats) {
    Card card(format);
    FatFsFile file(link_map);
    REQUIRE(file.create("LOG.PQT") == Status::kOk);
    CHECK(file.write_at(0, pattern(512, 1)) == Status::kOk);
    CHECK(file.sync(512) == Status::kOk);
    const std::uint32_t free = card.volume.free_clusters();
    const std::uint64_t all = (std::uint64_t{free} + 1) * format.cluster_bytes;
    CHECK(file.reserve(all + 1) == Status::kNoSpace);
    CHECK_EQ(card.volume.free_clusters(), free);
    CHECK(file.reserve(3 * format.cluster_bytes) == Status::kOk);
    CHECK(file.write_at(format.cluster_bytes * 2, pattern(512, 2)) == Status::kOk);
    CHECK(file.write_at(all, pattern(512, 2)) == Status::kNoSpace);
    CHECK(file.reserve(all) == Status::kOk);
    CHECK_EQ(card.volume.free_clusters(), 0);
    CHECK(file.write_at(all - 512, pattern(512, 3)) == Status::kOk);
    CHECK(file.sync(all) == Status::kOk);
    CHECK(holds(file, format.cluster_bytes * 2, pattern(512, 2)));
    CHECK(holds(file, 0, pattern(512, 1)));
    CHECK(file.close() == Status::kOk);
    CHECK_EQ(entry_size("LOG.PQT"), all);
  }
}

TEST("shrink publishes the smaller size, then frees clusters") {
  for (const auto& format : kFormats) {
    Card card(format);
    const std::uint32_t before = card.volume.free_clusters();
    FatFsFile file(link_map);
    REQUIRE(file.create("LOG.PQT") == Status::kOk);
    const auto data = pattern(50000, 1);
    CHECK(file.write_at(0, data) == Status::kOk);
    CHECK(file.sync(50000) == Status::kOk);
    CHECK(file.shrink(50001) == Status::kInvalidArgument);
    CHECK(file.shrink(0) == Status::kInvalidArgument);
    // Whenever the power fails: the old size with all its clusters, or the new one.
    for (unsigned cut = 0; cut < 20; ++cut) {
      card.disk.begin_transaction();
      FatFsFile other(link_map);
      card.volume.mount(card.disk);
      REQUIRE(other.open_for_append("LOG.PQT") == Status::kOk);
      card.disk.cut_after(cut, 0);
      const Status status = other.shrink(20000);
      const bool cut_there = card.disk.is_cut();
      CHECK(cut_there == (status == Status::kMediumLost));
      card.disk.power_on();
      card.volume.mount(card.disk);
      REQUIRE(other.open_for_reading("LOG.PQT") == Status::kOk);
      std::uint64_t size = 0;
      CHECK(other.size(size) == Status::kOk);
      CHECK(size == 20000 || (size == 50000 && cut_there));
      CHECK(holds(other, 0, std::vector<std::byte>(data.begin(), data.begin() + static_cast<long>(size))));
      CHECK(card.volume.free_clusters() <= before - (size + format.cluster_bytes - 1) / format.cluster_bytes);
      CHECK(other.close() == Status::kOk);
      card.disk.roll_back();
      if (!cut_there) break;
      CHECK(cut < 19);
    }
    card.volume.mount(card.disk);
    REQUIRE(file.open_for_append("LOG.PQT") == Status::kOk);
    CHECK(file.shrink(20000) == Status::kOk);
    CHECK_EQ(entry_size("LOG.PQT"), 20000);
    CHECK_EQ(card.volume.free_clusters(), before - (20000 + format.cluster_bytes - 1) / format.cluster_bytes);
    CHECK(file.write_at(20480, data) == Status::kOk);  // and continues
    CHECK(file.sync(20480 + 50000) == Status::kOk);
    CHECK(holds(file, 20480, data));
    CHECK(file.close() == Status::kOk);
  }
}

TEST("shrink within a cluster writes the entry alone") {
  for (const auto& format : kFormats) {
    Card card(format);
    FatFsFile file(link_map);
    REQUIRE(file.create("LOG.PQT") == Status::kOk);
    const auto data = pattern(400, 1);
    CHECK(file.write_at(0, data) == Status::kOk);
    CHECK(file.sync(400) == Status::kOk);
    std::vector<std::uint32_t> written;
    card.disk.set_watch([&](RamDisk::Access access, std::uint32_t sector, const std::byte*) {
      if (access == RamDisk::Access::kWrite) written.push_back(sector);
      return true;
    });
    CHECK(file.shrink(300) == Status::kOk);
    card.disk.set_watch(nullptr);
    CHECK_EQ(written.size(), 1);
    CHECK_EQ(entry_size("LOG.PQT"), 300);
    CHECK(file.write_at(300, pattern(50000, 2)) == Status::kOk);  // and continues
    CHECK(file.sync(50300) == Status::kOk);
    CHECK(holds(file, 300, pattern(50000, 2)));
    CHECK(file.close() == Status::kOk);
  }
}

TEST("a chain longer than its file is used first") {
  for (const auto& format : kFormats) {
    if (format.type == FM_EXFAT) continue;  // which knows no such thing
    Card card(format);
    FatFsFile file(link_map);
    REQUIRE(file.create("LOG.PQT") == Status::kOk);
    CHECK(file.write_at(0, pattern(512, 1)) == Status::kOk);
    CHECK(file.reserve(100000) == Status::kOk);
    CHECK(file.sync(512) == Status::kOk);
    card.disk.cut_after(0, 0);
    CHECK(file.close() == Status::kMediumLost);
    card.disk.power_on();
    card.volume.mount(card.disk);
    const std::uint32_t free = card.volume.free_clusters();
    REQUIRE(file.open_for_append("LOG.PQT") == Status::kOk);
    CHECK(file.reserve(100000) == Status::kOk);
    CHECK_EQ(card.volume.free_clusters(), free);
    CHECK(file.close() == Status::kOk);
    CHECK_EQ(entry_size("LOG.PQT"), 512);
    CHECK_EQ(card.volume.free_clusters(), free + (100000 + format.cluster_bytes - 1) / format.cluster_bytes -
                                              (512 + format.cluster_bytes - 1) / format.cluster_bytes);
  }
}

namespace {

// Counts the clusters of a chain on FAT; 0: one of them is free.
unsigned chain_clusters(Card& card, DWORD first) {
  const FATFS& volume = card.volume.fatfs();
  const std::size_t bytes = volume.fs_type == FS_FAT32 ? 4 : 2;
  unsigned clusters = 0;
  DWORD cluster = first;
  for (; cluster >= 2 && cluster < volume.n_fatent; ++clusters) {
    const std::size_t at = cluster * bytes;
    const auto sector = static_cast<std::uint32_t>(volume.fatbase + at / filesystems::kSectorBytes);
    cluster = 0;
    std::memcpy(&cluster, card.disk.sector(sector) + at % filesystems::kSectorBytes, bytes);
  }
  return cluster == 0 ? 0 : clusters;
}

}  // namespace

TEST("an empty file never names clusters that are free") {
  for (const auto& format : {kFat16, kFat32}) {
    Card card(format);
    FIL raw;
    REQUIRE(f_open(&raw, "LOG.PQT", FA_CREATE_NEW | FA_WRITE) == FR_OK);
    REQUIRE(f_lseek(&raw, 10 * format.cluster_bytes) == FR_OK);
    raw.obj.objsize = 0;  // as a cut in the first sync leaves it
    REQUIRE(f_sync(&raw) == FR_OK);
    const std::uint32_t free = card.volume.free_clusters();
    bool was_cut = true;
    unsigned emptied = 0;
    for (unsigned cut = 0; was_cut; ++cut) {
      card.disk.begin_transaction();
      card.volume.mount(card.disk);
      FatFsFile file(link_map);
      card.disk.cut_after(cut, 0);
      Status status = file.open_for_append("LOG.PQT");
      if (status == Status::kOk) status = file.close();
      was_cut = card.disk.is_cut();
      CHECK(was_cut == (status == Status::kMediumLost));
      card.disk.power_on();
      card.volume.mount(card.disk);
      REQUIRE(f_open(&raw, "LOG.PQT", FA_READ) == FR_OK);
      const unsigned named = raw.obj.sclust != 0 ? chain_clusters(card, raw.obj.sclust) : 0;
      CHECK(raw.obj.sclust == 0 || named != 0);
      CHECK(card.volume.free_clusters() <= free + 10 - named);
      emptied += raw.obj.sclust == 0 ? 1U : 0U;
      if (!was_cut) CHECK_EQ(card.volume.free_clusters(), free + 10);
      card.disk.roll_back();
    }
    CHECK(emptied > 1);
  }
}

TEST("a file that was cut before its first size can be created again, and frees what it had") {
  for (const auto& format : kFormats) {
    Card card(format);
    const std::uint32_t free = card.volume.free_clusters();
    const auto data = pattern(3 * format.cluster_bytes, 1);
    bool was_cut = true;
    for (unsigned cut = 0; was_cut; ++cut) {
      card.disk.begin_transaction();
      FatFsFile file(link_map);
      card.disk.cut_after(cut, 0);
      Status status = file.create("LOG.PQT");
      if (status == Status::kOk) status = file.write_at(0, data);
      if (status == Status::kOk) status = file.sync(data.size());
      was_cut = card.disk.is_cut();
      card.disk.power_on();
      card.volume.mount(card.disk);
      FIL raw;
      const bool is_there = f_open(&raw, "LOG.PQT", FA_READ) == FR_OK;
      CHECK(!is_there || f_size(&raw) == data.size() || raw.obj.sclust == 0);
      CHECK(file.create("LOG.PQT", microparquet::Existing::kOverwrite) == Status::kOk);
      CHECK(file.write_at(0, data) == Status::kOk && file.sync(data.size()) == Status::kOk);
      CHECK(file.close() == Status::kOk);
      if (!was_cut) CHECK_EQ(card.volume.free_clusters() + 3, free);
      card.disk.roll_back();
      card.volume.mount(card.disk);
    }
  }
}

#if FF_FS_EXFAT
TEST("an empty file whose clusters cannot be freed gives way to another of its name") {
  Card card(filesystems::kExfat);
  FIL raw;
  REQUIRE(f_open(&raw, "LOG.PQT", FA_CREATE_NEW | FA_WRITE) == FR_OK);
  REQUIRE(f_lseek(&raw, 10 * filesystems::kExfat.cluster_bytes) == FR_OK);
  raw.obj.objsize = 0;
  REQUIRE(f_sync(&raw) == FR_OK);
  card.volume.mount(card.disk);
  REQUIRE(f_open(&raw, "LOG.PQT", FA_CREATE_ALWAYS | FA_WRITE) == FR_INT_ERR);
  card.volume.mount(card.disk);
  FatFsFile file(link_map);
  const auto data = pattern(1000, 1);
  CHECK(file.create("LOG.PQT", microparquet::Existing::kOverwrite) == Status::kOk);
  CHECK(file.write_at(0, data) == Status::kOk && file.sync(data.size()) == Status::kOk);
  CHECK(file.close() == Status::kOk);
  CHECK_EQ(entry_size("LOG.PQT"), data.size());
}
#endif

TEST("a fragmented file is right with any link map") {
  for (const auto& format : kFormats) {
    for (const std::size_t words : {std::size_t{0}, std::size_t{4}, std::size_t{10}, std::size_t{64}}) {
      Card card(format);
      DWORD map_a[64];
      DWORD map_b[64];
      FatFsFile a(Span<DWORD>(map_a, words));
      FatFsFile b(Span<DWORD>(map_b, words));
      REQUIRE(a.create("A.PQT") == Status::kOk);
      REQUIRE(b.create("B.PQT") == Status::kOk);
      const std::size_t step = 2 * format.cluster_bytes;
      for (unsigned i = 0; i < 8; ++i) {
        CHECK(a.write_at(i * step, pattern(step, i)) == Status::kOk);
        CHECK(b.write_at(i * step, pattern(step, i + 100)) == Status::kOk);
        if (i == 3) {
          CHECK(a.sync(4 * step) == Status::kOk);
          CHECK(a.close() == Status::kOk);
          REQUIRE(a.open_for_append("A.PQT") == Status::kOk);
        }
      }
      CHECK(a.sync(8 * step) == Status::kOk);
      CHECK(b.sync(8 * step) == Status::kOk);
      for (unsigned i = 8; i-- > 0;) {
        CHECK(holds(a, i * step, pattern(step, i)));
        CHECK(holds(b, i * step, pattern(step, i + 100)));
      }
      CHECK(a.shrink(step + 1) == Status::kOk);
      CHECK(a.write_at(3 * step, pattern(step, 50)) == Status::kOk);
      CHECK(a.sync(4 * step) == Status::kOk);
      CHECK(holds(a, 3 * step, pattern(step, 50)));
      CHECK(a.close() == Status::kOk);
      CHECK(b.close() == Status::kOk);
      card.volume.mount(card.disk);
      REQUIRE(b.open_for_reading("B.PQT") == Status::kOk);
      for (unsigned i = 0; i < 8; ++i) CHECK(holds(b, i * step, pattern(step, i + 100)));
      CHECK(b.close() == Status::kOk);
    }
  }
}

namespace {

constexpr unsigned kSteps = 8;

// Leaves B.PQT, in fragments, and as many free clusters between them, of a file that was deleted.
void make_fragments(std::size_t step) {
  DWORD other_map[64];
  FatFsFile b(link_map);
  FatFsFile c(other_map);
  CHECK(b.create("B.PQT") == Status::kOk && c.create("C.PQT") == Status::kOk);
  for (unsigned i = 0; i < kSteps; ++i) {
    CHECK(c.write_at(i * step, pattern(step, 200)) == Status::kOk);
    CHECK(b.write_at(i * step, pattern(step, i + 100)) == Status::kOk);
  }
  CHECK(b.sync(kSteps * step) == Status::kOk && c.sync(kSteps * step) == Status::kOk);
  CHECK(b.close() == Status::kOk && c.close() == Status::kOk);
  CHECK(f_unlink("C.PQT") == FR_OK);
}

bool grow(FatFsFile& file, std::size_t step, unsigned from, unsigned to) {
  for (; from < to; ++from) {
    if (file.write_at(from * step, pattern(step, from)) != Status::kOk) return false;
  }
  return file.sync(to * step) == Status::kOk;
}

// A file of `begin` steps in these fragments grows to six, the power fails at a write, and it grows on.
// False: there was no write so late.
bool cut_growth(Card& card, std::size_t step, unsigned begin, unsigned cut) {
  FatFsFile file(link_map);
  card.volume.mount(card.disk);
  if (!CHECK(file.open_for_append("LOG.PQT") == Status::kOk)) return false;
  card.disk.cut_after(cut, 0);
  const bool grown = grow(file, step, begin, 6);
  static_cast<void>(file.close());
  const bool was_cut = card.disk.is_cut();
  card.disk.power_on();
  card.volume.mount(card.disk);
  std::uint64_t size = 0;
  if (!CHECK(file.open_for_append("LOG.PQT") == Status::kOk && file.size(size) == Status::kOk)) return false;
  CHECK(size == 6 * step || (size == begin * step && !grown));
  CHECK(grow(file, step, static_cast<unsigned>(size / step), 12));
  CHECK(file.close() == Status::kOk);
  card.volume.mount(card.disk);
  if (!CHECK(file.open_for_reading("LOG.PQT") == Status::kOk)) return false;
  for (unsigned i = 0; i < 12; ++i) CHECK(holds(file, i * step, pattern(step, i)));
  if (!CHECK(file.open_for_reading("B.PQT") == Status::kOk)) return false;
  for (unsigned i = 0; i < kSteps; ++i) CHECK(holds(file, i * step, pattern(step, i + 100)));
  CHECK(file.close() == Status::kOk);
  return was_cut;
}

}  // namespace

// Stale entries of deleted files in the table lead into other files.
TEST("a fragmented file that was cut off while it grew continues in clusters of its own") {
  for (const auto& format : kFormats) {
    for (const unsigned begin : {0U, 3U}) {
      Card card(format);
      const std::size_t step = 2 * format.cluster_bytes;
      make_fragments(step);
      card.volume.mount(card.disk);  // free clusters are looked for from the first one on again
      FatFsFile file(link_map);
      REQUIRE(file.create("LOG.PQT") == Status::kOk);
      CHECK(grow(file, step, 0, begin) && file.close() == Status::kOk);
      bool was_cut = true;
      for (unsigned cut = 0; was_cut; ++cut) {
        card.disk.begin_transaction();
        was_cut = cut_growth(card, step, begin, cut);
        card.disk.roll_back();
        CHECK(was_cut || cut > 8);
      }
    }
  }
}

TEST("FAT ends at 4 GiB - 1") {
  constexpr filesystems::Format kLarge{"FAT32", FM_FAT32, 5U << 21, 32768};  // 5 GiB
  Card card(kLarge);
  FatFsFile file(link_map);
  REQUIRE(file.create("LOG.PQT") == Status::kOk);
  constexpr std::uint64_t kMax = 0xFFFFFFFF;
  CHECK(file.reserve(kMax + 1) == Status::kNoSpace);
  CHECK(file.reserve(~std::uint64_t{0}) == Status::kNoSpace);
  CHECK(file.write_at(~std::uint64_t{0} - 5, pattern(512, 1)) == Status::kNoSpace);
  CHECK(file.reserve(kMax) == Status::kOk);
  const auto data = pattern(511, 1);
  CHECK(file.write_at(kMax - 511, data) == Status::kOk);
  CHECK(file.write_at(kMax - 510, data) == Status::kNoSpace);
  CHECK(file.write_at(512, pattern(512, 3)) == Status::kOk);
  CHECK(holds(file, kMax - 511, data));
  CHECK(file.sync(kMax) == Status::kOk);
  CHECK(file.close() == Status::kOk);
  CHECK_EQ(entry_size("LOG.PQT"), kMax);
}

TEST("what is wrong with the card or the name is reported") {
  RamDisk disk(kFat32.sectors);
  REQUIRE(filesystems::format(disk, kFat32));
  FatFsFile file(link_map);
  {
    Volume volume(disk);
    CHECK(file.open_for_reading("LOG.PQT") == Status::kIoError);
    CHECK_EQ(file.native_error(), FR_NO_FILE);
    CHECK(file.open_for_append("NOWHERE/LOG.PQT") == Status::kIoError);
    CHECK_EQ(file.native_error(), FR_NO_PATH);
    CHECK(!file.is_open());
    CHECK(file.create("OTHER.TXT") == Status::kIoError);
    CHECK_EQ(file.native_error(), FR_EXIST);
    CHECK(file.open_for_append("OTHER.TXT") == Status::kOk);
    std::uint64_t size = 0;
    CHECK(file.size(size) == Status::kOk);
    CHECK_EQ(size, 20000);
    CHECK(file.create("OTHER.TXT", microparquet::Existing::kOverwrite) == Status::kOk);
    CHECK(file.size(size) == Status::kOk);
    CHECK_EQ(size, 0);
    CHECK(file.close() == Status::kOk);
    CHECK(file.close() == Status::kOk);

    disk.set_protected(true);
    CHECK(file.create("LOG.PQT") == Status::kIoError);
    CHECK_EQ(file.native_error(), FR_WRITE_PROTECTED);
    CHECK(file.open_for_reading("OTHER.TXT") == Status::kOk);
    CHECK(file.close() == Status::kOk);
    disk.set_protected(false);

    RamDisk::insert(nullptr);
    CHECK(file.create("LOG.PQT") == Status::kMediumLost);
    CHECK_EQ(file.native_error(), FR_NOT_READY);
  }
  RamDisk blank(1000);
  Volume volume(blank);
  CHECK(file.create("LOG.PQT") == Status::kIoError);
  CHECK_EQ(file.native_error(), FR_NO_FILESYSTEM);
}

// FatFs itself answers f_sync and f_close with success after a failed write.
TEST("a failed sector loses the file until it is opened again, and nothing more is written") {
  using Access = RamDisk::Access;
  for (const Access failing : {Access::kRead, Access::kWrite, Access::kSync}) {
    for (unsigned nth = 0;; ++nth) {
      Card card(kFat16);
      FatFsFile file;  // without a link map there is more to read
      REQUIRE(file.create("LOG.PQT") == Status::kOk);
      CHECK(file.write_at(0, pattern(512, 1)) == Status::kOk);
      CHECK(file.sync(512) == Status::kOk);
      unsigned count = 0;
      unsigned later = 0;
      card.disk.set_watch([&](Access access, std::uint32_t, const std::byte*) {
        if (count > nth && access == Access::kWrite) ++later;
        return access != failing || count++ != nth;
      });
      Status status = Status::kOk;
      for (unsigned i = 0; i < 40 && status == Status::kOk; ++i) {
        status = file.write_at(i * 1700, pattern(300, i));
        if (status == Status::kOk && i % 8 == 0) status = file.barrier();
        if (status == Status::kOk && i % 8 == 4) status = file.sync(i * 1700 + 300);
      }
      std::uint64_t size = 0;
      if (status == Status::kOk) {
        CHECK(nth > 8);
        break;
      }
      CHECK(status == Status::kMediumLost);
      CHECK_EQ(file.native_error(), FR_DISK_ERR);
      later = 0;
      std::byte some[10];
      CHECK(file.sync(512) == Status::kMediumLost);
      CHECK(file.barrier() == Status::kMediumLost);
      CHECK(file.write_at(0, pattern(512, 1)) == Status::kMediumLost);
      CHECK(file.read_at(0, some) == Status::kMediumLost);
      CHECK(file.reserve(100) == Status::kMediumLost);
      CHECK(file.shrink(100) == Status::kMediumLost);
      CHECK(file.size(size) == Status::kMediumLost);
      CHECK(file.close() == Status::kMediumLost);
      CHECK_EQ(later, 0);
      card.volume.mount(card.disk);
      CHECK(file.open_for_append("LOG.PQT") == Status::kOk);
      CHECK(file.size(size) == Status::kOk && size >= 512);
      CHECK(file.write_at(size, pattern(100, 1)) == Status::kOk);
      CHECK(file.sync(size + 100) == Status::kOk);
      CHECK(file.close() == Status::kOk);
    }
  }
}

// A sync may fail after the card has taken the entry, and not have put it down yet.
TEST("the size of a file that is opened for append is on the card") {
  for (const filesystems::Format& format : kFormats) {
    Card card(format);
    FatFsFile file(link_map);
    REQUIRE(file.create("A.PQT") == Status::kOk);
    REQUIRE(file.write_at(0, pattern(2000, 1)) == Status::kOk);
    REQUIRE(file.sync(1000) == Status::kOk);
    REQUIRE(file.write_at(1000, pattern(1000, 2)) == Status::kOk);
    unsigned syncs = 0;
    card.disk.set_watch([&](RamDisk::Access access, std::uint32_t, const std::byte*) {
      return access != RamDisk::Access::kSync || ++syncs < 2;  // the second is that of the new size
    });
    CHECK(file.sync(2000) == Status::kMediumLost);
    card.disk.set_watch({});
    CHECK(file.close() == Status::kMediumLost);
    card.volume.mount(card.disk);
    const unsigned before = card.disk.syncs();
    REQUIRE(file.open_for_append("A.PQT") == Status::kOk);
    std::uint64_t size = 0;
    CHECK(file.size(size) == Status::kOk);
    CHECK_EQ(size, 2000);
    CHECK(card.disk.syncs() > before);
    CHECK(file.close() == Status::kOk);
  }
}

TEST("a file is lost when its volume is mounted again, and writes nothing more") {
  for (const filesystems::Format& format : kFormats) {
    Card card(format);
    FatFsFile file(link_map);
    REQUIRE(file.create("LOG.PQT") == Status::kOk);
    CHECK(file.write_at(0, pattern(512, 1)) == Status::kOk);
    CHECK(file.sync(512) == Status::kOk);
    CHECK(file.write_at(512, pattern(300, 2)) == Status::kOk);
    card.volume.mount(card.disk);
    const unsigned before = card.disk.writes();
    std::uint64_t size = 0;
    CHECK(file.barrier() == Status::kMediumLost);
    CHECK(file.sync(512) == Status::kMediumLost);
    CHECK(file.sync(812) == Status::kMediumLost);
    CHECK(file.size(size) == Status::kMediumLost);
    CHECK(file.close() == Status::kMediumLost);
    CHECK_EQ(card.disk.writes(), before);
    CHECK(file.open_for_append("LOG.PQT") == Status::kOk);
    CHECK(file.size(size) == Status::kOk && size == 512);
    CHECK(file.close() == Status::kOk);
  }
}

// An open that fails may leave FatFs's file open, and the next close stores its entry.
TEST("a file that could not be opened does not get the size of the one before it") {
  for (const filesystems::Format& format : kFormats) {
    for (unsigned nth = 0;; ++nth) {
      Card card(format);
      FatFsFile file(link_map);
      REQUIRE(file.create("A.PQT") == Status::kOk);
      REQUIRE(file.write_at(0, pattern(2000, 1)) == Status::kOk);
      REQUIRE(file.sync(2000) == Status::kOk);
      REQUIRE(file.close() == Status::kOk);
      card.volume.mount(card.disk);  // FatFs has no sector in memory
      unsigned count = 0;
      card.disk.set_watch([&](RamDisk::Access, std::uint32_t, const std::byte*) { return count++ < nth; });
      const Status status = file.open_for_append("B.PQT");
      card.disk.set_watch({});
      static_cast<void>(file.close());
      card.volume.mount(card.disk);
      FILINFO info;
      CHECK(f_stat("B.PQT", &info) == FR_NO_FILE || info.fsize == 0);
      CHECK(f_stat("A.PQT", &info) == FR_OK && info.fsize == 2000);
      if (status == Status::kOk) {
        CHECK(nth > 0);
        break;
      }
    }
  }
}

TEST("a card that is pulled out is lost") {
  Card card(kFat32);
  FatFsFile file(link_map);
  REQUIRE(file.create("LOG.PQT") == Status::kOk);
  CHECK(file.write_at(0, pattern(512, 1)) == Status::kOk);
  CHECK(file.sync(512) == Status::kOk);
  RamDisk::insert(nullptr);
  CHECK(file.write_at(512, pattern(512, 1)) == Status::kMediumLost);
  RamDisk::insert(&card.disk);
  CHECK(file.write_at(512, pattern(512, 1)) == Status::kMediumLost);
  CHECK(file.open_for_append("LOG.PQT") == Status::kOk);
  CHECK(file.write_at(512, pattern(512, 1)) == Status::kOk);
  CHECK(file.close() == Status::kOk);
}
