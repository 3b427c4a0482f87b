// Removal of a log's oldest files by ESP-IDF's and Zephyr's calls over FAT, on a card that puts writes down in any order and loses any
// of them at a power cut: no other file is hurt, neither at once nor when the space is used again.
#include <cstdio>
#include <string>
#include <vector>

#include "ff.h"
#include "microparquet/port/vfs_log_folder.h"
#include "microparquet/port/zephyr_log_folder.h"
#include "microparquet/static_writer.h"
#include "support/check.h"
#include "support/fat_files.h"
#include "support/folder_names.h"
#include "support/recorded_writes.h"
#include "support/volume.h"

namespace {

namespace mpq = microparquet;
using filesystems::fill;
using filesystems::has_only;
using filesystems::is_there;
using filesystems::kFat16;
using filesystems::kFat32;
using filesystems::RamDisk;
using filesystems::Volume;
using mpq::LogFile;
using mpq::Status;

template <typename Folder>
class SplitFolder final : public Folder {
 public:
  SplitFolder() : Folder("/card/log") {}
  bool has_id(const LogFile& file, std::uint32_t id) override { return id == 40 + file.split; }
};

// Odd splits began when the time was known.
std::string path_of(unsigned session, unsigned split) {
  char path[64];
  const char* const date = split % 2 == 0 ? "" : "_20270131T1012Z";
  std::snprintf(path, sizeof path, "log/%08u/%08u%s.parquet", session, split, date);
  return path;
}

// The file of the first session, as its folder lists it.
template <typename Folder>
LogFile file_in(Folder& folder, unsigned split) {
  LogFile file;
  if (!CHECK(folder.list_files(1) == Status::kOk)) return file;
  while (folder.next_file(file) == Status::kOk) {
    if (file.split == split) break;
  }
  file.session = 1;
  return file;
}

template <typename Folder>
bool remove_all(Folder& folder, const LogFile& file) {
  bool is_done = false;
  Status status = Status::kOk;
  for (unsigned parts = 0; status == Status::kOk && !is_done && parts < 100; ++parts)
    status = folder.remove_file(file, is_done);
  return status == Status::kOk && is_done;
}

constexpr std::size_t kOldBytes = 5 << 19;  // three parts

// The next boot after a cut somewhere in the removal of file 1: it uses all space, and removes file 2.
template <typename Folder>
bool next_boot_is_sound(RamDisk& disk, bool& was_removed) {
  Volume volume(disk);
  SplitFolder<Folder> folder;
  bool good = CHECK(folder.begin() == Status::kOk);
  was_removed = !is_there(path_of(1, 1));
  const std::size_t free =
      std::size_t{volume.free_clusters()} * volume.fatfs().csize * filesystems::kSectorBytes;
  if (was_removed) good = CHECK(free + Folder::kStepBytes >= kOldBytes) && good;
  static_cast<void>(fill("NEW.BIN", 'n'));
  if (!was_removed) good = CHECK(has_only(path_of(1, 1), 'a')) && good;
  const LogFile second = file_in(folder, 2);
  good = CHECK(remove_all(folder, second)) && CHECK(!is_there(path_of(1, 2))) && good;
  static_cast<void>(fill("NEWER.BIN", 'm'));
  return CHECK(has_only("KEPT.BIN", 'k')) && CHECK(has_only("NEW.BIN", 'n')) &&
         CHECK(has_only("NEWER.BIN", 'm')) && good;
}

template <typename Folder>
void cut_removals(const filesystems::Format& format) {
  RamDisk disk(format.sectors);
  REQUIRE(filesystems::format(disk, format));
  {
    const Volume volume(disk);
    REQUIRE(f_mkdir("log") == FR_OK && f_mkdir("log/00000001") == FR_OK);
    SplitFolder<Folder> folder;
    REQUIRE(folder.begin() == Status::kOk);
    REQUIRE(fill(path_of(1, 1), 'a', kOldBytes) == kOldBytes);
    REQUIRE(fill(path_of(1, 2), 'b', 100'000) == 100'000);
    REQUIRE(fill("KEPT.BIN", 'k', 300'000) == 300'000);
    static_cast<void>(fill("FILL.BIN", 'f'));
  }
  filesystems::RecordedWrites writes(disk);
  disk.begin_transaction();
  {
    const Volume volume(disk);
    SplitFolder<Folder> folder;
    CHECK(folder.begin() == Status::kOk);
    const LogFile oldest = file_in(folder, 1);
    CHECK(remove_all(folder, oldest));
    CHECK(!is_there(path_of(1, 1)));
  }
  writes.stop();
  disk.roll_back();
  unsigned finished = 0;
  unsigned faults = 0;
  const unsigned cuts = writes.each_cut([&] {
    bool was_removed = false;
    faults += next_boot_is_sound<Folder>(disk, was_removed) ? 0U : 1U;
    finished += was_removed ? 1U : 0U;
  });
  std::printf("%s: %u cuts, after %u of them the file is gone\n", format.name, cuts, finished);
  CHECK(cuts > 50);
  CHECK(finished > cuts / 2);
  CHECK_EQ(faults, 0U);
}

struct Numbered {
  std::int64_t number = 0;
};
constexpr auto kNumbers = mpq::schema(mpq::column("number", &Numbered::number));

bool write_split(unsigned session, unsigned split, std::uint32_t id) {
  static mpq::StaticWriter<kNumbers> writer;  // NOLINT(*-dynamic-static-initializers)
  mpq::VfsFile file;
  const std::string path = "/card/" + path_of(session, split);
  writer.reset();
  return file.create(path.c_str()) == Status::kOk && writer.open(file, {{}, id}) == Status::kOk &&
         writer.append({1}) == Status::kOk && writer.close() == Status::kOk && file.close() == Status::kOk;
}

template <typename Folder>
void keep_the_newest() {
  RamDisk disk(kFat16.sectors);
  REQUIRE(filesystems::format(disk, kFat16));
  const Volume volume(disk);
  for (const char* folder : {"log", "log/00000001", "log/00000002"}) REQUIRE(f_mkdir(folder) == FR_OK);
  for (unsigned split = 1; split <= 6; ++split) REQUIRE(write_split(split < 4 ? 1 : 2, split, 40 + split));
  REQUIRE(write_split(2, 2, 7));  // of another log
  REQUIRE(fill("log/00000002/NOTES.TXT", 't', 100) == 100);
  REQUIRE(fill("log/00000002/00000003_20270131T1012Z.parquet", 'x', 100) == 100);
  SplitFolder<Folder> folder;
  REQUIRE(folder.begin() == Status::kOk);
  mpq::RetentionLimits limits;
  limits.when_full = mpq::WhenFull::kDropOldest;
  limits.files = 3;
  mpq::Retention retention(folder, limits);
  retention.begin_file(2, 6);
  for (std::uint32_t ms = 0; ms < 1'000; ++ms) CHECK(retention.step(ms * 20) != Status::kMediumLost);
  CHECK_EQ(retention.removed(), 3U);
  const std::vector<std::string> wanted = {"log/00000002/00000002.parquet",
                                           "log/00000002/00000003_20270131T1012Z.parquet",
                                           path_of(2, 4),
                                           path_of(2, 5),
                                           path_of(2, 6),
                                           "log/00000002/NOTES.TXT"};
  CHECK(filesystems::names_in("log/00000002") == wanted);
  CHECK(!is_there("log/00000001"));
}

}  // namespace

TEST("a removal on ESP-IDF that a power cut ends at any write hurts no other file") {
  cut_removals<mpq::VfsLogFolder>(kFat16);
  cut_removals<mpq::VfsLogFolder>(kFat32);
}

TEST("so does one on Zephyr") {
  cut_removals<mpq::ZephyrLogFolder>(kFat16);
  cut_removals<mpq::ZephyrLogFolder>(kFat32);
}

TEST("on ESP-IDF and Zephyr the newest files of a log stay, and all of others") {
  keep_the_newest<mpq::VfsLogFolder>();
  keep_the_newest<mpq::ZephyrLogFolder>();
}
