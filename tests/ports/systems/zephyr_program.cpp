#include "microparquet/microparquet.h"
#include "microparquet/port/uart_file.h"
#include "microparquet/port/zephyr_file.h"
#ifdef OWN_FILE_SYSTEMS
#include "microparquet/port/fatfs_file.h"
#include "microparquet/port/littlefs_file.h"
#endif

microparquet::ZephyrFile file;
microparquet::Writer writer;
#ifdef OWN_FILE_SYSTEMS
microparquet::FatFsFile on_fat;
#endif

int main() { return file.open_for_append("/SD:/log.parquet") == microparquet::Status::kOk ? 0 : 1; }
