// Reset of a RISC-V of 32 bits: stack, trap vector; and its traps.
#include <cstdint>

#include "startup.h"

// Any trap that the program does not handle: its cause, where it happened, and the address it was about.
extern "C" [[gnu::used, noreturn, gnu::aligned(4)]] void unexpected_trap() {
  std::uint32_t cause = 0;
  std::uint32_t place = 0;
  std::uint32_t value = 0;
  asm volatile("csrr %0, mcause\n csrr %1, mepc\n csrr %2, mtval" : "=r"(cause), "=r"(place), "=r"(value));
  print_word("fault: mcause=", cause);
  print_word(" mepc=", place);
  print_word(" mtval=", value);
  stop_after_fault();
}

extern "C" [[gnu::used, noreturn]] void prepare_core() { start_program(); }

// The first bytes of the image, where the core begins.
extern "C" [[gnu::naked, noreturn, gnu::section(".vectors"), gnu::used]] void Reset_Handler() {
  asm volatile(
      "la sp, __stack_top\n"
      "la t0, unexpected_trap\n"
      "csrw mtvec, t0\n"
      "j prepare_core");
}
