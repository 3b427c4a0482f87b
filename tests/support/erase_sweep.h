// FAT on flash, in sectors of 4 KiB that are erased before they are written, as ESP-IDF's wear levelling has
// it: the power fails inside each of these in turn, after the erase or when half is written.
//
// A torn sector of the file may cost no durable row. After a torn sector of FAT's own the volume may show the
// file no more, whatever wrote it: these cases are counted apart.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

#include "support/boot.h"
#include "support/check.h"
#include "support/forwarding_file.h"
#include "support/volume.h"

namespace filesystems {

inline constexpr Format kFlash{"FAT", FM_FAT, 2048, kSectorBytes};

constexpr mpq::Options with_blocks(mpq::Options options, std::uint16_t block_bytes) {
  options.row_group_bytes = 96 << 10;
  options.block_bytes = block_bytes;
  return options;
}

struct ImuInBlocks : Imu {
  static constexpr mpq::Options kOptions = with_blocks(Imu::kOptions, kSectorBytes);
};
struct TextsInBlocks : Texts {
  static constexpr mpq::Options kOptions = with_blocks(Texts::kOptions, kSectorBytes);
};
struct ImuInSectors : Imu {
  static constexpr mpq::Options kOptions = with_blocks(Imu::kOptions, 512);
};

inline constexpr Habit kHabitOnFlash{1200, 110, 0, true};
inline constexpr Habit kLaterOnFlash{80, 25, 0, true};

// A file on a medium that tears this much.
class TearingFile final : public support::ForwardingFile {
 public:
  TearingFile(mpq::File& file, std::uint16_t block_bytes) : ForwardingFile(file), block_bytes_(block_bytes) {}

  mpq::FileAbilities abilities() const override {
    mpq::FileAbilities abilities = ForwardingFile::abilities();
    abilities.block_bytes = block_bytes_;
    return abilities;
  }

 private:
  std::uint16_t block_bytes_;
};

// A sector write, and what was known before it.
struct Moment {
  std::uint32_t sector = 0;
  Sector data;
  std::uint32_t offered = 0;
  std::uint32_t durable = 0;
};

struct Counts {
  unsigned cuts = 0;       // inside a sector of the file
  unsigned wrong = 0;      // of these: a durable row is missing, or there is another fault
  unsigned fat_cuts = 0;   // inside a sector of FAT's own
  unsigned fat_shows = 0;  // of these: the volume still shows the file with all durable rows
};

// `Port`: a file of one name on the mounted volume, with resume(), open(), close(), and `file`.
template <typename Kind, typename Port>
class EraseSweep {
 public:
  EraseSweep() : disk_(kFlash.sectors), base_(kFlash.sectors) {}

  // `earlier`: the boot in which it fails continues a file that another has closed.
  Counts run(bool earlier = false) {
    const bool recorded =
        CHECK(format(disk_, kFlash)) && (!earlier || CHECK(log_earlier())) && CHECK(record());
    if (!recorded) return {};
    disk_.copy_from(base_);
    for (const Moment& moment : moments_) {
      for (const std::size_t written : {std::size_t{0}, kSectorBytes / 2}) {
        erase(moment, written);
        judge(moment);
      }
      std::memcpy(disk_.sector(moment.sector), moment.data.data(), kSectorBytes);
    }
    std::printf(
        "%s, sectors of %zu, %s in blocks of %u: %u cuts inside the file, %u of them cost durable rows; ",
        Port::kPort, kSectorBytes, Kind::kName, unsigned{Kind::kOptions.block_bytes}, counts_.cuts,
        counts_.wrong);
    std::printf("%u cuts inside table or directory, %u volumes show the file no more\n", counts_.fat_cuts,
                counts_.fat_cuts - counts_.fat_shows);
    return counts_;
  }

 private:
  bool log_earlier() {
    const Volume volume(disk_);
    Port port;
    TearingFile tearing(port.file, Kind::kOptions.block_bytes);
    Boot<Kind> boot(boot_++);
    const bool good = port.resume() == mpq::Status::kOk && boot.resume(tearing) == mpq::Status::kOk &&
                      boot.log(kLaterOnFlash) == mpq::Status::kOk && port.close() == mpq::Status::kOk &&
                      port.open() == mpq::Status::kOk && read_log<Kind>(port.file, earlier_).empty();
    static_cast<void>(port.close());
    return good;
  }

  bool record() {
    base_.copy_from(disk_);
    Volume volume(disk_);
    data_begin_ = static_cast<std::uint32_t>(volume.fatfs().database);
    Port port;
    TearingFile tearing(port.file, Kind::kOptions.block_bytes);
    Boot<Kind> boot(boot_);
    disk_.set_watch([&](RamDisk::Access access, std::uint32_t sector, const std::byte* data) {
      if (access != RamDisk::Access::kWrite) return true;
      moments_.push_back({sector, {}, boot.offered(), boot.durable()});
      std::memcpy(moments_.back().data.data(), data, kSectorBytes);
      return true;
    });
    const bool good =
        CHECK(port.resume() == mpq::Status::kOk) && CHECK(boot.resume(tearing) == mpq::Status::kOk) &&
        CHECK(boot.log(kHabitOnFlash) == mpq::Status::kOk) && CHECK(port.close() == mpq::Status::kOk);
    disk_.set_watch({});
    return good;
  }

  void erase(const Moment& moment, std::size_t written) {
    std::byte* const sector = disk_.sector(moment.sector);
    std::memcpy(sector, moment.data.data(), written);
    std::fill(sector + written, sector + kSectorBytes, std::byte{0xFF});
  }

  // Whether the volume shows the file with what must be in it.
  bool shows(const Moment& moment, History& found) {
    const Volume volume(disk_);
    if (volume.result() != FR_OK) return false;
    Port port;
    const bool may_be_empty = moment.durable == 0 && earlier_.empty();
    if (port.open() != mpq::Status::kOk) return may_be_empty;
    std::uint64_t size = 0;
    bool good = port.file.size(size) == mpq::Status::kOk;
    if (size == 0) {
      good = good && may_be_empty;
    } else {
      good = good && read_log<Kind>(port.file, found).empty() &&
             compare(found, earlier_, boot_, moment.durable, moment.offered).empty();
    }
    static_cast<void>(port.close());
    return good;
  }

  void judge(const Moment& moment) {
    History found;
    const bool shown = shows(moment, found);
    if (moment.sector < data_begin_) {
      ++counts_.fat_cuts;
      if (shown) ++counts_.fat_shows;
      return;
    }
    ++counts_.cuts;
    if (!shown || (counts_.cuts % 6 == 0 && !goes_on(found))) ++counts_.wrong;
  }

  // The next boot finds what is left, and logs other rows.
  bool goes_on(const History& before) {
    disk_.begin_transaction();
    bool good = false;
    {
      const Volume volume(disk_);
      Port port;
      TearingFile tearing(port.file, Kind::kOptions.block_bytes);
      Boot<Kind> boot(boot_ + 1);
      History after;
      good = port.resume() == mpq::Status::kOk && boot.resume(tearing) == mpq::Status::kOk &&
             boot.log(kLaterOnFlash) == mpq::Status::kOk && port.close() == mpq::Status::kOk &&
             port.open() == mpq::Status::kOk && read_log<Kind>(port.file, after).empty() &&
             compare(after, before, boot_ + 1, kLaterOnFlash.rows, kLaterOnFlash.rows).empty();
      static_cast<void>(port.close());
    }
    disk_.roll_back();
    return good;
  }

  RamDisk disk_;
  RamDisk base_;
  std::uint32_t data_begin_ = 0;
  History earlier_;
  std::uint32_t boot_ = 0;  // that is cut
  std::vector<Moment> moments_;
  Counts counts_;
};

template <typename Kind, typename Port>
void sweep_blocks() {
  for (const bool earlier : {false, true}) {
    const Counts counts = EraseSweep<Kind, Port>().run(earlier);
    CHECK(counts.cuts > 150);
    CHECK(counts.fat_cuts > 10);
    CHECK_EQ(counts.wrong, 0U);
  }
}

}  // namespace filesystems
