#include "support/sd_fat_layer.h"

#include <cstring>

namespace filesystems {
namespace {

// Offsets in the boot sector.
constexpr std::size_t kName = 3;
constexpr std::size_t kReservedSectors = 14;
constexpr std::size_t kTables = 16;
constexpr std::size_t kTableSectors16 = 22;
constexpr std::size_t kTableSectors32 = 36;
constexpr std::size_t kSummarySector = 48;
// Offsets in FSINFO.
constexpr std::size_t kFreeClusters = 488;

std::uint32_t little_endian(const std::byte* from, unsigned bytes) {
  std::uint32_t value = 0;
  for (unsigned i = bytes; i-- != 0;) value = value << 8 | std::to_integer<std::uint32_t>(from[i]);
  return value;
}

}  // namespace

SdFatLayer::SdFatLayer(RamDisk& disk, SdFatTraits traits) : disk_(disk), traits_(traits) {
  disk.set_front(this);
  const std::byte* const boot = disk.sector(0);
  if (std::memcmp(boot + kName, "EXFAT", 5) == 0) return;
  const std::uint32_t copies = little_endian(boot + kTables, 1);
  const std::uint32_t small = little_endian(boot + kTableSectors16, 2);  // 0: FAT32
  table_begin_ = little_endian(boot + kReservedSectors, 2);
  table_sectors_ = small != 0 ? small : little_endian(boot + kTableSectors32, 4);
  data_begin_ = table_begin_ + copies * table_sectors_;
  copies_ = traits.holds_table ? copies : 0;
  if (small != 0) return;
  summary_ = little_endian(boot + kSummarySector, 2);
  std::memset(disk.sector(summary_) + kFreeClusters, 0xFF, 8);  // unknown
}

SdFatLayer::~SdFatLayer() {
  settle();
  disk_.set_front(nullptr);
}

void SdFatLayer::lose() {
  table_.reset();
  programming_.reset();
  in_memory_ = 0;
}

std::optional<std::uint32_t> SdFatLayer::in_table(std::uint32_t sector) const {
  if (sector < table_begin_ || sector - table_begin_ >= copies_ * table_sectors_) return std::nullopt;
  return (sector - table_begin_) % table_sectors_;
}

bool SdFatLayer::read(std::uint32_t first, std::byte* out, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    std::byte* const to = out + i * kSectorBytes;
    if (table_ && in_table(first + i) == table_->sector) {
      std::memcpy(to, table_->data.data(), kSectorBytes);
    } else if (!wait() || !disk_.read(first + i, to, 1)) {
      return false;
    }
  }
  remember(first, count);
  return true;
}

// Several sectors at once go to the card from where they lie, or from there.
void SdFatLayer::remember(std::uint32_t first, std::uint32_t count) {
  if (count == 1 && first >= data_begin_) in_memory_ = first;
}

bool SdFatLayer::write(std::uint32_t first, const std::byte* data, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::byte* const from = data + i * kSectorBytes;
    if (summary_ != 0 && first + i == summary_) continue;
    const std::optional<std::uint32_t> number = in_table(first + i);
    if (!number) {
      if (!put(first + i, from)) return false;
      continue;
    }
    if (table_ && table_->sector != *number && !put_table()) return false;
    if (!table_) table_.emplace(Held{*number, {}});
    std::memcpy(table_->data.data(), from, kSectorBytes);
  }
  remember(first, count);
  return true;
}

bool SdFatLayer::sync() {
  const bool good = put_table() && disk_.sync();
  syncs_while_busy_ += is_busy() ? 1U : 0U;
  return good;
}

// Writes each copy of the table, the first one first.
bool SdFatLayer::put_table() {
  if (!table_) return true;
  for (std::uint32_t copy = 0; copy < copies_; ++copy) {
    if (!put(table_begin_ + copy * table_sectors_ + table_->sector, table_->data.data())) return false;
  }
  table_.reset();
  return true;
}

bool SdFatLayer::put(std::uint32_t sector, const std::byte* data) {
  if (!wait()) return false;
  if (!traits_.dedicated_spi) return disk_.write(sector, data, 1);
  programming_.emplace(Held{sector, {}});
  std::memcpy(programming_->data.data(), data, kSectorBytes);
  return true;
}

bool SdFatLayer::wait() {
  if (!programming_) return true;
  const Held done = *programming_;
  programming_.reset();
  return disk_.write(done.sector, done.data.data(), 1);
}

}  // namespace filesystems
