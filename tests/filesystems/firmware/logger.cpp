// A logger that is killed: continues LOG.PQT on its SD card, over FatFs.
#include "ff.h"
#include "killed_log.h"
#include "microparquet/port/fatfs_file.h"

namespace {

namespace mpq = microparquet;
using mpq::Status;

DWORD link_map[32];
FATFS volume;
mpq::FatFsFile file(link_map);

}  // namespace

int main() {
  filesystems::KilledLog log;
  const FRESULT mounted = f_mount(&volume, "", 1);
  if (mounted != FR_OK) {
    log.report("no volume: FatFs ", mounted);
    return 1;
  }
  Status status = file.open_for_append("LOG.PQT");
  if (status == Status::kOk) status = log.log(file);
  if (status == Status::kOk) status = file.close();
  if (status != Status::kOk) {
    log.print(to_string(status));
    log.report(": FatFs ", file.native_error());
    return 1;
  }
  log.report_closed();
  return 0;
}
