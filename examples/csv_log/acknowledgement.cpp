#include "acknowledgement.h"

#include <cinttypes>
#include <cstdio>

namespace csv_log {

void Acknowledgement::say(std::uint64_t rows) {
  if (!wanted_ || rows <= said_) {
    return;
  }
  said_ = rows;
  std::printf("durable %" PRIu64 "\n", rows);
  std::fflush(stdout);
}

}  // namespace csv_log
