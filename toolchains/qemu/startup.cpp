// Startup of a program on an emulated board, after the reset of its architecture: memory, static
// constructors, main, exit code. Compiled with -fno-tree-loop-distribute-patterns, so that the loops below do
// not become calls of memcpy and memset, which a measurement of the image would then count.
#include "startup.h"

#include <cstdint>

#include "microparquet/port/semihosting.h"

extern "C" {
extern std::uint32_t __data_load[];
extern std::uint32_t __data_start[];
extern std::uint32_t __data_end[];
extern std::uint32_t __bss_start[];
extern std::uint32_t __bss_end[];
extern void (*__init_array_start[])();
extern void (*__init_array_end[])();
int program_main() asm("main");  // C++ forbids a program to call main by its name
}

void print_word(const char* label, std::uint32_t value) {
  char text[] = "00000000";
  for (int i = 0; i < 8; ++i) {
    text[i] = "0123456789abcdef"[(value >> (28 - 4 * i)) & 15u];
  }
  microparquet::semihosting::print_error(label);
  microparquet::semihosting::print_error(text);
}

void stop_after_fault() {
  constexpr int kFaultExitCode = 70;
  microparquet::semihosting::print_error("\n");
  microparquet::semihosting::exit(kFaultExitCode);
}

void start_program() {
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
