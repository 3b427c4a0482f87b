#include "card_switch.h"

#include <cstddef>
#include <cstdint>

#include "device_register.h"
// After ff.h:
#include "diskio.h"

namespace card_switch {
namespace {

constexpr std::uint32_t kPortD = 0x40007000;
constexpr std::uint32_t kPin = 1U << 1;

// The mounted card's mark: keep_to() sets it, on() compares it.
bool is_known = false;
LBA_t boot_sector = 0;
std::uint32_t known_mark = 0;

volatile std::uint32_t& pin() { return device_register(kPortD + (kPin << 2)); }

void set(bool high) {
  device_register(kSystemControl + 0x108) |= 1U << 3;  // the port's clock
  device_register(kPortD + 0x400) |= kPin;             // an output
  device_register(kPortD + 0x51C) |= kPin;             // digital
  pin() = high ? kPin : 0;
}

std::uint32_t hash(std::uint32_t before, const BYTE* data, std::size_t size) {
  constexpr std::uint32_t kPrime = 16'777'619;  // FNV-1a
  for (std::size_t i = 0; i < size; ++i) before = (before ^ data[i]) * kPrime;
  return before;
}

// Hashes the card's number, if the card tells one, and the boot sector with the volume's serial number. Both
// are needed because cards may be sold formatted with the same serial number. False: the card cannot be read.
bool read_mark(std::uint32_t& mark) {
  constexpr std::uint32_t kBegin = 2'166'136'261;
  constexpr std::size_t kNumberBytes = 16;
  BYTE data[FF_MAX_SS];
  mark = disk_ioctl(0, MMC_GET_CID, data) == RES_OK ? hash(kBegin, data, kNumberBytes) : kBegin;
  if (disk_read(0, data, boot_sector, 1) != RES_OK) return false;
  mark = hash(mark, data, sizeof data);
  return true;
}

bool is_known_card() {
  std::uint32_t mark = 0;
  return !is_known || (read_mark(mark) && mark == known_mark);
}

}  // namespace

bool on() {
  set(true);
  if ((disk_initialize(0) & STA_NOINIT) == 0 && is_known_card()) return true;
  off();
  return false;
}

bool keep_to(const FATFS& volume) {
  boot_sector = volume.volbase;
  is_known = read_mark(known_mark);
  return is_known;
}

void off() {
  BYTE no_power = 0;
  disk_ioctl(0, CTRL_POWER, &no_power);
  set(false);
}

bool has_supply() { return pin() != 0; }

bool is_off() { return !has_supply() && (disk_status(0) & STA_NOINIT) != 0; }

}  // namespace card_switch
