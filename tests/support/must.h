// Ends a program with the first failure.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "microparquet/status.h"

namespace support {

// Ends the program, and says why, unless `status` is kOk.
inline void must(microparquet::Status status, const char* what) {
  if (status == microparquet::Status::kOk) return;
  std::fprintf(stderr, "%s: %s\n", what, microparquet::to_string(status));
  std::exit(1);
}

}  // namespace support
