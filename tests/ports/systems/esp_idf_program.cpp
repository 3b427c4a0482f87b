#include "microparquet/microparquet.h"
#include "microparquet/port/uart_file.h"
#include "microparquet/port/vfs_file.h"
#ifdef OWN_FILE_SYSTEMS
#include "microparquet/port/fatfs_file.h"
#include "microparquet/port/littlefs_file.h"
#endif

microparquet::VfsFile file;
microparquet::Writer writer;
#ifdef OWN_FILE_SYSTEMS
microparquet::FatFsFile on_fat;
#endif

extern "C" void app_main() { static_cast<void>(file.open_for_append("/sdcard/log.parquet")); }
