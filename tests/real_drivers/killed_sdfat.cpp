// A logger that is killed: continues LOG.PQT on its SD card, over SdFat's file systems and the board's own driver of cards.
#include <SdFat.h>

#include <new>

#include "killed_log.h"
#include "microparquet/port/arduino_file.h"
#include "sd_card.h"

extern "C" unsigned long millis() {
  static unsigned long now = 0;
  return now++;  // for time limits of a card that does not answer
}

// SdFat's classes have virtual destructors and functions, which name these.
void operator delete(void*) noexcept {}
void operator delete(void*, std::size_t) noexcept {}
extern "C" void
__cxa_pure_virtual() {  // NOLINT(*-reserved-identifier): the compiler's, which would unwind the stack
  for (;;) {
  }
}

namespace {

namespace mpq = microparquet;
using mpq::Status;

static_assert(USE_SEPARATE_FAT_CACHE == 1 && USE_EXFAT_BITMAP_CACHE == 1, "SdFat as it is on Arm");

constexpr std::uint32_t kSectors = 64U
                                   << 21;  // SdFat asks for them, and uses them for nothing that a log needs

// The card, whose writes are not held: each is on it when write() returns.
class Blocks final : public FsBlockDeviceInterface {
 public:
  bool isBusy() override { return false; }
  bool readSector(Sector_t sector, std::uint8_t* to) override { return sd_card::read(sector, to, 1); }
  bool readSectors(Sector_t sector, std::uint8_t* to, std::size_t count) override {
    return sd_card::read(sector, to, count);
  }
  Sector_t sectorCount() override { return kSectors; }
  bool syncDevice() override { return true; }
  bool writeSector(Sector_t sector, const std::uint8_t* from) override {
    return sd_card::write(sector, from, 1);
  }
  bool writeSectors(Sector_t sector, const std::uint8_t* from, std::size_t count) override {
    return sd_card::write(sector, from, count);
  }
};

// Makes an object that is never destroyed, which would link atexit.
template <typename Object>
Object& immortal() {
  alignas(Object) static std::byte memory[sizeof(Object)];
  return *new (memory) Object;
}

Blocks& blocks = immortal<Blocks>();
FsVolume& volume = immortal<FsVolume>();
FsFile& opened = immortal<FsFile>();
mpq::ArduinoFile<FsFile>& file = immortal<mpq::ArduinoFile<FsFile>>();

}  // namespace

int main() {
  filesystems::KilledLog log;
  constexpr std::uint8_t kNoTableOfPartitions = 0;
  if (!sd_card::start() || !volume.begin(&blocks, true, kNoTableOfPartitions)) {
    log.print("no volume\n");
    return 1;
  }
  Status status =
      opened.open(&volume, "LOG.PQT", O_RDWR | O_CREAT) ? file.attach(opened, volume) : Status::kIoError;
  if (status == Status::kOk) status = log.log(file);
  if (status == Status::kOk) status = file.close();
  if (status != Status::kOk) {
    log.print(to_string(status));
    log.print("\n");
    return 1;
  }
  log.report_closed();
  return 0;
}
