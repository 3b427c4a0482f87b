// A card as slow as its trace says.
#pragma once

#include "clock.h"
#include "stall_trace.h"

namespace stalls {

inline constexpr std::uint32_t kSectorMs = 1;  // what a write takes that meets no stall

class CardLatency {
 public:
  CardLatency(StallTrace& trace, Clock& clock) : trace_(trace), clock_(clock) {}

  // Takes as long as the write of one sector that begins now.
  void pass() {
    const std::uint32_t stall_ms = trace_.meet(clock_.now_ms());
    clock_.wait(stall_ms > kSectorMs ? stall_ms : kSectorMs);
  }

 private:
  StallTrace& trace_;
  Clock& clock_;
};

}  // namespace stalls
