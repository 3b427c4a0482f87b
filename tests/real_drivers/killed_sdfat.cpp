// A logger that is killed, over SdFat's file systems and the board's own driver of cards: continues LOG.PQT and says how many
// rows of this boot are durable. Its number of the boot is the last word of the command line.
#include <SdFat.h>

#include <new>

#include "microparquet/port/arduino_file.h"
#include "microparquet/port/semihosting.h"
#include "microparquet/port/semihosting_console.h"
#include "sd_card.h"
#include "support/boot.h"

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
using filesystems::Boot;
using filesystems::Imu;
using mpq::Status;

static_assert(USE_SEPARATE_FAT_CACHE == 1 && USE_EXFAT_BITMAP_CACHE == 1, "SdFat as it is on Arm");

constexpr std::uint32_t kRows = 60'000;
constexpr std::uint32_t kCheckpointRows = 300;
constexpr std::uint32_t kSectors = 64U
                                   << 21;  // SdFat asks for them, and uses them for nothing that a log needs

// The card: single blocks, each of which is on it when write() returns.
class Blocks final : public FsBlockDeviceInterface {
 public:
  bool isBusy() override { return false; }
  bool readSector(Sector_t sector, std::uint8_t* to) override { return sd_card::read(sector, to); }
  bool readSectors(Sector_t sector, std::uint8_t* to, std::size_t count) override {
    for (std::size_t i = 0; i < count; ++i) {
      if (!sd_card::read(sector + i, to + i * sd_card::kBlockBytes)) return false;
    }
    return true;
  }
  Sector_t sectorCount() override { return kSectors; }
  bool syncDevice() override { return true; }
  bool writeSector(Sector_t sector, const std::uint8_t* from) override {
    return sd_card::write(sector, from);
  }
  bool writeSectors(Sector_t sector, const std::uint8_t* from, std::size_t count) override {
    for (std::size_t i = 0; i < count; ++i) {
      if (!sd_card::write(sector + i, from + i * sd_card::kBlockBytes)) return false;
    }
    return true;
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
mpq::semihosting::Console console;

std::uint32_t boot_number() {
  char text[80];
  std::uint32_t number = 0;
  for (const char c : mpq::semihosting::command_line(mpq::Span<char>(text))) {
    number = c == ' ' ? 0 : number * 10 + static_cast<std::uint32_t>(c - '0');
  }
  return number;
}

void report(std::string_view what, std::uint64_t number) { console.print(what).print(number).print("\n"); }

Status log(Boot<Imu>& boot) {
  Status status = boot.resume(file);
  for (std::uint32_t i = 1; i <= kRows && status == Status::kOk; ++i) {
    status = boot.append();
    if (status == Status::kOk && i % kCheckpointRows == 0) {
      status = boot.writer().checkpoint();
      report("durable ", boot.durable());
    }
  }
  return status == Status::kOk ? boot.writer().close() : status;
}

}  // namespace

int main() {
  Boot<Imu> boot(boot_number());
  constexpr std::uint8_t kNoTableOfPartitions = 0;
  if (!sd_card::start() || !volume.begin(&blocks, true, kNoTableOfPartitions)) {
    console.print("no volume\n");
    return 1;
  }
  Status status =
      opened.open(&volume, "LOG.PQT", O_RDWR | O_CREAT) ? file.attach(opened, volume) : Status::kIoError;
  if (status == Status::kOk) status = log(boot);
  if (status == Status::kOk) status = file.close();
  if (status != Status::kOk) {
    console.print(to_string(status)).print("\n");
    return 1;
  }
  report("closed ", boot.offered());
  return 0;
}
