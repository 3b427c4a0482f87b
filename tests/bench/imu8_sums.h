// What a timed reader adds up, and the line it prints. All readers, the peers' too, print the same line for
// the same rows, so that a reader which is fast because it is wrong shows.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>

namespace microparquet::bench {

struct Imu8Sums {
  std::int64_t rows = 0;
  std::int64_t ts = 0;
  std::int64_t ints = 0;  // seq, status and battery_mv
  double floats = 0;      // ax, ay, az and temp, column after column
};

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

inline void print_read(double seconds, const Imu8Sums& sums) {
  std::printf("%.6f %lld %lld %lld %.6f\n", seconds, static_cast<long long>(sums.rows),
              static_cast<long long>(sums.ts), static_cast<long long>(sums.ints), sums.floats);
}

}  // namespace microparquet::bench
