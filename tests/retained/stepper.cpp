#include "stepper.h"

#include <csetjmp>
#include <csignal>

namespace retained {
namespace {

constexpr std::uint32_t kNever = 0xFFFF'FFFF;

std::uint32_t met;
std::uint32_t wanted = kNever;
volatile std::uint32_t left;
bool counting = false;
sigjmp_buf before;

// The kernel clears the trap flag for the handler, so nothing is to be done but to leave.
void on_trap(int /*signal*/) {
  const std::uint32_t now = left;
  if (now <= 1) siglongjmp(before, 1);
  left = now - 1;
}

// The compiler may keep variables in the 128 bytes below the stack pointer.
void trap_after_each_instruction(bool on) {
  if (on) {
    asm volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\torq $0x100, (%%rsp)\n\tpopfq\n\tlea 128(%%rsp), %%rsp"
                 :
                 :
                 : "memory", "cc");
  } else {
    asm volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\tandq $-0x101, (%%rsp)\n\tpopfq\n\tlea 128(%%rsp), %%rsp"
                 :
                 :
                 : "memory", "cc");
  }
}

}  // namespace

void point() {
  if (met++ != wanted) return;
  counting = true;
  trap_after_each_instruction(true);
}

Aside::Aside() {
  if (counting) trap_after_each_instruction(false);
}
Aside::~Aside() {
  if (counting) trap_after_each_instruction(true);
}

bool run_until_reset(void (*boot)(void*), void* context, std::uint32_t point, std::uint32_t instructions) {
  struct sigaction action = {};
  action.sa_handler = &on_trap;
  action.sa_flags = SA_NODEFER;  // it never returns at the last
  sigaction(SIGTRAP, &action, nullptr);
  met = 0;
  wanted = point;
  left = instructions;
  const bool is_left = sigsetjmp(before, 0) != 0;
  if (!is_left) {
    boot(context);
    trap_after_each_instruction(false);
  }
  wanted = kNever;
  counting = false;
  return is_left;
}

}  // namespace retained
