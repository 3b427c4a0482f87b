// mpq: looks into Parquet files, checks and recovers them.
#include <exception>

#include "command_line.h"
#include "microparquet/desktop/program.h"
#include "output.h"

int main(int argc, char** argv) {
  microparquet::desktop::begin_program();
  try {
    return mpq_tool::run(argc, argv);
  } catch (const std::exception& error) {
    mpq_tool::tell(error.what());
    return 1;
  }
}
