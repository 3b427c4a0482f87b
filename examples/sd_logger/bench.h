// The settings of a test bench. A product leaves them out, and logs until it is switched off.
#pragma once

#include <cstdint>

#include "microparquet/rolling.h"
#include "settings.h"

struct Bench {
  std::uint64_t first = 0;              // number of the first sample
  std::uint64_t samples = 0;            // after which the log is completed
  microparquet::RollLimits split = {};  // limits at which one file gives way to the next
  Keeping keeping = kKeeping;
  std::uint32_t clock_ms = 0;   // from then on the time is known
  std::uint32_t started_s = 0;  // of the start, in seconds since 1970; 0: it never is
};

// Returns `usual` with what the words of the semihosting command line say: first=N, samples=N, split_bytes=N,
// split_ms=N, drop_oldest=1, wakes=1, clock_ms=N, started_s=N. Needs a debugger or an emulator.
Bench asked_bench(const Bench& usual);
