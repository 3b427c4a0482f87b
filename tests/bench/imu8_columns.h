// `imu8` as columns in memory, for the programs that time writing on a desktop.
#pragma once

#include <cstdint>
#include <vector>

#include "support/imu8.h"

namespace microparquet::bench {

struct Imu8Columns {
  std::vector<std::int64_t> ts;
  std::vector<std::int32_t> seq, status, battery_mv;
  std::vector<float> ax, ay, az, temp;

  explicit Imu8Columns(std::int32_t rows) {
    Imu8Generator generator(rows);
    Imu8Row row;
    for (std::int32_t i = 0; i < rows; ++i) {
      generator.next(row);
      ts.push_back(row.ts);
      seq.push_back(row.seq);
      ax.push_back(row.ax);
      ay.push_back(row.ay);
      az.push_back(row.az);
      temp.push_back(row.temp);
      status.push_back(row.status);
      battery_mv.push_back(row.battery_mv);
    }
  }
};

}  // namespace microparquet::bench
