#include "microparquet/microparquet.h"
#include "microparquet/port/uart_file.h"
#include "microparquet/port/vfs_file.h"

microparquet::VfsFile file;
microparquet::Writer writer;

extern "C" void app_main() { static_cast<void>(file.open_for_append("/sdcard/log.parquet")); }
