// Zephyr, as far as a program that logs needs it.
#include <zephyr/fs/fs.h>
#include <zephyr/kernel.h>
#include <zephyr/sys/printk.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>

#include "board.h"

int fs_mount(fs_mount_t*) { return board::mount() ? 0 : -ENODEV; }
std::uint32_t k_uptime_get_32() { return board::milliseconds(); }
std::int32_t k_msleep(std::int32_t ms) {
  board::wait(static_cast<std::uint32_t>(ms));
  return 0;
}
void printk(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  std::vprintf(format, arguments);
  va_end(arguments);
}
