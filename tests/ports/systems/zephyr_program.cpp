#include "microparquet/microparquet.h"
#include "microparquet/port/uart_file.h"
#include "microparquet/port/zephyr_file.h"

microparquet::ZephyrFile file;
microparquet::Writer writer;

int main() {
  using Existing = microparquet::ZephyrFile::Existing;
  return file.create("/SD:/log.parquet", Existing::kKeep) == microparquet::Status::kOk ? 0 : 1;
}
