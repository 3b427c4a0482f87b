// The board's status LED, at pin F0.
#pragma once

namespace status_led {

void start();

// May be called from an interrupt.
void set(bool on);

}  // namespace status_led
