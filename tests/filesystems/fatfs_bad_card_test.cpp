// Logs, the stream above all, on cards and volumes that are not what a logger expects: a card smaller than it says, clusters
// of 512 bytes and of 16 and 32 MiB, and a host that reads while the log continues. A status, and no durable row is lost.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "microparquet/port/fatfs_file.h"
#include "support/boot.h"
#include "support/check.h"
#include "support/volume.h"

namespace {

using filesystems::Boot;
using filesystems::Format;
using filesystems::History;
using filesystems::Imu;
using filesystems::RamDisk;
using filesystems::StreamImu;
using filesystems::Volume;
using microparquet::FatFsFile;
using microparquet::Status;

constexpr char kFirstPath[] = "FIRST.PQT";
constexpr char kBadCardPath[] = "LOG.PQT";
constexpr std::uint32_t kFirstRows = 500;
constexpr std::uint32_t kCheckpointRows = 150;

DWORD link_map[64];  // NOLINT(*-avoid-non-const-global-variables)

// What a card does with sectors that it has not.
enum class Lie : std::uint8_t { kRefuses, kDrops, kWraps };

// Says that it has all sectors of a disk, and has the first ones.
class LyingCard final : public filesystems::BlockLayer {
 public:
  LyingCard(RamDisk& disk, std::uint32_t sectors, Lie lie) : disk_(disk), sectors_(sectors), lie_(lie) {
    disk.set_front(this);
  }
  ~LyingCard() { disk_.set_front(nullptr); }
  LyingCard(const LyingCard&) = delete;
  LyingCard& operator=(const LyingCard&) = delete;

  bool read(std::uint32_t first, std::byte* out, std::uint32_t count) override {
    for (std::uint32_t i = 0; i < count; ++i, out += filesystems::kSectorBytes) {
      beyond_ = beyond_ || first + i >= sectors_;
      if (has(first + i)) {
        if (!disk_.read(place(first + i), out, 1)) return false;
      } else if (lie_ == Lie::kDrops) {
        std::memset(out, 0xFF, filesystems::kSectorBytes);
      } else {
        return false;
      }
    }
    return true;
  }
  bool write(std::uint32_t first, const std::byte* data, std::uint32_t count) override {
    for (std::uint32_t i = 0; i < count; ++i, data += filesystems::kSectorBytes) {
      beyond_ = beyond_ || first + i >= sectors_;
      if (has(first + i) ? !disk_.write(place(first + i), data, 1) : lie_ == Lie::kRefuses) return false;
    }
    return true;
  }
  bool sync() override { return disk_.sync(); }

  // Whether the log has got to where the card lies.
  bool is_found_out() const { return beyond_; }

 private:
  bool has(std::uint32_t sector) const { return sector < sectors_ || lie_ == Lie::kWraps; }
  std::uint32_t place(std::uint32_t sector) const { return sector % sectors_; }

  RamDisk& disk_;
  std::uint32_t sectors_;
  Lie lie_;
  bool beyond_ = false;
};

// Logs rows with checkpoints until a call fails.
template <typename Kind>
Status log_on(const char* path, Boot<Kind>& boot, std::uint32_t rows) {
  FatFsFile file(link_map);
  Status status = file.open_for_append(path);
  if (status == Status::kOk) status = boot.resume(file);
  if (status == Status::kOk) status = boot.log({rows, kCheckpointRows, 0, true});
  const Status closed = file.close();
  return status == Status::kOk ? closed : status;
}

template <typename Kind>
std::string read_back(const char* path, History& found) {
  found.clear();
  FatFsFile file(link_map);
  if (file.open_for_reading(path) != Status::kOk) return "the reader: the file cannot be opened";
  std::string fault = filesystems::read_log<Kind>(file, found);
  static_cast<void>(file.close());
  return fault;
}

bool is_the_readers(const std::string& fault) { return fault.rfind("the reader: ", 0) == 0; }

// A closed log lies where the card has sectors, and another one grows beyond their end.
template <typename Kind>
void log_beyond(const Format& format, Lie lie) {
  constexpr std::uint32_t kRows = 12'000;
  constexpr std::uint32_t kSectorsLeft = 1000;
  RamDisk disk(format.sectors);
  REQUIRE(filesystems::format(disk, format));
  Volume volume(disk);
  {
    Boot<Kind> first(0);
    REQUIRE(log_on(kFirstPath, first, kFirstRows) == Status::kOk);
  }
  const FATFS& fatfs = volume.fatfs();
  const auto end = static_cast<std::uint32_t>(fatfs.database) + (fatfs.last_clst - 2) * fatfs.csize;
  LyingCard card(disk, end + kSectorsLeft, lie);
  Boot<Kind> boot(1);
  const Status status = log_on(kBadCardPath, boot, kRows);
  CHECK(card.is_found_out());
  CHECK(lie == Lie::kRefuses ? status == Status::kMediumLost : status != Status::kOk);
  volume.mount(disk);
  History found;
  const std::string fault = read_back<Kind>(kBadCardPath, found);
  if (lie == Lie::kRefuses) {
    CHECK(boot.durable() > 0);
    CHECK_EQ(fault, "");
    CHECK_EQ(compare(found, {}, 1, boot.durable(), boot.offered()), "");
  } else {
    CHECK(is_the_readers(fault));  // rows are lost, as the card wants it, and none is made up
  }
  if (lie == Lie::kWraps) return;  // it has overwritten the table
  CHECK_EQ(read_back<Kind>(kFirstPath, found), "");
  CHECK_EQ(compare(found, {}, 0, kFirstRows, kFirstRows), "");
}

// The power fails now and then; each boot continues the file.
template <typename Kind>
void log_through_cuts(const Format& format) {
  constexpr unsigned kBoots = 12;
  constexpr std::uint32_t kRows = 600;
  RamDisk disk(format.sectors);
  REQUIRE(filesystems::format(disk, format));
  History history;
  for (unsigned number = 0; number < kBoots; ++number) {
    Boot<Kind> boot(number);
    {
      const Volume volume(disk);
      if (number % 3 != 2) disk.cut_after(7 + 13 * number, 0);
      static_cast<void>(log_on(kBadCardPath, boot, kRows));
    }
    disk.power_on();
    const Volume volume(disk);
    History found;
    const std::string fault = read_back<Kind>(kBadCardPath, found);
    if (history.empty() && boot.durable() == 0 && !fault.empty()) continue;  // there is no file yet
    CHECK_EQ(fault, "");
    CHECK_EQ(compare(found, history, number, boot.durable(), boot.offered()), "");
    history = found;
  }
  CHECK(!history.empty() && history.back().rows == kRows);
}

// A host that has looked up a log's size, and has the rows that were durable then to expect.
struct Look {
  std::uint64_t size;
  std::uint32_t durable;
};

// The log as that host reads it later.
class SizeOfThen final : public support::ForwardingFile {
 public:
  SizeOfThen(microparquet::File& file, std::uint64_t size) : ForwardingFile(file), size_(size) {}
  Status size(std::uint64_t& bytes) override {
    bytes = size_;
    return Status::kOk;
  }

 private:
  std::uint64_t size_;
};

template <typename Kind>
void read_meanwhile(const Format& format) {
  RamDisk disk(format.sectors);
  REQUIRE(filesystems::format(disk, format));
  const Volume volume(disk);
  FatFsFile file(link_map);
  filesystems::WatchedFile watched(file);
  REQUIRE(file.open_for_append(kBadCardPath) == Status::kOk);
  Boot<Kind> boot(0);
  REQUIRE(boot.resume(watched) == Status::kOk);
  std::vector<Look> looks;
  for (unsigned i = 0; i < 20; ++i) {
    CHECK(boot.log({kCheckpointRows, 0, 0, false}) == Status::kOk);
    CHECK(boot.writer().checkpoint() == Status::kOk);
    looks.push_back({watched.published(), boot.durable()});
  }
  CHECK(looks.back().durable == boot.offered());
  for (const Look& look : looks) {
    SizeOfThen seen(file, look.size);
    History found;
    CHECK_EQ(filesystems::read_log<Kind>(seen, found), "");
    CHECK_EQ(compare(found, {}, 0, look.durable, boot.offered()), "");
  }
  CHECK(boot.writer().close() == Status::kOk && file.close() == Status::kOk);
}

constexpr Format kFat32Lying{"FAT32", FM_FAT32, 300 << 11, 4096};
#if FF_FS_EXFAT
constexpr Format kExfatLying{"exFAT", FM_EXFAT, 100 << 11, 4096};
constexpr Format kExfatSmallest{"exFAT", FM_EXFAT, 16 << 11, 512};
constexpr Format kExfatLargest{"exFAT", FM_EXFAT, 1 << 21, 16 << 20};
#endif

}  // namespace

TEST("a card that is smaller than it says costs no durable row where it refuses, and never makes one up") {
  for (const Lie lie : {Lie::kRefuses, Lie::kDrops, Lie::kWraps}) {
    log_beyond<StreamImu>(kFat32Lying, lie);
    log_beyond<Imu>(kFat32Lying, lie);
#if FF_FS_EXFAT
    log_beyond<StreamImu>(kExfatLying, lie);
    log_beyond<Imu>(kExfatLying, lie);
#endif
  }
}

TEST("clusters of a sector, and of 16 MiB, take logs that lose no durable row") {
  log_through_cuts<StreamImu>(filesystems::kFat32);
#if FF_FS_EXFAT
  log_through_cuts<StreamImu>(kExfatSmallest);
  log_through_cuts<StreamImu>(kExfatLargest);
  log_through_cuts<Imu>(kExfatSmallest);
  log_through_cuts<Imu>(kExfatLargest);
#endif
}

#if FF_FS_EXFAT
TEST("a volume with clusters of 32 MiB, which FatFs does not take, is refused, and nothing of it changes") {
  constexpr std::size_t kClusterShift = 109;
  RamDisk disk(kExfatLargest.sectors);
  REQUIRE(filesystems::format(disk, kExfatLargest));
  disk.sector(0)[kClusterShift] = std::byte{16};
  const Volume volume(disk);
  const unsigned writes = disk.writes();
  CHECK(volume.result() == FR_NO_FILESYSTEM);
  FatFsFile file(link_map);
  CHECK(file.open_for_append(kBadCardPath) == Status::kIoError);
  CHECK(file.native_error() == FR_NO_FILESYSTEM);
  CHECK(file.create(kBadCardPath) == Status::kIoError && !file.is_open());
  CHECK_EQ(disk.writes(), writes);
}
#endif

TEST("a host that looks up a stream's size, and reads it later, has the rows of then") {
  read_meanwhile<StreamImu>(kFat32Lying);
#if FF_FS_EXFAT
  read_meanwhile<StreamImu>(kExfatLying);
#endif
}
