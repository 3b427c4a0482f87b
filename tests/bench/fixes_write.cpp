// fixes_write FILE ROWS: writes an Arrow stream with lists of structs (fixes.h) in PLAIN, page checksums and statistics
// included; prints the seconds of the processor from the stream to the file.
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "fixes.h"
#include "imu8_sums.h"
#include "microparquet/desktop/arrow.h"

int main(int argc, char** argv) {
  using namespace microparquet;
  if (argc < 3) return 2;
  const bench::Fixes fixes(std::strtoul(argv[2], nullptr, 10));
  bench::FixStream stream(fixes);
  desktop::ArrowWriteSettings settings;
  settings.encode = false;

  const bench::Stopwatch stopwatch;
  try {
    desktop::write_arrow(stream.stream(), argv[1], settings);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s: %s\n", argv[1], failure.what());
    return 1;
  }
  std::printf("%.6f\n", stopwatch.seconds());
}
