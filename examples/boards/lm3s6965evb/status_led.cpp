#include "status_led.h"

#include "device_register.h"

namespace status_led {
namespace {

constexpr std::uint32_t kPortF = 0x40025000;
constexpr std::uint32_t kPin = 1U << 0;

}  // namespace

void start() {
  device_register(kSystemControl + 0x108) |= 1U << 5;  // the port's clock
  device_register(kPortF + 0x400) |= kPin;             // an output
  device_register(kPortF + 0x51C) |= kPin;             // digital
  set(false);
}

// The address masks the pin, so that others are left alone.
void set(bool on) { device_register(kPortF + (kPin << 2)) = on ? kPin : 0; }

}  // namespace status_led
