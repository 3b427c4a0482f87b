// The sums that a timed reader makes, and the line it prints. All readers, the peers' too, print the same
// line for the same rows, so that a reader which is fast because it is wrong shows.
#pragma once

#include <cstdint>
#include <cstdio>
#include <ctime>

namespace microparquet::bench {

struct Imu8Sums {
  std::int64_t rows = 0;
  std::int64_t ts = 0;
  std::int64_t ints = 0;  // seq, status and battery_mv
  double floats = 0;      // ax, ay, az and temp, column after column
};

// Measures processor time: other programs on the machine do not count.
class Stopwatch {
 public:
  double seconds() const { return static_cast<double>(std::clock() - start_) / CLOCKS_PER_SEC; }

 private:
  std::clock_t start_ = std::clock();
};

inline void print_read(double seconds, const Imu8Sums& sums) {
  std::printf("%.6f %lld %lld %lld %.6f\n", seconds, static_cast<long long>(sums.rows),
              static_cast<long long>(sums.ts), static_cast<long long>(sums.ints), sums.floats);
}

}  // namespace microparquet::bench
