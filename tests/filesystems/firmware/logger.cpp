// A logger that is killed: continues LOG.PQT on its SD card, and says how many rows of this boot are
// durable. Its number of the boot is the last word of the command line.
#include "ff.h"
#include "microparquet/port/fatfs_file.h"
#include "microparquet/port/semihosting.h"
#include "microparquet/port/semihosting_console.h"
#include "support/boot.h"

namespace {

namespace mpq = microparquet;
using filesystems::Boot;
using filesystems::Imu;
using mpq::Status;

constexpr std::uint32_t kRows = 60'000;
constexpr std::uint32_t kCheckpointRows = 300;

DWORD link_map[32];
FATFS volume;
mpq::FatFsFile file(link_map);
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
  const FRESULT mounted = f_mount(&volume, "", 1);
  if (mounted != FR_OK) {
    report("no volume: FatFs ", mounted);
    return 1;
  }
  Status status = file.open_for_append("LOG.PQT");
  if (status == Status::kOk) status = log(boot);
  if (status == Status::kOk) status = file.close();
  if (status != Status::kOk) {
    console.print(to_string(status));
    report(": FatFs ", file.native_error());
    return 1;
  }
  report("closed ", boot.offered());
  return 0;
}
