// Reset of a Cortex-M: vectors, stack limit, FPU; and its faults.
#include <cstdint>

#include "startup.h"

extern "C" {
extern std::uint32_t __stack_top[];
extern std::uint32_t __stack_limit[];
}

namespace {

volatile std::uint32_t& system_register(std::uint32_t address) {
  return *reinterpret_cast<volatile std::uint32_t*>(address);
}

}  // namespace

// Any exception that the program does not handle: the fault registers, then the end.
extern "C" [[noreturn]] void unexpected_exception() {
  print_word("fault: icsr=", system_register(0xE000ED04u));
#if __ARM_ARCH >= 7 && !defined(__ARM_ARCH_8M_BASE__)
  print_word(" cfsr=", system_register(0xE000ED28u));
  print_word(" bfar=", system_register(0xE000ED38u));
#endif
  stop_after_fault();
}

extern "C" [[gnu::used, noreturn]] void prepare_core() {
#if defined(__ARM_FP)
  system_register(0xE000ED88u) |= 0xFu << 20;  // CPACR: full access to the FPU, and to the vectors of an M55
  asm volatile("dsb\n isb" ::: "memory");
#endif
  start_program();
}

// An Armv8-M stops a stack that grows below its limit. The core starts in secure state, and stays there.
extern "C" [[gnu::naked, noreturn]] void Reset_Handler() {
#if __ARM_ARCH >= 8
  asm volatile("ldr r0, =__stack_limit\n msr msplim, r0\n b prepare_core\n .ltorg");
#else
  asm volatile("b prepare_core");
#endif
}

extern "C" [[gnu::weak]] void SysTick_Handler() { unexpected_exception(); }
extern "C" [[noreturn, gnu::weak, gnu::alias("unexpected_exception")]] void PendSV_Handler();
extern "C" [[noreturn, gnu::weak, gnu::alias("unexpected_exception")]] void HardFault_Handler();

using Vector = void (*)();
extern const Vector vectors[16];
[[gnu::section(".vectors"), gnu::used]] const Vector vectors[16] = {
    reinterpret_cast<Vector>(__stack_top),
    Reset_Handler,
    unexpected_exception,  // NMI
    HardFault_Handler,
    unexpected_exception,  // memory management
    unexpected_exception,  // bus fault
    unexpected_exception,  // usage fault
    unexpected_exception,  // secure fault
    nullptr,
    nullptr,
    nullptr,
    unexpected_exception,  // supervisor call
    unexpected_exception,  // debug monitor
    nullptr,
    PendSV_Handler,
    SysTick_Handler,
};
