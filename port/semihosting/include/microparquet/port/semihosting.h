// Semihosting: services of a debugger or an emulator for a Cortex-M or RISC-V program (Arm's "Semihosting for
// AArch32 and AArch64", release 3.0, which "RISC-V Semihosting" takes over). Without one attached the first
// call stops the core, so this is for tests and examples.
//
// Threading: interrupts may call only print_error and exit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/span.h"

namespace microparquet::semihosting {

// Operations, with the numbers of the specification.
enum class Operation : std::uint32_t {
  kOpen = 0x01,
  kClose = 0x02,
  kWrite0 = 0x04,
  kWrite = 0x05,
  kRead = 0x06,
  kSeek = 0x0A,
  kFileLength = 0x0C,
  kRemove = 0x0E,
  kErrno = 0x13,
  kGetCommandLine = 0x15,
  kExitExtended = 0x20,
};

// Modes in which kOpen opens a file. Appending is left out: emulators write at offset 0 in that mode.
enum class OpenMode : std::uint32_t { kRead = 1, kReadWrite = 3, kWriteConsole = 4, kCreate = 7 };

// Makes a call. The specification describes the `argument` of each operation, mostly a block of words.
// Returns the host's answer.
std::int32_t call(Operation operation, const void* argument);

// Opens `path`, text that ends in '\0', as the host resolves it. Returns a handle, or -1.
std::int32_t open(const char* path, OpenMode mode);

// Returns 0, or -1.
std::int32_t close(std::int32_t handle);

// Reads from the handle's position. Returns how many bytes were *not* read.
std::uint32_t read(std::int32_t handle, void* data, std::uint32_t bytes);
// Writes at the handle's position. Returns how many bytes were *not* written.
std::uint32_t write(std::int32_t handle, const void* data, std::uint32_t bytes);

// Moves the handle to `offset`, possibly past the file's end. Returns 0, or a negative number.
std::int32_t seek(std::int32_t handle, std::uint32_t offset);

// Deletes a file. Returns 0, or another number.
std::int32_t remove(const char* path);

// Returns the host's errno after a call that failed.
std::int32_t last_error();

// Prints text that ends in '\0' on the host's standard error. It works in a fault handler.
void print_error(const char* text);

// Returns the words given to the program (QEMU: -append), copied to `buffer` and ending in '\0' there; empty
// if there are none or they do not fit.
std::string_view command_line(Span<char> buffer);

// Ends the program; the emulator exits with `code`, 0 to 255.
[[noreturn]] void exit(int code);

}  // namespace microparquet::semihosting
