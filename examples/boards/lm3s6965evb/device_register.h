// Access to the registers of the chip's devices.
#pragma once

#include <cstdint>

inline volatile std::uint32_t& device_register(std::uint32_t address) {
  return *reinterpret_cast<volatile std::uint32_t*>(address);
}

// The control block of the LM3S6965: clocks of the chip and of its devices.
inline constexpr std::uint32_t kSystemControl = 0x400FE000;
