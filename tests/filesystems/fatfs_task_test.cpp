// FatFs as a system of tasks has it: the card is touched by those only who hold its volume, and a volume that
// another task holds too long is not a lost one.
#include <cstdio>
#include <vector>

#include "microparquet/port/fatfs_file.h"
#include "support/boot.h"
#include "support/check.h"
#include "support/volume.h"

namespace {

using filesystems::Boot;
using filesystems::Imu;
using filesystems::RamDisk;
using filesystems::Volume;
using microparquet::FatFsFile;
using microparquet::Status;

constexpr unsigned kNever = ~0U;

bool is_held = false;
bool is_anothers = false;
unsigned takes_before_anothers = kNever;  // once

constexpr microparquet::Options forward() {
  microparquet::Options options = filesystems::imu_options();
  options.layout = &microparquet::kForward;
  return options;
}

struct ForwardImu : Imu {
  static constexpr microparquet::Options kOptions = forward();
};

template <typename Kind>
void log(const filesystems::Format& format) {
  RamDisk disk(format.sectors);
  REQUIRE(filesystems::format(disk, format));
  Volume volume(disk);
  unsigned accesses = 0;
  unsigned unguarded = 0;
  disk.set_watch([&](RamDisk::Access, std::uint32_t, const std::byte*) {
    ++accesses;
    unguarded += is_held ? 0U : 1U;
    return true;
  });
  FatFsFile file;
  Boot<Kind> boot(0);
  CHECK(file.create("LOG.PQT") == Status::kOk);
  CHECK(boot.resume(file) == Status::kOk);
  CHECK(boot.log({500, 60, 0, true}) == Status::kOk);
  CHECK(file.close() == Status::kOk);
  CHECK_EQ(unguarded, 0U);
  CHECK(accesses > 100);
}

// Repeats a call until the other task has released the volume, as a task does that can wait.
template <typename Call>
Status repeated(Call call) {
  Status status = Status::kIoError;
  for (int tries = 0; tries < 3 && status == Status::kIoError; ++tries) status = call();
  return status;
}

// A boot in which the volume is another task's once, after that many calls that took it.
template <typename Kind>
Status log_beside_another(std::uint32_t number, unsigned takes) {
  FatFsFile file;
  Boot<Kind> boot(number);
  takes_before_anothers = takes;
  Status status = repeated([&] { return file.open_for_append("LOG.PQT"); });
  if (status == Status::kOk) status = repeated([&] { return boot.resume(file); });
  for (unsigned row = 1; row <= 120 && status == Status::kOk; ++row) {
    status = repeated([&] { return boot.append(); });
    if (status == Status::kOk && row % 50 == 0) status = repeated([&] { return boot.writer().checkpoint(); });
  }
  if (status == Status::kOk) status = repeated([&] { return boot.writer().close(); });
  if (status == Status::kOk) status = repeated([&] { return file.close(); });
  return status;
}

// Describes the fault of the card afterwards; empty: none.
template <typename Kind>
std::string fault_of_log(std::uint32_t free_clusters, Volume& volume, filesystems::History& rows) {
  FatFsFile file;
  if (file.open_for_append("LOG.PQT") != Status::kOk) return "the file is still open";
  const std::string fault = filesystems::read_log<Kind>(file, rows);
  if (!fault.empty()) return fault;
  if (file.close() != Status::kOk) return "the file cannot be closed";
  return volume.free_clusters() == free_clusters ? std::string() : "clusters are lost, or kept";
}

// Two boots, the second of which is disturbed at each take in turn, leave what two do that are not.
template <typename Kind>
void disturb_each_take(const filesystems::Format& format) {
  RamDisk formatted(format.sectors);
  RamDisk disk(format.sectors);
  REQUIRE(filesystems::format(formatted, format));
  std::uint32_t free_clusters = 0;
  {
    Volume volume(formatted);
    REQUIRE(log_beside_another<Kind>(0, kNever) == Status::kOk);
    disk.copy_from(formatted);
    volume.mount(disk);
    REQUIRE(log_beside_another<Kind>(1, kNever) == Status::kOk);
    free_clusters = volume.free_clusters();
  }
  unsigned takes = 0;
  for (bool was_disturbed = true; was_disturbed && takes < 10'000; ++takes) {
    disk.copy_from(formatted);
    Volume volume(disk);
    const Status status = log_beside_another<Kind>(1, takes);
    was_disturbed = takes_before_anothers == kNever;
    takes_before_anothers = kNever;
    filesystems::History rows;
    CHECK_EQ(to_string(status), to_string(Status::kOk));
    REQUIRE_EQ(fault_of_log<Kind>(free_clusters, volume, rows), std::string());
    REQUIRE(rows.size() == 2 && rows[0].rows == 120 && rows[1].rows == 120);
  }
  CHECK(takes > 100 && takes < 10'000);
}

}  // namespace

extern "C" int ff_mutex_create(int) { return 1; }
extern "C" void ff_mutex_delete(int) {}
extern "C" int ff_mutex_take(int volume) {
  if (is_anothers) return 0;
  if (takes_before_anothers != kNever && takes_before_anothers-- == 0) return 0;
  is_held = is_held || volume == 0;
  return 1;
}
extern "C" void ff_mutex_give(int volume) { is_held = is_held && volume != 0; }

TEST("whoever touches the card holds its volume") {
  for (const auto& format : {filesystems::kFat16, filesystems::kFat32, filesystems::kExfat}) {
    log<Imu>(format);
    log<ForwardImu>(format);
  }
}

TEST("whoever mends a folder holds its volume, and waits for it") {
  RamDisk disk(filesystems::kExfat.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kExfat));
  Volume volume(disk);
  FatFsFile file;
  REQUIRE(file.create("LOG.PQT") == Status::kOk && file.close() == Status::kOk);
  const FATFS& fatfs = volume.fatfs();
  const auto root = static_cast<std::uint32_t>(fatfs.database + fatfs.csize * (fatfs.dirbase - 2));
  for (unsigned take = 0, is_clean = 0; is_clean == 0; ++take) {
    volume.mount(disk);
    disk.sector(root)[6 * 32 + 2] ^= std::byte{1};  // the checksum of the log's entry set
    unsigned unguarded = 0;
    disk.set_watch([&](RamDisk::Access, std::uint32_t, const std::byte*) {
      unguarded += is_held ? 0U : 1U;
      return true;
    });
    takes_before_anothers = take;
    const Status status = file.open_for_append("LOG.PQT");
    is_clean = takes_before_anothers != kNever ? 1 : 0;
    CHECK_EQ(to_string(status), to_string(is_clean != 0 ? Status::kOk : Status::kIoError));
    takes_before_anothers = kNever;
    CHECK(file.open_for_append("LOG.PQT") == Status::kOk && file.close() == Status::kOk);
    CHECK_EQ(unguarded, 0U);
    disk.set_watch({});
  }
}

TEST("what is open does not free the clusters of what was, if the volume is another task's") {
  const std::vector<std::byte> data(150'000);
  RamDisk disk(filesystems::kExfat.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kExfat));
  Volume volume(disk);
  DWORD link_map[16];
  FatFsFile file(link_map);
  const auto write = [&](const char* path, std::size_t bytes) {
    return file.create(path, microparquet::Existing::kOverwrite) == Status::kOk &&
           file.write_at(0, microparquet::Span<const std::byte>(data.data(), bytes)) == Status::kOk &&
           file.sync(bytes) == Status::kOk && file.close() == Status::kOk;
  };
  REQUIRE(write("SHORT.PQT", 100) && write("LONG.PQT", data.size()));
  const std::uint32_t free_clusters = volume.free_clusters();
  bool was_disturbed = true;
  for (unsigned take = 0; was_disturbed; ++take) {
    REQUIRE(file.open_for_append("LONG.PQT") == Status::kOk && file.close() == Status::kOk);
    takes_before_anothers = take;
    const Status status = repeated([&] { return file.open_for_append("SHORT.PQT"); });
    was_disturbed = takes_before_anothers == kNever;
    takes_before_anothers = kNever;
    CHECK_EQ(to_string(status), to_string(Status::kOk));
    REQUIRE_EQ(volume.free_clusters(), free_clusters);
  }
}

TEST("a volume that another task holds is waited for by repeating the call") {
  RamDisk disk(filesystems::kFat32.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kFat32));
  Volume volume(disk);
  FatFsFile file;
  REQUIRE(file.create("LOG.PQT") == Status::kOk);
  std::array<std::byte, 700> data = {};
  const auto repeated = [](auto call) {
    is_anothers = true;
    CHECK_EQ(to_string(call()), to_string(Status::kIoError));
    is_anothers = false;
    CHECK_EQ(to_string(call()), to_string(Status::kOk));
  };
  repeated([&] { return file.write_at(0, data); });
  repeated([&] { return file.sync(data.size()); });
  repeated([&] { return file.write_at(data.size(), data); });
  repeated([&] { return file.barrier(); });
  repeated([&] { return file.read_at(0, data); });
  repeated([&] { return file.shrink(data.size()); });
  CHECK(file.close() == Status::kOk);
}

TEST(
    "a file is removed or overwritten under the mutex, and a volume that is another task's for once costs "
    "nothing") {
  const std::vector<std::byte> data(150'000);
  for (const auto& format : {filesystems::kFat16, filesystems::kFat32, filesystems::kExfat}) {
    for (const bool is_removed : {true, false}) {
      RamDisk disk(format.sectors);
      REQUIRE(filesystems::format(disk, format));
      bool was_disturbed = true;
      for (unsigned take = 0; was_disturbed; ++take) {
        Volume volume(disk);
        const std::uint32_t free_clusters = volume.free_clusters();
        FatFsFile file;
        REQUIRE(file.create("OLD.PQT") == Status::kOk && file.write_at(0, data) == Status::kOk);
        REQUIRE(file.sync(data.size()) == Status::kOk && file.close() == Status::kOk);
        unsigned unguarded = 0;
        disk.set_watch([&](RamDisk::Access, std::uint32_t, const std::byte*) {
          unguarded += is_held ? 0U : 1U;
          return true;
        });
        takes_before_anothers = take;
        FRESULT result = FR_OK;
        const Status status = repeated([&] {
          if (!is_removed) return file.create("OLD.PQT", microparquet::Existing::kOverwrite);
          const Status removed = FatFsFile::remove("OLD.PQT", &result);
          return removed == Status::kIoError && result == FR_NO_FILE ? Status::kOk : removed;
        });
        was_disturbed = takes_before_anothers == kNever;
        takes_before_anothers = kNever;
        disk.set_watch({});
        CHECK_EQ(to_string(status), to_string(Status::kOk));
        CHECK_EQ(unguarded, 0U);
        if (!is_removed) CHECK(file.close() == Status::kOk);
        REQUIRE_EQ(volume.free_clusters(), free_clusters);
        if (!is_removed) CHECK(FatFsFile::remove("OLD.PQT") == Status::kOk);
      }
    }
  }
}

TEST("a volume that is another task's for once costs nothing, at whichever take") {
  for (const auto& format : {filesystems::kFat16, filesystems::kFat32, filesystems::kExfat}) {
    disturb_each_take<Imu>(format);
    disturb_each_take<ForwardImu>(format);
  }
}
