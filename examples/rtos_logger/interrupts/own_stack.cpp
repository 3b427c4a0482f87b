#include "own_stack.h"

extern "C" std::uint32_t __stack_limit[];

namespace own_stack {
namespace {

constexpr std::uint32_t kPaint = 0xA5A5A5A5;
constexpr std::size_t kGap = 64;  // words, for the frame of paint() itself

std::uint32_t* painted_end = nullptr;

}  // namespace

[[gnu::naked, noreturn]] void run(std::uint64_t*, void (*)()) {
  asm volatile(
      "msr psp, r0\n"
      "movs r2, #2\n"
      "msr control, r2\n"
      "isb\n"
      "bx r1\n");
}

[[gnu::noinline]] void paint() {
  painted_end = static_cast<std::uint32_t*>(__builtin_frame_address(0)) - kGap;
  for (volatile std::uint32_t* word = __stack_limit; word != painted_end; ++word) *word = kPaint;
}

// Exceptions begin below the frame of the function that called run(), above the paint: so a little less than
// this is theirs.
std::size_t touched_bytes() {
  const volatile std::uint32_t* word = __stack_limit;
  while (word != painted_end && *word == kPaint) ++word;
  std::uint32_t top = 0;
  asm volatile("mrs %0, msp" : "=r"(top));
  return top - reinterpret_cast<std::uint32_t>(word);
}

}  // namespace own_stack
