// ArduinoFile over SdFat itself, on a card in memory: its file systems and caches are SdFat's own, and so is the order of what
// reaches the card. In both layouts, the power fails at each sector write; with the defences taken out rows are lost.
#include <SdFat.h>

#include <cstdio>
#include <type_traits>

#include "log_file.h"
#include "microparquet/port/arduino_file.h"
#include "port_sweep.h"
#include "sdfat_losses.h"
#include "support/check.h"

extern "C" unsigned long millis() {
  static unsigned long now = 0;
  return now++;
}

namespace {

namespace mpq = microparquet;
using mpq::Status;
using ports::Card;
using ports::Forward;
using ports::InPlace;
using ports::kName;
using ports::Losses;

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

  Status attach(int flags) {
    constexpr std::uint8_t kNoTableOfPartitions = 0;
    const bool begun = volume.begin(&blocks, false, kNoTableOfPartitions) &&
                       current.begin(&current_blocks, true, kNoTableOfPartitions);
    return begun && opened.open(&volume, kName, flags) ? file.attach(opened, volume) : Status::kIoError;
  }
  Status resume() { return attach(O_RDWR | O_CREAT); }
  Status open() { return attach(O_RDONLY); }
  Status close() { return file.close(); }
  void give_up() {}
  Blocks blocks{*filesystems::RamDisk::inserted()};
  Blocks current_blocks{other_disk<Volume>()};
  Volume volume;
  Volume current;
  Class opened;
  mpq::ArduinoFile<Class> file;
};

template <typename Port, typename Kind>
Losses losses_of(const filesystems::Format& format = filesystems::kFat32) {
  static_cast<void>(other_disk<decltype(Port::volume)>());
  Card card(Port::kTraits, format);
  const Losses losses = ports::cut_everywhere<Port, Kind>(card);
  std::printf("%s, %s, %s: %u cuts, %u rows and %u logs lost\n", format.name, Port::kPort, Kind::kName,
              losses.cuts, losses.rows, losses.logs);
  return losses;
}

template <typename Port>
void loses_nothing(const filesystems::Format& format) {
  for (const Losses& losses : {losses_of<Port, Forward>(format), losses_of<Port, InPlace>(format)}) {
    CHECK(losses.cuts > 100);
    CHECK_EQ(losses.rows, 0U);
    CHECK_EQ(losses.logs, 0U);
  }
}

using WithoutTables = ports::WithoutTables<FsFile, FsVolume>;
using WithoutWaiting = ports::WithoutWaiting<FsFile>;

}  // namespace

TEST("SdFat's FsFile loses nothing at a cut at any sector write") {
  for (const filesystems::Format* const format : {&filesystems::kFat32, &filesystems::kFat16}) {
    loses_nothing<Real<Shared, FsVolume, FsFile>>(*format);
    loses_nothing<Real<Dedicated, FsVolume, FsFile>>(*format);
  }
}

TEST("nor does its File32") {
  loses_nothing<Real<Shared, FatVolume, File32>>(filesystems::kFat32);
  loses_nothing<Real<Dedicated, FatVolume, File32>>(filesystems::kFat32);
}

TEST("nor does its ExFile") {
  loses_nothing<Real<Shared, ExFatVolume, ExFile>>(filesystems::kExfat);
  loses_nothing<Real<Dedicated, ExFatVolume, ExFile>>(filesystems::kExfat);
}

TEST("without the tables first, whole logs are lost") {
  const Losses forward = losses_of<Real<Shared, FsVolume, WithoutTables>, Forward>();
  CHECK(forward.rows > 0);
  CHECK(forward.logs > 0);
  const Losses in_place = losses_of<Real<Shared, FsVolume, WithoutTables>, InPlace>();
  CHECK(in_place.rows > 0);
  CHECK(in_place.logs > 0);
}

TEST("without waiting for the card, checkpoints are lost") {
  CHECK((losses_of<Real<Dedicated, FsVolume, WithoutWaiting>, Forward>().rows > 0));
  CHECK((losses_of<Real<Dedicated, FsVolume, WithoutWaiting>, InPlace>().rows > 0));
}
