// Links all that the port over FatFs calls, for FatFs's own size on the board with a card.
#include "ff.h"
#include "microparquet/port/fatfs_file.h"
#include "opaque.h"

namespace {
using namespace microparquet;

FATFS volume;
FIL file_object;  // there is one inside each FatFsFile; this one tells its size
FatFsFile file;
std::byte sector[512];

}  // namespace

int main() {
  bench::opaque(file_object);
  FRESULT mounted = f_mount(&volume, "", 1);
  Status status = mounted == FR_OK ? file.open_for_append("log.parquet") : Status::kMediumLost;
  std::uint64_t size = 0;
  if (status == Status::kOk) status = file.size(size);
  if (status == Status::kOk) status = file.reserve(size + 1024);
  if (status == Status::kOk) status = file.write_at(size, sector);
  if (status == Status::kOk) status = file.read_at(size, sector);
  if (status == Status::kOk) status = file.barrier();
  if (status == Status::kOk) status = file.sync(size + 512);
  if (status == Status::kOk) status = file.shrink(size + 512);
  if (status == Status::kOk) status = file.close();
  return static_cast<int>(status);
}
