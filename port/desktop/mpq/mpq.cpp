// mpq: looks into Parquet files, checks and recovers them.
#include <exception>

#include "command_line.h"
#include "output.h"

int main(int argc, char** argv) {
  try {
    return mpq_tool::run(argc, argv);
  } catch (const std::exception& error) {
    mpq_tool::tell(error.what());
    return 1;
  }
}
