// Runs from reset to main on a Cortex-M0. A vendor's start-up code does as well.
#include <cstdint>

#include "microparquet/port/semihosting.h"

extern "C" {
extern std::uint32_t stack_top[];
extern const std::uint32_t data_in_flash[];
extern std::uint32_t data_begin[];
extern std::uint32_t data_end[];
extern std::uint32_t bss_begin[];
extern std::uint32_t bss_end[];
extern void (*const constructors_begin[])();
extern void (*const constructors_end[])();
int call_main() asm("main");  // C++ forbids a program to call main by its name
}

extern "C" [[noreturn]] void Reset_Handler() {
  const std::uint32_t* from = data_in_flash;
  for (std::uint32_t* to = data_begin; to != data_end; ++to) *to = *from++;
  for (std::uint32_t* to = bss_begin; to != bss_end; ++to) *to = 0;
  for (auto constructor = constructors_begin; constructor != constructors_end; ++constructor) {
    (*constructor)();
  }
  microparquet::semihosting::exit(call_main());
}

// Any other exception is one too many here.
extern "C" [[noreturn]] void stop() {
  microparquet::semihosting::print_error("unexpected exception\n");
  microparquet::semihosting::exit(70);
}

using Vector = void (*)();
extern const Vector vectors[16];
[[gnu::section(".vectors"), gnu::used]] const Vector vectors[16] = {
    reinterpret_cast<Vector>(stack_top),
    Reset_Handler,
    stop,  // NMI
    stop,  // hard fault
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    stop,  // supervisor call
    nullptr,
    nullptr,
    stop,  // PendSV
    stop,  // SysTick
};
