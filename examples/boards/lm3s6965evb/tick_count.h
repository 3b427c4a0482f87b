// A count that an interrupt writes and the program reads. In 32 bits it would start again after some months.
#pragma once

#include <cstdint>

class TickCount {
 public:
  // Call it in the interrupt, or before that is on.
  void set(std::uint64_t ticks) { ticks_ = ticks; }

  std::uint64_t get() const {
    std::uint64_t ticks = 0;
    do {
      ticks = ticks_;
    } while (ticks != ticks_);  // the interrupt came between the two halves
    return ticks;
  }

 private:
  volatile std::uint64_t ticks_ = 0;
};
