#include "crash_mark.h"

#include <cstdint>

namespace {

// Registers that a Cortex-M has stored when it enters a handler.
struct Frame {
  std::uint32_t r0, r1, r2, r3, r12, lr, pc, xpsr;
};

volatile std::uint32_t& system_register(std::uint32_t address) {
  return *reinterpret_cast<volatile std::uint32_t*>(address);
}

constexpr std::uint32_t kTicksOfAPatientWatchdog = 4;
volatile std::uint32_t ticks_left = kTicksOfAPatientWatchdog;

[[noreturn]] void reset_processor() {
  asm volatile("dsb" ::: "memory");
  system_register(0xE000ED0C) = 0x05FA'0004;  // AIRCR: SYSRESETREQ
  for (;;) {
  }
}

[[noreturn]] void leave_mark(const Frame& frame, const char* crash) {
  Row mark = {};
  mark.time_us = std::int64_t{1000} * clock_ms;
  mark.crash = crash;
  mark.pc = frame.pc;
  mark.lr = frame.lr;
  mark.task = running_task;
  queue.push_mark(mark);
  reset_processor();
}

}  // namespace

[[gnu::section(".noinit")]] Queue queue;
[[gnu::section(".noinit")]] std::uint32_t clock_ms;
const char* running_task = "main";

// They need some stack; a product whose stacks may overflow gives handlers one of their own, as an RTOS does.
extern "C" [[gnu::used, noreturn]] void on_hard_fault(const Frame* frame) {
  leave_mark(*frame, "hard fault");
}
extern "C" [[gnu::used]] void on_tick(const Frame* frame) {
  if (--ticks_left == 0) leave_mark(*frame, "watchdog");
}

// The frame lies on the stack that was in use.
extern "C" [[gnu::naked, noreturn]] void HardFault_Handler() {
  asm volatile("tst lr, #4\n ite eq\n mrseq r0, msp\n mrsne r0, psp\n b on_hard_fault");
}
extern "C" [[gnu::naked]] void SysTick_Handler() {
  asm volatile("tst lr, #4\n ite eq\n mrseq r0, msp\n mrsne r0, psp\n b on_tick");
}

void start_watchdog() {
  constexpr std::uint32_t kHalfASecond = 25'000'000 / 2;
  system_register(0xE000E014) = kHalfASecond - 1;  // SysTick: reload, value, control
  system_register(0xE000E018) = 0;
  system_register(0xE000E010) = 7;
}

void feed_watchdog() { ticks_left = kTicksOfAPatientWatchdog; }
