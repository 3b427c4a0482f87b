#include "microparquet/microparquet.h"
#include "microparquet/port/uart_file.h"
#include "microparquet/port/zephyr_file.h"

microparquet::ZephyrFile file;
microparquet::Writer writer;

int main() { return file.open_for_append("/SD:/log.parquet") == microparquet::Status::kOk ? 0 : 1; }
