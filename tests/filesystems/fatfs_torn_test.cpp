// Entry sets on exFAT that a power cut has torn: at every place in their sector, in every kind of folder, by each
// call that writes one. And sets that no cut has torn, which stay as they are.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "microparquet/port/fatfs_file.h"
#include "support/check.h"
#include "support/volume.h"

#if FF_FS_EXFAT
namespace {

using filesystems::kExfat;
using filesystems::kSectorBytes;
using filesystems::RamDisk;
using filesystems::Sector;
using filesystems::Volume;
using microparquet::Existing;
using microparquet::FatFsFile;
using microparquet::Status;

constexpr std::size_t kEntry = 32;
constexpr unsigned kSlots = kSectorBytes / kEntry;
constexpr char kNext[] = "NEXT.PQT";

DWORD link_map[64];

struct Write {
  std::uint32_t sector = 0;
  unsigned syncs = 0;
  Sector before;
  Sector data;
};

class Card {
 public:
  Card() : disk(kExfat.sectors) { REQUIRE(filesystems::format(disk, kExfat)); }

  // The sector writes of a call, which are then undone.
  template <typename Call>
  std::vector<Write> writes_of(Call call) {
    std::vector<Write> writes;
    disk.begin_transaction();
    {
      const Volume volume(disk);
      disk.set_watch([&](RamDisk::Access access, std::uint32_t sector, const std::byte* data) {
        if (access != RamDisk::Access::kWrite) return true;
        writes.push_back({sector, disk.syncs(), {}, {}});
        std::memcpy(writes.back().before.data(), disk.sector(sector), kSectorBytes);
        std::memcpy(writes.back().data.data(), data, kSectorBytes);
        return true;
      });
      call();
      disk.set_watch({});
    }
    disk.roll_back();
    return writes;
  }

  void put(const Write& write) { disk.write(write.sector, write.data.data(), 1); }
  void undo(const Write& write) { disk.write(write.sector, write.before.data(), 1); }

  RamDisk disk;
};

// Creates an empty file with a name of up to 15 characters; returns the slot after its set.
unsigned touch(const std::string& path) {
  FIL file;
  CHECK(f_open(&file, path.c_str(), FA_CREATE_NEW | FA_WRITE) == FR_OK);
  const DWORD offset = file.obj.c_ofs;
  CHECK(f_close(&file) == FR_OK);
  return (offset / kEntry + 3) % kSlots;
}

// What a file has: three sectors.
std::vector<std::byte> contents() { return std::vector<std::byte>(3 * kSectorBytes, std::byte{0x5A}); }

bool write_file(FatFsFile& file) {
  return file.write_at(0, contents()) == Status::kOk && file.sync(contents().size()) == Status::kOk &&
         file.close() == Status::kOk;
}

bool has_contents(const std::string& path) {
  FatFsFile file;
  std::vector<std::byte> read(contents().size());
  return file.open_for_reading(path.c_str()) == Status::kOk && file.read_at(0, read) == Status::kOk &&
         file.close() == Status::kOk && read == contents();
}

// Puts the next set of a folder at a slot of its sector, by empty files.
void fill_to(const std::string& folder, unsigned slot) {
  static constexpr char kLong[] = "AAAAAAAAAAAAAAAA";
  unsigned left = (slot + kSlots - touch(folder + "F")) % kSlots;
  if (left < 3 && left != 0) left += kSlots;
  for (unsigned i = 0; left != 0; ++i) {
    const unsigned takes = left == 3 || left >= 6 ? 3 : left;
    std::string name = folder + "F" + std::to_string(i);
    for (unsigned more = 3; more < takes; ++more) name += kLong;
    touch(name);
    left -= takes;
  }
}

// Whether a file can be created in the folder and is found there at the next boot, and whether all others are.
void check_folder(Card& card, const std::string& folder, const std::string& another) {
  const std::string next = folder + kNext;
  {
    const Volume volume(card.disk);
    FatFsFile file(link_map);
    CHECK(file.create(next.c_str()) == Status::kOk);
    CHECK(write_file(file));
  }
  Volume volume(card.disk);
  CHECK(has_contents(next));
  CHECK(FatFsFile::make_folder((folder + "NEXT").c_str()) == FR_OK);
  volume.mount(card.disk);
  CHECK(f_stat((folder + "NEXT").c_str(), nullptr) == FR_OK);
  CHECK(has_contents(next));
  if (!another.empty()) CHECK(has_contents(another));
}

// The power fails after each write of a call, of which and of those since the last sync the card has any.
template <typename Call, typename After>
unsigned cut(Card& card, const std::string& folder, const std::string& another, Call call, After after) {
  const std::vector<Write> writes = card.writes_of(call);
  unsigned cuts = 0;
  std::size_t synced = 0;
  for (std::size_t i = 0; i <= writes.size(); ++i) {
    while (synced < i && writes[synced].syncs != writes[i == 0 ? 0 : i - 1].syncs) card.put(writes[synced++]);
    const std::size_t open = i - synced;
    const unsigned subsets = open > 4 ? 16 : 1U << open;
    for (unsigned kept = 0; kept < subsets; ++kept) {
      card.disk.begin_transaction();
      for (std::size_t k = 0; k < open; ++k) {
        const bool is_last = k + 4 >= open;
        if (!is_last || (kept >> (open - 1 - k) & 1) != 0) card.put(writes[synced + k]);
      }
      after();
      check_folder(card, folder, another);
      card.disk.roll_back();
      ++cuts;
    }
  }
  while (synced != 0) card.undo(writes[--synced]);
  return cuts;
}

template <typename Call>
unsigned cut(Card& card, const std::string& folder, const std::string& another, Call call) {
  return cut(card, folder, another, call, [] {});
}

void create_and_write(const std::string& path) {
  FatFsFile file(link_map);
  CHECK(file.create(path.c_str()) == Status::kOk);
  CHECK(write_file(file));
}

TEST(
    "a cut in a creation or a sync leaves a folder in which files can be created, at every place of the "
    "set") {
  static const std::string kNames[] = {"LOG.PQT", "a_longer_name.parquet",
                                       "a_name_with_three_entries_0001.parquet"};
  unsigned cuts = 0;
  for (const std::string folder : {"", "LOG/", "LOG/6A1B0042/00000001/"}) {
    for (unsigned slot = 0; slot < kSlots; ++slot) {
      Card card;
      {
        const Volume volume(card.disk);
        for (std::size_t at = folder.find('/'); at != std::string::npos; at = folder.find('/', at + 1)) {
          REQUIRE(f_mkdir(folder.substr(0, at).c_str()) == FR_OK);
        }
        if (!folder.empty()) create_and_write("BEFORE.PQT");
        fill_to(folder, slot);
      }
      const std::string another = folder.empty() ? "" : "BEFORE.PQT";
      if (slot < 10 && slot > 1) continue;  // in one sector, with each name
      const std::string path = folder + kNames[slot % 3];
      cuts += cut(card, folder, another, [&] { create_and_write(path); });
      if (slot < 13) continue;
      cuts += cut(card, folder, another, [&] { create_and_write(folder + kNames[0]); });
    }
  }
  std::printf("%u cuts in a creation\n", cuts);
  CHECK(cuts > 500);
}

// A folder of more than one cluster, in one piece or not, whose next set lies at a slot of its sector.
void fill_clusters(const std::string& folder, bool in_pieces, unsigned slot) {
  if (!folder.empty()) REQUIRE(f_mkdir(folder.substr(0, folder.size() - 1).c_str()) == FR_OK);
  constexpr unsigned kFiles = 2 * 4096 / kEntry / 3 + 1;
  for (unsigned i = 0; i < kFiles; ++i) {
    touch(folder + "E" + std::to_string(i));
    if (in_pieces && i % 30 == 29) create_and_write("PIECE" + std::to_string(i) + ".PQT");
  }
  fill_to(folder, slot);
}

TEST("a set is mended in a folder of several clusters, and in one whose clusters lie in pieces") {
  for (const std::string folder : {"", "LOG/"}) {
    for (const bool in_pieces : {false, true}) {
      for (const unsigned slot : {14U, 15U}) {
        Card card;
        {
          const Volume volume(card.disk);
          create_and_write("BEFORE.PQT");
          fill_clusters(folder, in_pieces, slot);
        }
        unsigned torn = 0;
        const std::string path = folder + "LOG.PQT";
        const auto writes = card.writes_of([&] {
          FatFsFile file(link_map);
          CHECK(file.create(path.c_str()) == Status::kOk);
          CHECK(file.write_at(0, contents()) == Status::kOk && file.sync(contents().size()) == Status::kOk);
        });
        for (const Write& write : writes) {
          card.put(write);
          card.disk.begin_transaction();
          {
            const Volume volume(card.disk);
            FatFsFile file(link_map);
            CHECK(file.open_for_append(path.c_str()) == Status::kOk);
            torn += file.is_mended() ? 1U : 0U;
            CHECK(write_file(file));
          }
          check_folder(card, folder, path);
          card.disk.roll_back();
        }
        CHECK_EQ(torn, slot == 14 ? 1U : 2U);
      }
    }
  }
}

TEST("a cut while a folder is made leaves none that stops its parent") {
  unsigned cuts = 0;
  for (const std::string parent : {"", "LOG/"}) {
    for (unsigned slot = 12; slot < kSlots; ++slot) {
      Card card;
      {
        const Volume volume(card.disk);
        if (!parent.empty()) REQUIRE(f_mkdir("LOG") == FR_OK);
        fill_to(parent, slot);
      }
      const std::string made = parent + "00000001";
      const std::string inside = made + "/00000001.PQT";
      const auto make = [&] {
        const FRESULT result = FatFsFile::make_folder(made.c_str());
        CHECK(result == FR_OK || result == FR_EXIST);
        create_and_write(inside);
      };
      cuts += cut(card, parent, "", make, [&] {
        const Volume volume(card.disk);
        const FRESULT result = FatFsFile::make_folder(made.c_str());
        CHECK(result == FR_OK || result == FR_EXIST);
        FatFsFile file(link_map);
        CHECK(file.create(inside.c_str(), Existing::kOverwrite) == Status::kOk);
        CHECK(write_file(file));
        CHECK(has_contents(inside));
      });
    }
  }
  std::printf("%u cuts while a folder is made\n", cuts);
  CHECK(cuts > 100);
}

// A worn card, which takes writes and keeps what it had.
class Dropping final : public filesystems::BlockLayer {
 public:
  explicit Dropping(RamDisk& disk) : disk_(disk) {}
  bool read(std::uint32_t first, std::byte* out, std::uint32_t count) override {
    return disk_.read(first, out, count);
  }
  bool write(std::uint32_t, const std::byte*, std::uint32_t) override { return true; }
  bool sync() override { return true; }

 private:
  RamDisk& disk_;
};

// A folder with a log in two sectors and a set beside it, for what no cut does.
struct Folder {
  Folder() {
    const Volume volume(card.disk);
    fill_to("", kSlots - 1);
    create_and_write("LOG.PQT");
    create_and_write("PHOTO.JPG");
    root = static_cast<std::uint32_t>(volume_root(const_cast<Volume&>(volume).fatfs()));
  }

  static LBA_t volume_root(const FATFS& volume) {
    return volume.database + LBA_t{volume.csize} * (static_cast<DWORD>(volume.dirbase) - 2);
  }

  // Where a set lies in the root, with a name of up to 15 characters.
  std::byte* set_of(const char* name) {
    std::byte* const entries = card.disk.sector(root);
    for (std::size_t at = 2 * kEntry;; at += kEntry) {
      std::size_t i = 0;
      while (name[i] != 0 && entries[at + 2 + 2 * i] == static_cast<std::byte>(name[i])) ++i;
      if (entries[at] == std::byte{0xC1} && name[i] == 0) return entries + at - 2 * kEntry;
    }
  }

  // A change of a set's bytes, which the card takes as a write of theirs, so that it can be undone.
  void change(std::byte* at, std::byte value) {
    const auto offset = static_cast<std::size_t>(at - card.disk.sector(root));
    const auto sector = root + static_cast<std::uint32_t>(offset / kSectorBytes);
    Sector data;
    std::memcpy(data.data(), card.disk.sector(sector), kSectorBytes);
    data[offset % kSectorBytes] = value;
    card.disk.write(sector, data.data(), 1);
  }

  std::vector<std::byte> all() {
    const std::byte* const first = card.disk.sector(0);
    return std::vector<std::byte>(first, first + std::size_t{card.disk.sectors()} * kSectorBytes);
  }

  // Opens in each of the three ways, and what they answer: nothing of the card may change.
  void check_left_alone() {
    const std::vector<std::byte> before = all();
    Volume volume(card.disk);
    FatFsFile file(link_map);
    CHECK(file.open_for_reading(kNext) == Status::kIoError);
    CHECK(file.native_error() == FR_INT_ERR);
    CHECK(file.open_for_append(kNext) == Status::kIoError);
    CHECK(file.native_error() == FR_INT_ERR);
    CHECK(file.create(kNext) == Status::kIoError);
    CHECK(file.native_error() == FR_INT_ERR && !file.is_mended());
    CHECK(!FatFsFile::mend(kNext));
    CHECK(all() == before);
    card.disk.roll_back();
  }

  Card card;
  std::uint32_t root = 0;
};

constexpr std::size_t kChecksum = 2;
constexpr std::size_t kStream = kEntry;
constexpr std::size_t kFirstCluster = kEntry + 20;
constexpr std::size_t kLength = kEntry + 24;

TEST("another program's whole set gets its checksum, and nothing else") {
  Folder folder;
  std::byte* const set = folder.set_of("PHOTO.JPG");
  const auto before = folder.all();
  folder.change(set + kChecksum, set[kChecksum] ^ std::byte{0x40});
  folder.change(set + kChecksum + 1, set[kChecksum + 1] ^ std::byte{0x40});
  Volume volume(folder.card.disk);
  FatFsFile file(link_map);
  CHECK(file.open_for_reading(kNext) == Status::kIoError);
  CHECK(file.native_error() == FR_NO_FILE && file.is_mended());
  CHECK(folder.all() == before);
  CHECK(file.open_for_reading("LOG.PQT") == Status::kOk && !file.is_mended());
  CHECK(file.close() == Status::kOk);
}

TEST("a set that no cut has torn stays as it is, and the answer says so") {
  Folder folder;
  std::byte* const log = folder.set_of("LOG.PQT");
  std::byte* const photo = folder.set_of("PHOTO.JPG");
  const auto damage = [&](std::byte* at, std::byte value) { folder.change(at, value); };
  const auto spoil = [&](std::byte* set) { damage(set + kChecksum, set[kChecksum] ^ std::byte{1}); };
  folder.card.disk.begin_transaction();
  spoil(log);
  spoil(photo);
  folder.check_left_alone();
  for (const std::byte first : {std::byte{1}, std::byte{0xFF}}) {
    folder.card.disk.begin_transaction();
    for (std::size_t i = 0; i < 4; ++i)
      damage(photo + kFirstCluster + i, i == 0 || first != std::byte{1} ? first : std::byte{0});
    folder.check_left_alone();
  }
  folder.card.disk.begin_transaction();
  damage(photo + kLength + 6, std::byte{1});
  folder.check_left_alone();
  for (const std::byte type : {std::byte{0x40}, std::byte{0}, std::byte{0xC1}}) {
    folder.card.disk.begin_transaction();
    damage(photo + kStream, type);
    folder.check_left_alone();
  }
  folder.card.disk.begin_transaction();
  damage(photo + 2 * kEntry, std::byte{0x41});
  folder.check_left_alone();
  folder.card.disk.begin_transaction();
  damage(photo + 1, std::byte{19});
  folder.check_left_alone();
}

TEST("a card that fails, refuses or drops the mending ends it") {
  Folder folder;
  RamDisk& disk = folder.card.disk;
  std::byte* const log = folder.set_of("LOG.PQT");
  folder.change(log + kChecksum, log[kChecksum] ^ std::byte{1});
  unsigned fine = 0;
  for (unsigned after = 0; fine < 2; ++after) {
    disk.begin_transaction();
    {
      const Volume volume(disk);
      unsigned accesses = 0;
      disk.set_watch([&](RamDisk::Access, std::uint32_t, const std::byte*) { return accesses++ != after; });
      FatFsFile file(link_map);
      const Status status = file.open_for_append("LOG.PQT");
      CHECK(status == Status::kOk || status == Status::kMediumLost);
      fine += status == Status::kOk ? 1U : 0U;
      disk.set_watch({});
    }
    const Volume volume(disk);
    CHECK(has_contents("LOG.PQT"));
    disk.roll_back();
  }
  Volume volume(disk);
  disk.set_protected(true);
  FatFsFile file(link_map);
  CHECK(file.open_for_reading("LOG.PQT") != Status::kOk);
  disk.set_protected(false);
  volume.mount(disk);
  Dropping dropping(disk);
  disk.set_front(&dropping);
  static_cast<void>(file.open_for_reading(kNext));
  CHECK(file.close() == Status::kOk);
  disk.set_front(nullptr);
  volume.mount(disk);
  CHECK(file.open_for_reading("LOG.PQT") == Status::kOk && file.is_mended());
  CHECK(file.close() == Status::kOk);
}

TEST("a file's chain is on the card before its entry refers to the table") {
  constexpr DWORD kClusters = 300;  // their links lie in several sectors of the table
  constexpr std::uint64_t kBytes = std::uint64_t{kClusters} * kExfat.cluster_bytes;
  Card card;
  {
    const Volume volume(card.disk);
    FatFsFile file(link_map);
    REQUIRE(file.create("LOG.PQT") == Status::kOk && file.reserve(kBytes) == Status::kOk);
    REQUIRE(file.write_at(kBytes - 512, contents()) == Status::kOk && file.sync(kBytes) == Status::kOk);
    REQUIRE(file.close() == Status::kOk);
    create_and_write("BEHIND.PQT");
  }
  const auto writes = card.writes_of([&] {
    FatFsFile file(link_map);
    CHECK(file.open_for_append("LOG.PQT") == Status::kOk);
    CHECK(file.write_at(kBytes, contents()) == Status::kOk);
    CHECK(file.sync(kBytes + contents().size()) == Status::kOk && file.close() == Status::kOk);
  });
  std::uint32_t table = 0;
  {
    Volume volume(card.disk);
    table = static_cast<std::uint32_t>(volume.fatfs().fatbase);
  }
  DWORD linked = 0;    // clusters whose links have been written
  unsigned syncs = 0;  // before the last of them
  bool refers = false;
  for (const Write& write : writes) {
    DWORD changed = 0;
    for (std::size_t at = 0; at < kSectorBytes; at += 4) {
      changed += std::memcmp(&write.before[at], &write.data[at], 4) != 0 ? 1U : 0U;
    }
    if (write.sector >= table && write.sector < table + 4) {
      linked += changed;
      if (changed != 0) syncs = write.syncs;
    }
    for (std::size_t at = kEntry; at < kSectorBytes; at += kEntry) {
      if (write.data[at] != std::byte{0xC0} || write.data[at + 1] == write.before[at + 1]) continue;
      if (write.data[at + 1] == std::byte{1}) {
        refers = true;
        CHECK(linked >= kClusters && syncs < write.syncs);
      }
    }
  }
  CHECK(refers);
}

}  // namespace
#endif
