// A boot that is cut off, or whose card fails, at each sector write in turn; and the next one, which continues.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "log_file.h"
#include "support/boot.h"
#include "support/check.h"
#include "support/images.h"
#include "support/sd_fat_layer.h"
#include "support/volume.h"

namespace ports {

using filesystems::Boot;
using filesystems::Habit;
using filesystems::History;
using filesystems::Left;
using filesystems::Outcome;
using filesystems::RamDisk;
using filesystems::Volume;
using filesystems::WatchedFile;
namespace mpq = microparquet;
using mpq::Status;

inline constexpr Habit kFirst{700, 90, 0, true};
inline constexpr Habit kLater{60, 25, 0, true};

struct InPlace : filesystems::Imu {
  static constexpr const char* kName = "in place";
};
struct Texts : filesystems::Texts {};
struct Forward : filesystems::Imu {
  static constexpr const char* kName = "forward";
  static constexpr mpq::Options kOptions = filesystems::forward(filesystems::imu_options());
};

class Card {
 public:
  // `traits`: of the SdFat in front of it; null: none is.
  explicit Card(const filesystems::SdFatTraits* traits = nullptr,
                const filesystems::Format& format = filesystems::kFat32)
      : disk_(format.sectors), volume_(disk_) {
    good_ = filesystems::format(disk_, format);
    if (traits != nullptr) layer_.emplace(disk_, *traits);
    volume_.mount(disk_);
  }
  bool good() const { return good_ && volume_.result() == FR_OK; }
  RamDisk& disk() { return disk_; }
  Volume& volume() { return volume_; }
  const std::optional<filesystems::SdFatLayer>& layer() const { return layer_; }

  // Mounts as a device does after the power came back, or the card was put back.
  void mount() {
    disk_.power_on();
    disk_.set_watch({});
    volume_.mount(disk_);
  }

  // Now, not at a write.
  void lose_power() {
    if (layer_) layer_->lose();
  }

  // Leaves only that many clusters of 512 bytes free.
  bool fill_up(std::uint32_t clusters) {
    FIL filler;
    const FSIZE_t bytes = FSIZE_t{volume_.free_clusters() - clusters} * 512;
    return f_open(&filler, "FILLER", FA_WRITE | FA_CREATE_NEW) == FR_OK && f_lseek(&filler, bytes) == FR_OK &&
           f_close(&filler) == FR_OK;
  }

  // One boot. After a failure the volume is mounted again before the file is given up, as the ports say.
  template <typename Port, typename Kind>
  Outcome run(std::uint32_t number, const Habit& habit) {
    Port port;
    WatchedFile watched(port.file);
    Boot<Kind> boot(number);
    Outcome outcome;
    outcome.status = port.resume();
    if (outcome.status == Status::kOk) outcome.status = boot.resume(watched);
    if (outcome.status == Status::kOk) outcome.status = boot.log(habit);
    if (outcome.status == Status::kOk) {
      outcome.status = port.close();
    } else if (outcome.status == Status::kNoSpace) {
      static_cast<void>(port.close());
    } else {
      mount();
      port.give_up();
    }
    outcome.take(boot, watched);
    return outcome;
  }

  // Empty, or what is wrong with the file. No bytes are right when nothing was published; and where a flush
  // does not tell whether it failed, when the first one did, which is of no rows.
  template <typename Port, typename Kind>
  static std::string look(const Outcome& outcome, History& found) {
    found.clear();
    const bool may_lack = outcome.published == 0 || (!Port::kFlushTells && outcome.durable == 0);
    Port port;
    if (port.open() != Status::kOk) return may_lack ? "" : "the file cannot be opened";
    std::uint64_t size = 0;
    std::string fault;
    if (port.file.size(size) != Status::kOk) {
      fault = "no size";
    } else if (size != 0 || !may_lack) {
      const bool known = size == outcome.published || size == outcome.publishing;
      fault = known ? filesystems::read_log<Kind>(port.file, found) : "its size is " + std::to_string(size);
    }
    return port.close() == Status::kOk ? fault : "the file cannot be closed";
  }

 private:
  RamDisk disk_;
  std::optional<filesystems::SdFatLayer> layer_;
  Volume volume_;
  bool good_ = false;
};

// Checks the file that a boot has left, and whether the next boot continues it.
template <typename Port, typename Kind>
std::string judge(Card& card, const Outcome& outcome, History& after) {
  History before;
  std::string fault = Card::look<Port, Kind>(outcome, before);
  if (fault.empty()) fault = compare(before, {}, 0, outcome.durable, outcome.offered);
  if (!fault.empty()) return fault;
  const Outcome later = card.run<Port, Kind>(1, kLater);
  if (later.status != Status::kOk) return std::string("the next boot: ") + to_string(later.status);
  fault = Card::look<Port, Kind>(later, after);
  if (fault.empty()) fault = compare(after, before, 1, kLater.rows, kLater.rows);
  return fault.empty() ? fault : "the next boot: " + fault;
}

template <typename Port, typename Kind>
std::string image_name() {
  std::string name = std::string(Port::kPort) + "_" + Kind::kName;
  std::replace(name.begin(), name.end(), ' ', '_');
  name.erase(std::remove(name.begin(), name.end(), ','), name.end());
  return name;
}

// Sectors that an undisturbed boot writes, one after the other.
template <typename Port, typename Kind>
std::vector<std::uint32_t> sectors_written(Card& card) {
  std::vector<std::uint32_t> sectors;
  card.disk().begin_transaction();
  card.disk().set_watch([&](RamDisk::Access access, std::uint32_t sector, const std::byte*) {
    if (access == RamDisk::Access::kWrite) sectors.push_back(sector);
    return true;
  });
  CHECK((card.run<Port, Kind>(0, kFirst).status == Status::kOk));
  card.disk().front().settle();
  card.disk().set_watch({});
  CHECK(filesystems::keep_image(card.disk(), image_name<Port, Kind>(), Left::kClosed, {{0, kFirst.rows}}));
  card.disk().roll_back();
  card.mount();
  return sectors;
}

// Disturbs the nth sector write.
using Disturb = void (*)(Card& card, std::uint64_t nth, std::uint32_t sector);

// Directory entries are in the first cluster.
inline void cut(Card& card, std::uint64_t nth, std::uint32_t sector) {
  const std::size_t torn = sector == card.volume().fatfs().database ? 0 : nth * 100 % 512;
  card.disk().cut_after(nth, torn);
}

inline void cut_between(Card& card, std::uint64_t nth, std::uint32_t) { card.disk().cut_after(nth, 0); }

inline void fail(Card& card, std::uint64_t nth, std::uint32_t) {
  card.disk().set_watch([nth](RamDisk::Access access, std::uint32_t, const std::byte*) mutable {
    return access != RamDisk::Access::kWrite || nth-- != 0;
  });
}

template <typename Port, typename Kind>
void sweep(const char* what, Disturb disturb, std::uint64_t step) {
  Card card(Port::kTraits);
  REQUIRE(card.good());
  const std::vector<std::uint32_t> sectors = sectors_written<Port, Kind>(card);
  std::uint32_t last = 0;
  unsigned times = 0;
  unsigned different = 0;
  for (std::uint64_t nth = 0; nth < sectors.size(); nth += step) {
    card.disk().begin_transaction();
    disturb(card, nth, sectors[nth]);
    const Outcome outcome = card.run<Port, Kind>(0, kFirst);
    card.mount();
    const bool kept = times++ % 80 == 3;
    const std::string name = image_name<Port, Kind>() + "_" + what + "_" + std::to_string(nth);
    History found;
    if (kept && Card::look<Port, Kind>(outcome, found).empty())
      CHECK(filesystems::keep_image(card.disk(), name, Left::kCut, found));
    const std::string fault = judge<Port, Kind>(card, outcome, found);
    different += outcome.durable != last ? 1U : 0U;
    last = outcome.durable;
    if (kept) CHECK(filesystems::keep_image(card.disk(), name + "_resumed", Left::kResumed, found));
    card.disk().roll_back();
    card.mount();
    if (!CHECK(fault.empty())) {
      std::printf("  %s, %s: %s at write %u of %zu: %s\n", Port::kPort, Kind::kName, what,
                  static_cast<unsigned>(nth), sectors.size(), fault.c_str());
      return;
    }
  }
  CHECK_EQ(card.disk().unaligned(), 0U);
  CHECK(times > 30);
  CHECK(different > 4);
  std::printf("%s, %s: %s at %u of %zu sector writes\n", Port::kPort, Kind::kName, what, times,
              sectors.size());
}

template <typename Port>
void sweep_layouts(const char* what, Disturb disturb, std::uint64_t step) {
  sweep<Port, Forward>(what, disturb, step);
  if constexpr (Port::kInPlace) {
    sweep<Port, InPlace>(what, disturb, step);
    sweep<Port, Texts>(what, disturb, step);
  }
}

}  // namespace ports
