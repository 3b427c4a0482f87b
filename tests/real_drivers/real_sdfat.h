// SdFat itself on a card in memory: its file systems and caches are SdFat's own, and so is the order of what reaches the card.
#pragma once

#include <SdFat.h>

#include <type_traits>

#include "log_file.h"
#include "microparquet/port/arduino_file.h"
#include "port_sweep.h"
#include "support/check.h"

namespace real_sdfat {

namespace mpq = microparquet;

// What millis() knows of passed time, beside a millisecond a call.
extern std::uint32_t passed_ms;

class Blocks final : public FsBlockDeviceInterface {
 public:
  explicit Blocks(filesystems::RamDisk& disk) : disk_(&disk) {}

  bool isBusy() override { return disk_->front().is_busy(); }
  bool readSector(Sector_t sector, std::uint8_t* to) override { return readSectors(sector, to, 1); }
  bool readSectors(Sector_t sector, std::uint8_t* to, std::size_t count) override {
    disk_->see(to);
    return disk_->front().read(sector, reinterpret_cast<std::byte*>(to), static_cast<std::uint32_t>(count));
  }
  Sector_t sectorCount() override { return disk_->sectors(); }
  bool syncDevice() override { return disk_->front().sync(); }
  bool writeSector(Sector_t sector, const std::uint8_t* from) override {
    return writeSectors(sector, from, 1);
  }
  bool writeSectors(Sector_t sector, const std::uint8_t* from, std::size_t count) override {
    disk_->see(from);
    return disk_->front().write(sector, reinterpret_cast<const std::byte*>(from),
                                static_cast<std::uint32_t>(count));
  }

 private:
  filesystems::RamDisk* disk_;
};

// Mounts a volume in a second slot; the library's current volume is on it.
template <typename Volume>
filesystems::RamDisk& other_disk() {
  constexpr const filesystems::Format& kFormat =
      std::is_same_v<Volume, ExFatVolume> ? filesystems::kExfat : filesystems::kFat32;
  static filesystems::RamDisk disk(kFormat.sectors);
  static const bool good = filesystems::format(disk, kFormat);
  CHECK(good);
  return disk;
}

struct Shared {
  static constexpr const char* kSpi = "shared";
  static constexpr filesystems::SdFatTraits kWay{false, false};  // the caches are SdFat's own
};
struct Dedicated {
  static constexpr const char* kSpi = "dedicated";
  static constexpr filesystems::SdFatTraits kWay{false, true};
};

template <typename Spi, typename Volume, typename Class>
struct Real {
  static constexpr const char* kPort = Spi::kSpi;
  static constexpr const filesystems::SdFatTraits* kTraits = &Spi::kWay;
  static constexpr bool kInPlace = true;
  static constexpr bool kFlushTells = true;

  mpq::Status attach(int flags) {
    constexpr std::uint8_t kNoTableOfPartitions = 0;
    const bool begun = volume.begin(&blocks, false, kNoTableOfPartitions) &&
                       current.begin(&current_blocks, true, kNoTableOfPartitions);
    return begun && opened.open(&volume, ports::kName, flags) ? file.attach(opened, volume)
                                                              : mpq::Status::kIoError;
  }
  mpq::Status resume() { return attach(O_RDWR | O_CREAT); }
  mpq::Status open() { return attach(O_RDONLY); }
  mpq::Status close() { return file.close(); }
  void give_up() {}
  Blocks blocks{*filesystems::RamDisk::inserted()};
  Blocks current_blocks{other_disk<Volume>()};
  Volume volume;
  Volume current;
  Class opened;
  mpq::ArduinoFile<Class> file;
};

}  // namespace real_sdfat
