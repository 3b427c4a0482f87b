#include "pended_call.h"

#include "device_register.h"

namespace pended_call {

void start() {
  device_register(0xE000ED20) |= 0xFFU << 16;  // SHPR3: the priority of PendSV
}

void pend() {
  device_register(0xE000ED04) = 1U << 28;  // ICSR: PENDSVSET
  asm volatile("dsb\n isb" ::: "memory");
}

}  // namespace pended_call
