#include "card_switch.h"

#include "device_register.h"
#include "ff.h"
// After it:
#include "diskio.h"

namespace card_switch {
namespace {

constexpr std::uint32_t kPortD = 0x40007000;
constexpr std::uint32_t kPin = 1U << 1;

void set(bool high) {
  device_register(kSystemControl + 0x108) |= 1U << 3;  // the port's clock
  device_register(kPortD + 0x400) |= kPin;             // an output
  device_register(kPortD + 0x51C) |= kPin;             // and digital
  device_register(kPortD + (kPin << 2)) = high ? kPin : 0;
}

}  // namespace

bool on() {
  set(true);
  return (disk_initialize(0) & STA_NOINIT) == 0;
}

void off() {
  BYTE no_power = 0;
  disk_ioctl(0, CTRL_POWER, &no_power);
  set(false);
}

}  // namespace card_switch
