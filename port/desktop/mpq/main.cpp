// mpq: looks into Parquet files, checks and recovers them.
#include <cstdio>
#include <exception>

#include "command_line.h"

int main(int argc, char** argv) {
  try {
    return mpq_tool::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "mpq: %s\n", error.what());
    return 1;
  }
}
