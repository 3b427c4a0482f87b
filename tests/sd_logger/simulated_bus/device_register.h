// Replaces the board's registers: a simulated card is at those of its serial bus.
#pragma once

#include <cstdint>

class DeviceRegister {
 public:
  explicit DeviceRegister(std::uint32_t address) : address_(address) {}
  void operator=(std::uint32_t value) const;  // NOLINT(*-assign-operator*): as of a register
  void operator|=(std::uint32_t) const {}
  operator std::uint32_t() const;  // NOLINT(*-explicit-*): as of a register

 private:
  std::uint32_t address_;
};

inline DeviceRegister device_register(std::uint32_t address) { return DeviceRegister(address); }

inline constexpr std::uint32_t kSystemControl = 0x400FE000;
