// arrow_copy IN OUT: writes the rows of IN to OUT by way of an Arrow stream, or says why not, and exits with 1.
#include <cstdio>
#include <exception>

#include "microparquet/desktop/arrow.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "arrow_copy IN OUT\n");
    return 2;
  }
  try {
    ArrowArrayStream stream = {};
    microparquet::desktop::read_arrow(argv[1], {{}, 1000}, stream);
    microparquet::desktop::write_arrow(stream, argv[2], {});
    return 0;
  } catch (const std::exception& failure) {
    std::printf("%s\n", failure.what());
    return 1;
  }
}
