#include "microparquet/port/semihosting.h"

namespace microparquet::semihosting {

namespace {

std::uint32_t word(const void* pointer) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(pointer));
}

std::uint32_t length(const char* text) {
  std::uint32_t count = 0;
  while (text[count] != '\0') {
    ++count;
  }
  return count;
}

}  // namespace

// Makes the call. Operation and argument arrive in the registers where the host expects them, and it answers
// in the first.
[[gnu::naked, gnu::noinline]] std::int32_t call(Operation /*operation*/, const void* /*argument*/) {
#if defined(__riscv)
  // The host recognises the call by the instructions around ebreak: all three of full length, in one page.
  asm volatile(
      ".option push\n .option norvc\n .balign 16\n"
      "slli zero, zero, 0x1f\n ebreak\n srai zero, zero, 7\n"
      "ret\n .option pop");
#else
  asm volatile("bkpt 0xAB\n bx lr");
#endif
}

std::int32_t open(const char* path, OpenMode mode) {
  const std::uint32_t block[] = {word(path), static_cast<std::uint32_t>(mode), length(path)};
  return call(Operation::kOpen, block);
}

std::int32_t close(std::int32_t handle) { return call(Operation::kClose, &handle); }

std::uint32_t read(std::int32_t handle, void* data, std::uint32_t bytes) {
  const std::uint32_t block[] = {static_cast<std::uint32_t>(handle), word(data), bytes};
  return static_cast<std::uint32_t>(call(Operation::kRead, block));
}

std::uint32_t write(std::int32_t handle, const void* data, std::uint32_t bytes) {
  const std::uint32_t block[] = {static_cast<std::uint32_t>(handle), word(data), bytes};
  return static_cast<std::uint32_t>(call(Operation::kWrite, block));
}

std::int32_t seek(std::int32_t handle, std::uint32_t offset) {
  const std::uint32_t block[] = {static_cast<std::uint32_t>(handle), offset};
  return call(Operation::kSeek, block);
}

std::int32_t remove(const char* path) {
  const std::uint32_t block[] = {word(path), length(path)};
  return call(Operation::kRemove, block);
}

std::int32_t last_error() { return call(Operation::kErrno, nullptr); }

void print_error(const char* text) { static_cast<void>(call(Operation::kWrite0, text)); }

std::string_view command_line(Span<char> buffer) {
  std::uint32_t block[] = {word(buffer.data()), static_cast<std::uint32_t>(buffer.size())};
  if (call(Operation::kGetCommandLine, block) != 0) {
    return {};
  }
  return {buffer.data(), block[1]};
}

void exit(int code) {
  constexpr std::uint32_t kApplicationExit = 0x20026;
  const std::uint32_t block[] = {kApplicationExit, static_cast<std::uint32_t>(code)};
  for (;;) {
    static_cast<void>(call(Operation::kExitExtended, block));
  }
}

}  // namespace microparquet::semihosting
