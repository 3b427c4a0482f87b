// The sensor of the model: what its interrupt does.
#pragma once

#include <cstdint>

#include "microparquet/row_queue.h"
#include "support/imu8.h"

namespace stalls {

class Sampling {
 public:
  virtual void sample() = 0;

 protected:
  ~Sampling() = default;
};

// Samples into a queue. Rows are numbered in their column `seq`, the refused ones too.
template <std::uint32_t kDepth>
class QueuedSampling final : public Sampling {
 public:
  explicit QueuedSampling(std::uint32_t samples) : sensor_(static_cast<std::int32_t>(samples)) {}

  void sample() override {
    microparquet::bench::Imu8Row row;
    sensor_.next(row);
    samples = static_cast<std::uint32_t>(row.seq) + 1;
    queue.push(row);
  }

  microparquet::RowQueue<microparquet::bench::Imu8Row, kDepth> queue;
  std::uint32_t samples = 0;  // taken so far

 private:
  microparquet::bench::Imu8Generator sensor_;
};

}  // namespace stalls
