// The time of the model.
#pragma once

#include <cstdint>

#include "sampling.h"

namespace stalls {

class Clock {
 public:
  // Time since the start.
  virtual std::uint32_t now_ms() const = 0;

  // Rows arrive while the time passes.
  virtual void wait(std::uint32_t ms) = 0;

  // Samples every `period_ms` from now on; null: no longer.
  virtual void drive(Sampling* sampling, std::uint32_t period_ms) = 0;

 protected:
  ~Clock() = default;
};

}  // namespace stalls
