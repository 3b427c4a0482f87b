// What the resets of all architectures share.
#pragma once

#include <cstdint>

// Fills .data and .bss, calls the static constructors and main, and ends the emulator with its exit code. The
// stack stands, and the core is ready for compiled code.
[[noreturn]] void start_program();

// For fault handlers: prints a register on the host's standard error; ends the emulator with exit code 70.
void print_word(const char* label, std::uint32_t value);
[[noreturn]] void stop_after_fault();
