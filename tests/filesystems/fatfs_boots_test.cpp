// A thousand boots one after the other on one card, nearly all of them cut; and cards that fail or are full.
#include <cstdio>
#include <string>
#include <vector>

#include "microparquet/port/fatfs_file.h"
#include "support/boot.h"
#include "support/check.h"
#include "support/images.h"
#include "support/volume.h"

namespace {

using filesystems::Boot;
using filesystems::Format;
using filesystems::Habit;
using filesystems::History;
using filesystems::Imu;
using filesystems::kFat16;
using filesystems::kFat32;
using filesystems::Left;
using filesystems::RamDisk;
using filesystems::StreamImu;
using filesystems::Texts;
using filesystems::Volume;
using microparquet::FatFsFile;
using microparquet::Status;

constexpr char kPath[] = "LOG.PQT";
constexpr unsigned kBoots = 1000;
constexpr unsigned kBootsPerFile = 100;
constexpr unsigned kRowsAtLeast = 300;

// Clusters of the usual size for such a card, small enough to spread a segment over the table.
constexpr Format kFat32Usual{"FAT32", FM_FAT32, 300 << 11, 4096, 2};
#if FF_FS_EXFAT
constexpr Format kExfatUsual{"exFAT", FM_EXFAT, 100 << 11, 4096};
constexpr Format kExfatLarge{"exFAT", FM_EXFAT, 300 << 11, 32768};
#endif

DWORD link_map[64];

std::uint64_t rows_of(const History& history) {
  std::uint64_t rows = 0;
  for (const auto& logged : history) rows += logged.rows;
  return rows;
}

std::vector<std::byte> bytes_of(FatFsFile& file) {
  std::uint64_t size = 0;
  if (file.size(size) != Status::kOk) return {};
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  return file.read_at(0, bytes) == Status::kOk ? bytes : std::vector<std::byte>();
}

template <typename Kind>
class Boots {
 public:
  explicit Boots(const Format& format) : format_(format), disk_(format.sectors) {}

  void run() {
    REQUIRE(filesystems::format(disk_, format_));
    {
      Volume volume(disk_);
      empty_ = volume.free_clusters();
      const FATFS& fatfs = volume.fatfs();
      data_ = static_cast<std::uint32_t>(fatfs.database);
      if (is_exfat()) data_ += (static_cast<std::uint32_t>(fatfs.dirbase) - 2) * fatfs.csize;
    }
    for (unsigned i = 1; i <= kBoots && faults_ == 0; ++i) {
      boot(i);
      if (i % kBootsPerFile == 0) end_file();
    }
    CHECK(cut_ > kBoots / 2);
    CHECK(idle_ > 50);
    CHECK(rows_ > kBoots * 10);
    const std::size_t lost = empty_ - clusters_ - Volume(disk_).free_clusters();
    // FatFs links a cluster whose entry lies in the next sector of the table after it has taken it. On exFAT the bitmap
    // gets on the card before the size does, and a cut between the two loses what that size covers.
    if (is_exfat()) {
      CHECK(lost <= cut_ / 2);
    } else {
      CHECK(lost <= cut_ * 2048 / format_.cluster_bytes / 16);
    }
    std::printf(
        "%s, %s, clusters of %u: %u boots, %u cut, %u logged nothing; %llu rows in %zu clusters, %zu "
        "clusters lost\n",
        format_.name, Kind::kName, format_.cluster_bytes, kBoots, cut_, idle_,
        static_cast<unsigned long long>(rows_), clusters_, lost);
    if (is_exfat())
      std::printf("exfat.clusters_lost_per_cut %.3f clusters\n", static_cast<double>(lost) / cut_);
  }

 private:
  bool is_exfat() const { return format_.type == FM_EXFAT; }
  // Programs that look at images of exFAT want one log on each: exfat_cuts leaves such images.
  bool keeps_images() const { return !is_exfat(); }
  std::uint32_t chance(std::uint32_t what) const { return filesystems::mix(number_, what); }

  void boot(unsigned number) {
    number_ = number;
    const bool idle = chance(0) % 8 == 0;
    Habit habit;
    habit.rows = idle ? 0 : kRowsAtLeast + chance(1) % 400;
    habit.checkpoint_rows = chance(2) % 2 == 0 ? 0 : 10 + chance(3) % 100;
    habit.ms_per_row = chance(4) % 2 == 0 ? 0 : 1000;
    habit.close = chance(5) % 8 == 0;
    constexpr std::size_t kTears[] = {0, 0, 100, 256, 511};
    if (chance(6) % 16 != 0) disk_.cut_after(chance(7) % 80, kTears[chance(8) % 5], data_);
    Boot<Kind> boot(number);
    log(boot, habit);
    cut_ += disk_.is_cut() ? 1U : 0U;
    idle_ += idle ? 1U : 0U;
    disk_.power_on();
    const std::string fault = look(boot, idle);
    if (CHECK(fault.empty())) return;
    ++faults_;
    std::printf("  %s, %s: boot %u: %s\n", format_.name, Kind::kName, number, fault.c_str());
  }

  // A failure other than by the cut is one.
  void log(Boot<Kind>& boot, const Habit& habit) {
    const Volume volume(disk_);
    FatFsFile file(link_map);
    Status status = file.open_for_append(kPath);
    if (status == Status::kOk) status = boot.resume(file);
    if (status == Status::kOk) status = boot.log(habit);
    if (status == Status::kOk && habit.close) status = file.close();
    if (!CHECK(disk_.is_cut() ? status == Status::kMediumLost : status == Status::kOk)) {
      ++faults_;
      std::printf("  boot %u: %s, FatFs %d\n", boot.number(), to_string(status), file.native_error());
    }
  }

  std::string look(const Boot<Kind>& boot, bool idle) {
    const Volume volume(disk_);
    FatFsFile file(link_map);
    const Status opened = file.open_for_reading(kPath);
    if (opened != Status::kOk) return history_.empty() ? std::string() : "the file cannot be opened";
    const std::vector<std::byte> bytes = bytes_of(file);
    if (bytes.empty()) return history_.empty() ? std::string() : "the file is empty";
    if (idle && bytes_.size() > 1000 && bytes != bytes_)
      return "the file is another although nothing was logged";
    bytes_ = bytes;
    History found;
    std::string fault = filesystems::read_log<Kind>(file, found);
    static_cast<void>(file.close());
    if (!fault.empty()) return fault;
    std::string difference = compare(found, history_, boot.number(), boot.durable(), boot.offered());
    if (number_ % 110 == 0 && keeps_images())
      CHECK(filesystems::keep_image(disk_, name() + std::to_string(number_), Left::kCut, found));
    history_ = found;
    return difference;
  }

  // One more boot closes the file, and the next one begins another.
  void end_file() {
    Volume volume(disk_);
    FatFsFile file(link_map);
    Boot<Kind> boot(number_ + kBoots);
    CHECK(file.open_for_append(kPath) == Status::kOk);
    CHECK(boot.resume(file) == Status::kOk);
    CHECK(boot.log({10, 0, 0, true}) == Status::kOk);
    CHECK(file.close() == Status::kOk);
    history_.push_back({number_ + kBoots, 10});
    CHECK(file.open_for_reading(kPath) == Status::kOk);
    clusters_ += (bytes_of(file).size() + format_.cluster_bytes - 1) / format_.cluster_bytes;
    History found;
    CHECK_EQ(filesystems::read_log<Kind>(file, found), "");
    CHECK_EQ(compare(found, history_, 0, 0, 0), "");
    CHECK(file.close() == Status::kOk);
    if (number_ % (3 * kBootsPerFile) == 0 && keeps_images()) {
      CHECK(filesystems::keep_image(disk_, name() + std::to_string(number_), Left::kResumed, history_));
    }
    CHECK(f_rename(kPath, (std::to_string(number_) + ".PQT").c_str()) == FR_OK);
    rows_ += rows_of(history_);
    history_.clear();
    bytes_.clear();
  }

  std::string name() const {
    return std::string(format_.name) + "_" + std::to_string(format_.cluster_bytes) + "_" + Kind::kName +
           "_boot_";
  }

  const Format& format_;
  RamDisk disk_;
  unsigned number_ = 0;
  std::uint32_t empty_ = 0;
  std::uint32_t data_ = 0;    // where the clusters begin that files have
  std::size_t clusters_ = 0;  // of whole files
  std::uint64_t rows_ = 0;    // in them
  History history_;           // of the file that is being written
  std::vector<std::byte> bytes_;
  unsigned cut_ = 0;
  unsigned idle_ = 0;
  unsigned faults_ = 0;
};

// The card fails at one of its sectors, once or for good; it is mounted again, and the next writer continues.
template <typename Kind>
void fail_at_each(const Format& format, RamDisk::Access failing, bool for_good) {
  constexpr Habit kHabit{600, 90, 0, true};
  constexpr Habit kAfter{100, 0, 0, true};
  RamDisk disk(format.sectors);
  REQUIRE(filesystems::format(disk, format));
  for (unsigned nth = 0, wrong = 0; wrong == 0; ++nth) {
    disk.begin_transaction();
    Volume volume(disk);
    unsigned count = 0;
    bool failed = false;
    disk.set_watch([&](RamDisk::Access access, std::uint32_t, const std::byte*) {
      const bool fails = access == failing && (count++ == nth || (failed && for_good));
      failed = failed || fails;
      return !fails;
    });
    FatFsFile file(link_map);
    Boot<Kind> first(0);
    Status status = file.open_for_append(kPath);
    if (status == Status::kOk) status = first.resume(file);
    if (status == Status::kOk) status = first.log(kHabit);
    const Status closed = file.close();
    if (status == Status::kOk) status = closed;
    const std::uint32_t durable = first.durable();
    const std::uint32_t offered = first.offered();
    disk.set_watch({});
    // FatFs passes over an error in the second table and in FSINFO, and so may the card.
    bool good = CHECK(status == (failed ? Status::kMediumLost : Status::kOk) ||
                      (status == Status::kOk && failing == RamDisk::Access::kWrite));
    volume.mount(disk);
    Boot<Kind> second(1);
    History found;
    good = good && CHECK(file.open_for_append(kPath) == Status::kOk) &&
           CHECK(second.resume(file) == Status::kOk) && CHECK(second.log(kAfter) == Status::kOk) &&
           CHECK(file.close() == Status::kOk) && CHECK(file.open_for_reading(kPath) == Status::kOk) &&
           CHECK_EQ(filesystems::read_log<Kind>(file, found), "");
    static_cast<void>(file.close());
    History before(found);
    if (good) {
      before.pop_back();
      good = CHECK_EQ(compare(before, {}, 0, durable, offered), "") &&
             CHECK_EQ(compare(found, before, 1, kAfter.rows, kAfter.rows), "");
    }
    if (nth % 101 == 50) {
      const std::string name = std::string(format.name) + "_" + Kind::kName + "_failed_" +
                               std::to_string(nth) + (for_good ? "g" : "o") +
                               (failing == RamDisk::Access::kRead ? "r" : "w");
      CHECK(filesystems::keep_image(disk, name, Left::kResumed, found));
    }
    disk.roll_back();
    wrong += good ? 0U : 1U;
    if (!good) {
      std::printf("  %s, %s: sector %s %u fails%s: %s\n", format.name, Kind::kName,
                  failing == RamDisk::Access::kRead ? "read" : "write", nth, for_good ? " for good" : "",
                  to_string(status));
    }
    if (!failed) {
      CHECK(nth > 10);
      break;
    }
  }
}

// The card fails once, at each access in turn; it is mounted again, and the same writer continues. Pages are
// whole sectors: what waits in FatFs's buffer for the rest of its sector is lost.
template <typename Kind>
class Reconnection {
 public:
  Reconnection(const Format& format, RamDisk::Access failing, std::uint32_t checkpoint_rows)
      : failing_(failing), checkpoint_rows_(checkpoint_rows), disk_(format.sectors) {
    CHECK(filesystems::format(disk_, format));
  }

  void run() {
    for (nth_ = 0; fail_once(); ++nth_) {
    }
    CHECK(nth_ > 10);
    CHECK(reconnected_ > 5);
  }

 private:
  // False: nothing failed any more, or something went wrong.
  bool fail_once() {
    disk_.begin_transaction();
    Volume volume(disk_);
    FatFsFile file(link_map);
    unsigned count = 0;
    failed_ = false;
    disk_.set_watch([&](RamDisk::Access access, std::uint32_t, const std::byte*) {
      const bool fails = access == failing_ && count++ == nth_;
      failed_ = failed_ || fails;
      return !fails;
    });
    const std::string fault = log_all(volume, file);
    disk_.set_watch({});
    static_cast<void>(file.close());
    disk_.roll_back();
    if (!CHECK(fault.empty())) std::printf("  %s: access %u fails: %s\n", Kind::kName, nth_, fault.c_str());
    return failed_ && fault.empty();
  }

  std::string log_all(Volume& volume, FatFsFile& file) {
    constexpr std::uint32_t kRows = 600;
    Status status = file.open_for_append(kPath);
    if (status == Status::kMediumLost) {
      volume.mount(disk_);
      status = file.open_for_append(kPath);
    }
    if (status != Status::kOk) return std::string("resume of the file: ") + to_string(status);
    Boot<Kind> boot(0);
    status = boot.resume(file);
    if (status == Status::kMediumLost) {
      volume.mount(disk_);
      boot.writer().reset();
      status = file.open_for_append(kPath);
      if (status == Status::kOk) status = boot.resume(file);
    }
    while (status == Status::kOk && boot.offered() < kRows) {
      status = attempt(volume, file, [&] { return boot.append(); });
      if (status == Status::kOk && boot.offered() % checkpoint_rows_ == 0)
        status = attempt(volume, file, [&] { return boot.writer().checkpoint(); });
    }
    if (status == Status::kOk) status = attempt(volume, file, [&] { return boot.writer().close(); });
    if (status != Status::kOk) return std::string("the writer: ") + to_string(status);
    if (boot.writer().lost_rows() != 0) return std::to_string(boot.writer().lost_rows()) + " rows are lost";
    static_cast<void>(file.close());  // which may be what fails
    disk_.set_watch({});
    volume.mount(disk_);
    if (file.open_for_reading(kPath) != Status::kOk) return "the file cannot be opened";
    History found;
    const std::string fault = filesystems::read_log<Kind>(file, found);
    return fault.empty() ? compare(found, {}, 0, kRows, kRows) : fault;
  }

  template <typename Call>
  Status attempt(Volume& volume, FatFsFile& file, Call call) {
    Status status = call();
    if (status != Status::kMediumLost) return status;
    volume.mount(disk_);
    status = file.open_for_append(kPath);
    if (status == Status::kOk) status = Boot<Kind>::writer().reconnect(file);
    ++reconnected_;
    return status == Status::kOk ? call() : status;
  }

  RamDisk::Access failing_;
  std::uint32_t checkpoint_rows_;
  RamDisk disk_;
  unsigned nth_ = 0;
  unsigned reconnected_ = 0;
  bool failed_ = false;
};

// The card ends while rows are logged: the file is closed whole.
template <typename Kind>
void fill(const Format& format, std::uint32_t free_sectors) {
  RamDisk disk(format.sectors);
  REQUIRE(filesystems::format(disk, format));
  Volume volume(disk);
  FIL other;
  REQUIRE(f_open(&other, "FULL.TXT", FA_CREATE_NEW | FA_WRITE) == FR_OK);
  const std::uint32_t clusters = free_sectors * 512 / format.cluster_bytes;
  REQUIRE(f_lseek(&other, FSIZE_t{volume.free_clusters() - clusters} * format.cluster_bytes) == FR_OK);
  REQUIRE(f_close(&other) == FR_OK);
  FatFsFile file(link_map);
  Boot<Kind> boot(0);
  REQUIRE(file.open_for_append(kPath) == Status::kOk);
  Status status = boot.resume(file);
  for (unsigned i = 0; i < 100000 && status == Status::kOk; ++i) {
    status = i % 50 == 49 ? boot.writer().checkpoint() : boot.append();
  }
  CHECK_EQ(to_string(status), to_string(Status::kNoSpace));
  CHECK_EQ(to_string(boot.writer().close()), "ok");
  CHECK(file.close() == Status::kOk);
  History found;
  CHECK(file.open_for_reading(kPath) == Status::kOk);
  CHECK_EQ(filesystems::read_log<Kind>(file, found), "");
  CHECK(file.close() == Status::kOk);
  CHECK_EQ(rows_of(found), boot.offered());
  CHECK(boot.offered() > free_sectors / 2);
  CHECK(filesystems::keep_image(
      disk, std::string(format.name) + "_" + Kind::kName + "_full_" + std::to_string(free_sectors),
      Left::kClosed, found));
  std::printf("%s, %s: %u free sectors took %u rows\n", format.name, Kind::kName, free_sectors,
              boot.offered());
}

}  // namespace

TEST("a thousand boots on one card lose no durable row, and no clusters to speak of") {
  Boots<Imu>(kFat32Usual).run();
  Boots<Imu>(kFat32).run();
  Boots<Texts>(kFat32).run();
  Boots<StreamImu>(kFat32Usual).run();
}

#if FF_FS_EXFAT
TEST("a thousand boots on one exFAT card lose no durable row, and less than a cluster in two cuts") {
  Boots<Imu>(kExfatUsual).run();
  Boots<Imu>(kExfatLarge).run();
  Boots<Texts>(kExfatUsual).run();
  Boots<StreamImu>(kExfatUsual).run();
}
#endif

TEST("a failing sector costs what was not durable, and the log continues after a remount") {
  for (const Format& format : {kFat16, kFat32}) {
    for (const bool for_good : {false, true}) {
      fail_at_each<Imu>(format, RamDisk::Access::kWrite, for_good);
      fail_at_each<Imu>(format, RamDisk::Access::kRead, for_good);
      fail_at_each<Imu>(format, RamDisk::Access::kSync, for_good);
      fail_at_each<Texts>(format, RamDisk::Access::kWrite, for_good);
    }
  }
}

TEST("a writer that is connected again after a failing sector loses no row") {
  using Access = RamDisk::Access;
  for (const Access failing : {Access::kRead, Access::kWrite, Access::kSync}) {
    for (const std::uint32_t checkpoint_rows : {90U, 250U}) {
      Reconnection<Imu>(kFat32, failing, checkpoint_rows).run();
      Reconnection<Imu>(kFat16, failing, checkpoint_rows).run();
    }
  }
}

TEST("a full card leaves a whole file") {
  for (const std::uint32_t sectors : {700U, 1500U, 1511U, 3000U, 5003U}) {
    fill<Imu>(kFat16, sectors);
    fill<Imu>(kFat32, sectors);
    fill<Texts>(kFat32, sectors);
  }
}
