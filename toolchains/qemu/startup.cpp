// Startup of a Cortex-M program on an emulated board: vectors, FPU, memory, static constructors, main, exit
// code. Compiled with -fno-tree-loop-distribute-patterns, so that the loops below do not become calls of
// memcpy and memset, which a measurement of the image would then count.
#include <cstdint>

#include "microparquet/port/semihosting.h"

extern "C" {
extern std::uint32_t __stack_top[];
extern std::uint32_t __stack_limit[];
extern std::uint32_t __data_load[];
extern std::uint32_t __data_start[];
extern std::uint32_t __data_end[];
extern std::uint32_t __bss_start[];
extern std::uint32_t __bss_end[];
extern void (*__init_array_start[])();
extern void (*__init_array_end[])();
int program_main() asm("main");  // C++ forbids a program to call main by its name
}

namespace {

constexpr int kFaultExitCode = 70;

volatile std::uint32_t& system_register(std::uint32_t address) {
  return *reinterpret_cast<volatile std::uint32_t*>(address);
}

// Prints a register of the system control block as hexadecimal digits.
void print_register(const char* label, std::uint32_t address) {
  char text[] = "00000000";
  const std::uint32_t value = system_register(address);
  for (int i = 0; i < 8; ++i) {
    text[i] = "0123456789abcdef"[(value >> (28 - 4 * i)) & 15u];
  }
  microparquet::semihosting::print_error(label);
  microparquet::semihosting::print_error(text);
}

}  // namespace

// Any exception that the program does not handle: the fault registers, then the end.
extern "C" [[noreturn]] void unexpected_exception() {
  print_register("fault: icsr=", 0xE000ED04u);
#if __ARM_ARCH >= 7
  print_register(" cfsr=", 0xE000ED28u);
  print_register(" bfar=", 0xE000ED38u);
#endif
  microparquet::semihosting::print_error("\n");
  microparquet::semihosting::exit(kFaultExitCode);
}

extern "C" [[gnu::used, noreturn]] void start_program() {
#if defined(__ARM_FP)
  system_register(0xE000ED88u) |= 0xFu << 20;  // CPACR: full access to the FPU
  asm volatile("dsb\n isb" ::: "memory");
#endif
  const std::uint32_t* from = __data_load;
  for (std::uint32_t* to = __data_start; to != __data_end; ++to) {
    *to = *from++;
  }
  for (std::uint32_t* to = __bss_start; to != __bss_end; ++to) {
    *to = 0;
  }
  for (auto constructor = __init_array_start; constructor != __init_array_end; ++constructor) {
    (*constructor)();
  }
  microparquet::semihosting::exit(program_main());
}

extern "C" [[gnu::naked, noreturn]] void Reset_Handler() {
#if __ARM_ARCH >= 8
  asm volatile("ldr r0, =__stack_limit\n msr msplim, r0\n b start_program\n .ltorg");
#else
  asm volatile("b start_program");
#endif
}

extern "C" [[gnu::weak]] void SysTick_Handler() { unexpected_exception(); }

using Vector = void (*)();
extern const Vector vectors[16];
[[gnu::section(".vectors"), gnu::used]] const Vector vectors[16] = {
    reinterpret_cast<Vector>(__stack_top),
    Reset_Handler,
    unexpected_exception,  // NMI
    unexpected_exception,  // hard fault
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
    unexpected_exception,  // PendSV
    SysTick_Handler,
};
