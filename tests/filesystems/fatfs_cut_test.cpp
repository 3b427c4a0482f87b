// The power fails at each sector write of a boot in turn, before it and within it.
//
// The boot is run once and its sector writes are kept; what the card holds after a cut follows from them.
#include <cstdio>
#include <cstring>
#include <string>
#include <unordered_map>
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
using filesystems::Left;
using filesystems::RamDisk;
using filesystems::Sector;
using filesystems::Volume;
using filesystems::WatchedFile;
using microparquet::FatFsFile;
using microparquet::Status;

constexpr char kPath[] = "LOG.PQT";
constexpr Habit kFirst{2000, 170, 0, true};
constexpr Habit kTicking{2000, 0, 1000, true};
constexpr Habit kLater{60, 25, 0, true};

constexpr std::size_t kTears[] = {0, 100, 256, 511};

DWORD link_map[64];

// A sector write, and what was known before it.
struct Moment {
  std::uint32_t sector = 0;
  Sector data;
  std::uint32_t offered = 0;
  std::uint32_t durable = 0;
  std::uint64_t published = 0;
  std::uint64_t publishing = 0;
  unsigned syncs = 0;  // that the card was asked for
};

// Bytes of a sector that are the file's directory entry; none: it is another sector.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

Range directory_entry(const Sector& sector) {
  static constexpr char kOnFat[] = "LOG     PQT";
  static constexpr char kOnExfat[] = "L\0O\0G\0.\0P\0Q\0T";
  for (std::size_t at = 0; at < sector.size(); at += 32) {
    if (std::memcmp(&sector[at], kOnFat, sizeof kOnFat - 1) == 0) return {at, at + 32};
    // The last of three entries that make one.
    if (at >= 64 && std::memcmp(&sector[at + 2], kOnExfat, sizeof kOnExfat - 1) == 0)
      return {at - 64, at + 32};
  }
  return {};
}

template <typename Kind>
class CutSweep {
 public:
  CutSweep(const Format& format, const Habit& habit)
      : format_(format), habit_(habit), disk_(format.sectors), base_(format.sectors) {}

  void run() {
    REQUIRE(filesystems::format(disk_, format_));
    base_.copy_from(disk_);
    REQUIRE(record());
    disk_.copy_from(base_);
    for (std::size_t i = 0; i < moments_.size() && faults_ < 5; ++i) cut_at(i);
    CHECK(cuts_ + directory_cuts_ >= 4 * moments_.size());
    CHECK(torn_directory_ * (format_.type == FM_EXFAT ? 50 : 25) <= directory_cuts_);
    CHECK(resumed_ > 10);
    CHECK(by_rows_ > 3);
    std::printf("%s, %s%s: %zu sector writes, %u cuts, %u without a file yet, %u resumed; ", format_.name,
                Kind::kName, habit_.ms_per_row != 0 ? " with ticks" : "", moments_.size(), cuts_, no_file_,
                resumed_);
    std::printf("durability.torn_directory %u of %u cuts inside the entry\n", torn_directory_,
                directory_cuts_);
  }

 private:
  bool record() {
    Volume volume(disk_);
    FatFsFile file(link_map);
    WatchedFile watched(file);
    Boot<Kind> boot(0);
    disk_.set_watch([&](RamDisk::Access access, std::uint32_t sector, const std::byte* data) {
      if (access != RamDisk::Access::kWrite) return true;
      moments_.push_back({sector,
                          {},
                          boot.offered(),
                          boot.durable(),
                          watched.published(),
                          watched.publishing(),
                          disk_.syncs()});
      std::memcpy(moments_.back().data.data(), data, filesystems::kSectorBytes);
      return true;
    });
    const bool good = CHECK(file.open_for_append(kPath) == Status::kOk) &&
                      CHECK(boot.resume(watched) == Status::kOk) && CHECK(boot.log(habit_) == Status::kOk) &&
                      CHECK(file.close() == Status::kOk) &&
                      CHECK(kept(name() + "_whole", Left::kClosed, {{0, habit_.rows}}));
    disk_.set_watch({});
    return good;
  }

  void cut_at(std::size_t index) {
    const Moment& moment = moments_[index];
    Sector before;
    std::memcpy(before.data(), disk_.sector(moment.sector), before.size());
    if (index > 0) lose_some(index - 1);
    if (index > 0 && moments_[index - 1].syncs != moment.syncs) synced_.clear();
    synced_.try_emplace(moment.sector, before);
    const Range entry = directory_entry(moment.data);
    for (const std::size_t torn : kTears) {
      if (torn > entry.begin && torn < entry.end) continue;  // among those below
      tear(moment, before, torn);
      judge(index, torn);
    }
    for (std::size_t torn = entry.begin + 1; torn < entry.end; ++torn) {
      tear(moment, before, torn);
      ++directory_cuts_;
      if (!is_sound(moment)) ++torn_directory_;
    }
    tear(moment, before, index % 2 == 0 ? 0 : 256);
    if (index % 5 == 0) go_on(moment);
    tear(moment, before, 0);
    if (index % 97 == 5) keep(index, moment);
    tear(moment, before, filesystems::kSectorBytes);
  }

  void tear(const Moment& moment, const Sector& before, std::size_t bytes) {
    std::byte* const sector = disk_.sector(moment.sector);
    std::memcpy(sector, moment.data.data(), bytes);
    std::memcpy(sector + bytes, before.data() + bytes, before.size() - bytes);
  }

  // The power fails after a write, of which and of those since the last sync the card has put any on its
  // medium.
  void lose_some(std::size_t last) {
    std::size_t first = last;
    while (first > 0 && moments_[first - 1].syncs == moments_[last].syncs) --first;
    std::unordered_map<std::uint32_t, Sector> now;
    for (std::size_t i = first; i <= last; ++i) {
      std::byte* const sector = disk_.sector(moments_[i].sector);
      std::memcpy(now[moments_[i].sector].data(), sector, filesystems::kSectorBytes);
    }
    for (std::uint32_t seed = 0; seed < 3; ++seed) {
      for (const auto& [sector, data] : now) {
        std::memcpy(disk_.sector(sector), synced_.at(sector).data(), filesystems::kSectorBytes);
      }
      for (std::size_t i = first; i <= last; ++i) {
        if (filesystems::mix(static_cast<std::int64_t>(i), seed) % 2 == 0) continue;
        std::memcpy(disk_.sector(moments_[i].sector), moments_[i].data.data(), filesystems::kSectorBytes);
      }
      judge(last, filesystems::kSectorBytes + seed);
      if (last % 8 == seed) go_on(moments_[last]);
    }
    for (const auto& [sector, data] : now)
      std::memcpy(disk_.sector(sector), data.data(), filesystems::kSectorBytes);
  }

  // Empty, or what is wrong with what the card holds now; what opening a file mends is undone.
  std::string look(const Moment& moment, History& found) {
    disk_.begin_transaction();
    std::string fault = open_and_read(moment, found);
    disk_.roll_back();
    return fault;
  }

  std::string open_and_read(const Moment& moment, History& found) {
    const Volume volume(disk_);
    if (volume.result() != FR_OK) return "the card cannot be mounted";
    FatFsFile file(link_map);
    const Status opened = file.open_for_reading(kPath);
    const bool may_lack = moment.published == 0;
    if (opened == Status::kIoError && file.native_error() == FR_NO_FILE) {
      ++no_file_;
      return may_lack ? std::string() : "there is no file";
    }
    if (opened != Status::kOk) return "the file cannot be opened";
    std::uint64_t size = 0;
    if (file.size(size) != Status::kOk) return "no size";
    if (size == 0) return may_lack ? std::string() : "the file has no bytes";
    if (size != moment.published && size != moment.publishing)
      return "the file has a size that was not published";
    const std::string fault = filesystems::read_log<Kind>(file, found);
    static_cast<void>(file.close());
    return fault.empty() ? compare(found, {}, 0, moment.durable, moment.offered) : fault;
  }

  bool is_sound(const Moment& moment) {
    History found;
    return look(moment, found).empty();
  }

  void judge(std::size_t index, std::size_t torn) {
    History found;
    ++cuts_;
    const std::string fault = look(moments_[index], found);
    const std::uint32_t rows = found.empty() ? 0 : found.back().rows;
    if (rows != last_rows_) ++by_rows_;
    last_rows_ = rows;
    if (CHECK(fault.empty())) return;
    ++faults_;
    // Torn past a sector's end: some sectors are lost.
    std::printf("  %s, %s: cut at write %zu of %zu, torn at %zu: %s\n", format_.name, Kind::kName, index,
                moments_.size(), torn, fault.c_str());
  }

  // The next boot finds what is left, and logs other rows.
  void go_on(const Moment& moment) {
    History before;
    if (!look(moment, before).empty()) return;  // counted by judge
    disk_.begin_transaction();
    {
      const Volume volume(disk_);
      FatFsFile file(link_map);
      Boot<Kind> boot(1);
      History after;
      ++resumed_;
      const bool good = CHECK(file.open_for_append(kPath) == Status::kOk) &&
                        CHECK(boot.resume(file) == Status::kOk) && CHECK(boot.log(kLater) == Status::kOk) &&
                        CHECK(file.close() == Status::kOk) &&
                        CHECK(file.open_for_reading(kPath) == Status::kOk) &&
                        CHECK_EQ(filesystems::read_log<Kind>(file, after), "") &&
                        CHECK_EQ(compare(after, before, 1, kLater.rows, kLater.rows), "");
      if (!good) ++faults_;
      static_cast<void>(file.close());
      if (resumed_ % 64 == 3)
        CHECK(kept(name() + "_resumed_" + std::to_string(resumed_), Left::kResumed, after));
    }
    disk_.roll_back();
  }

  void keep(std::size_t index, const Moment& moment) {
    History found;
    if (look(moment, found).empty()) CHECK(kept(name() + "_cut_" + std::to_string(index), Left::kCut, found));
  }

  bool kept(const std::string& name, Left left, const History& rows) {
    constexpr unsigned kEachOfExfat = 3;  // reading takes longer there
    return (format_.type == FM_EXFAT && kept_++ % kEachOfExfat != 0) ||
           filesystems::keep_image(disk_, name, left, rows);
  }

  std::string name() const {
    return std::string(format_.name) + "_" + Kind::kName + (habit_.ms_per_row != 0 ? "_ticks" : "");
  }

  const Format& format_;
  const Habit& habit_;
  RamDisk disk_;
  RamDisk base_;
  std::vector<Moment> moments_;
  std::unordered_map<std::uint32_t, Sector> synced_;  // what was written since the last sync, as it was then
  unsigned cuts_ = 0;
  unsigned no_file_ = 0;
  unsigned resumed_ = 0;
  unsigned by_rows_ = 0;
  std::uint32_t last_rows_ = 0;
  unsigned faults_ = 0;
  unsigned directory_cuts_ = 0;
  unsigned torn_directory_ = 0;
  unsigned kept_ = 0;
};

template <typename Kind>
void sweep(const Format& format) {
  CutSweep<Kind>(format, kFirst).run();
  CutSweep<Kind>(format, kTicking).run();
}

}  // namespace

TEST("the power fails at any sector write on FAT16") {
  sweep<filesystems::Imu>(filesystems::kFat16);
  sweep<filesystems::Texts>(filesystems::kFat16);
}

TEST("the power fails at any sector write on FAT32") {
  sweep<filesystems::Imu>(filesystems::kFat32);
  sweep<filesystems::Texts>(filesystems::kFat32);
  sweep<filesystems::StreamImu>(filesystems::kFat32);
}

#if FF_FS_EXFAT
TEST("the power fails at any sector write on exFAT") {
  sweep<filesystems::Imu>(filesystems::kExfat);
  sweep<filesystems::Texts>(filesystems::kExfat);
  sweep<filesystems::StreamImu>(filesystems::kExfat);
}
#endif
