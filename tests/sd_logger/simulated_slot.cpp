#include "simulated_slot.h"

#include "device_register.h"

namespace {

constexpr std::uint32_t kChipSelect = 0x40007004;
constexpr std::uint32_t kBusData = 0x40008008;
constexpr std::uint32_t kBusStatus = 0x4000800C;
constexpr std::uint32_t kHasByte = 4;

SimulatedCard* slot = nullptr;  // null: it is empty
std::uint8_t answer = 0xFF;

}  // namespace

InSlot::InSlot(SimulatedCard& card) { slot = &card; }
InSlot::~InSlot() { pull(); }
void InSlot::pull() { slot = nullptr; }

void DeviceRegister::operator=(std::uint32_t value) const {  // NOLINT(*-assign-operator*)
  if (address_ == kBusData) answer = 0xFF;
  if (slot == nullptr) return;
  if (address_ == kChipSelect) slot->select(value == 0);
  if (address_ == kBusData) answer = slot->exchange(static_cast<std::uint8_t>(value));
}

DeviceRegister::operator std::uint32_t() const {
  if (address_ == kBusStatus) return kHasByte;
  return address_ == kBusData ? answer : 0xFF;
}
