#include "microparquet/microparquet.h"
#include "microparquet/port/uart_file.h"
#include "microparquet/port/vfs_file.h"

microparquet::VfsFile file;
microparquet::Writer writer;

extern "C" void app_main() {
  using Existing = microparquet::VfsFile::Existing;
  static_cast<void>(file.create("/sdcard/log.parquet", Existing::kKeep));
}
