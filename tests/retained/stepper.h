// Resets at any instruction: the processor traps after each one, and at the last the program is left as it is.
#pragma once

#include <cstdint>

namespace retained {

// Calls `boot(context)`. From its point number `point` on, counted from 0, it executes `instructions` instructions and
// leaves it there, without anything more: no destructor, no return. Returns whether it was left. One at a time.
bool run_until_reset(void (*boot)(void*), void* context, std::uint32_t point, std::uint32_t instructions);

// A place from which instructions are counted, where run_until_reset() wants it.
void point();

// What happens outside of the program, in which no reset comes, as long as it exists.
class Aside {
 public:
  Aside();
  ~Aside();
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;
};

}  // namespace retained
