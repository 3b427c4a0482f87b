#include "support/ram_disk.h"

#include <sys/mman.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "diskio.h"

namespace filesystems {
namespace {

RamDisk* in_slot = nullptr;

const std::byte* as_bytes(const BYTE* data) { return reinterpret_cast<const std::byte*>(data); }

}  // namespace

RamDisk::RamDisk(std::uint32_t sectors) : sectors_(sectors) {
  void* const memory = mmap(nullptr, std::size_t{sectors} * kSectorBytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) std::abort();
  bytes_ = static_cast<std::byte*>(memory);
}

RamDisk::~RamDisk() {
  if (in_slot == this) in_slot = nullptr;
  munmap(bytes_, std::size_t{sectors_} * kSectorBytes);
}

void RamDisk::insert(RamDisk* disk) { in_slot = disk; }
RamDisk* RamDisk::inserted() { return in_slot; }

void RamDisk::copy_from(const RamDisk& other) {
  if (other.sectors_ != sectors_) std::abort();
  std::memcpy(bytes_, other.bytes_, std::size_t{sectors_} * kSectorBytes);
}

// Sectors of zeros become holes.
bool RamDisk::save(const std::string& path) const {
  static constexpr Sector kZeros = {};
  std::FILE* const out = std::fopen(path.c_str(), "wb");
  if (out == nullptr) return false;
  bool good = true;
  for (std::uint32_t i = 0; i < sectors_ && good; ++i) {
    const std::byte* const data = bytes_ + i * kSectorBytes;
    if (i + 1 != sectors_ && std::memcmp(data, kZeros.data(), kSectorBytes) == 0) continue;
    good = std::fseek(out, static_cast<long>(i * kSectorBytes), SEEK_SET) == 0 &&
           std::fwrite(data, 1, kSectorBytes, out) == kSectorBytes;
  }
  return std::fclose(out) == 0 && good;
}

void RamDisk::cut_after(std::uint64_t writes, std::size_t torn, std::uint32_t whole_below) {
  countdown_ = writes;
  torn_ = torn;
  whole_below_ = whole_below;
}

void RamDisk::power_on() {
  if (is_cut()) front().lose();
  countdown_ = kNever;
}

void RamDisk::begin_transaction() {
  front().settle();
  in_transaction_ = true;
}

void RamDisk::roll_back() {
  front().lose();
  for (const auto& [index, data] : before_) std::memcpy(sector(index), data.data(), kSectorBytes);
  before_.clear();
  in_transaction_ = false;
}

bool RamDisk::read(std::uint32_t first, std::byte* out, std::uint32_t count) {
  if (is_cut() || first > sectors_ || count > sectors_ - first) return false;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (watch_ && !watch_(Access::kRead, first + i, nullptr)) return false;
  }
  std::memcpy(out, sector(first), count * kSectorBytes);
  return true;
}

bool RamDisk::write(std::uint32_t first, const std::byte* data, std::uint32_t count) {
  if (protected_ || first > sectors_ || count > sectors_ - first) return false;
  ++writes_;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!store(first + i, data + i * kSectorBytes)) return false;
  }
  return true;
}

bool RamDisk::store(std::uint32_t index, const std::byte* data) {
  if (is_cut() || (watch_ && !watch_(Access::kWrite, index, data))) return false;
  std::size_t bytes = kSectorBytes;
  if (countdown_ == 0) {
    bytes = index < whole_below_ ? 0 : torn_;
    countdown_ = kCut;
  } else if (countdown_ != kNever) {
    --countdown_;
  }
  if (in_transaction_ && bytes != 0) {
    const auto [place, is_new] = before_.try_emplace(index);
    if (is_new) std::memcpy(place->second.data(), sector(index), kSectorBytes);
  }
  std::memcpy(sector(index), data, bytes);
  return !is_cut();
}

void RamDisk::see(const void* buffer) {
  if (reinterpret_cast<std::uintptr_t>(buffer) % 4 != 0) ++unaligned_;
}

bool RamDisk::sync() {
  if (watch_ && !watch_(Access::kSync, 0, nullptr)) return false;
  ++syncs_;
  return !is_cut();
}

}  // namespace filesystems

using filesystems::in_slot;

extern "C" DSTATUS disk_initialize(BYTE pdrv) { return disk_status(pdrv); }

extern "C" DSTATUS disk_status(BYTE pdrv) {
  if (pdrv != 0 || in_slot == nullptr) return STA_NOINIT | STA_NODISK;
  return in_slot->is_protected() ? STA_PROTECT : 0;
}

extern "C" DRESULT disk_read(BYTE pdrv, BYTE* buff, LBA_t sector, UINT count) {
  if (pdrv != 0 || in_slot == nullptr) return RES_NOTRDY;
  in_slot->see(buff);
  return in_slot->front().read(sector, reinterpret_cast<std::byte*>(buff), count) ? RES_OK : RES_ERROR;
}

extern "C" DRESULT disk_write(BYTE pdrv, const BYTE* buff, LBA_t sector, UINT count) {
  if (pdrv != 0 || in_slot == nullptr) return RES_NOTRDY;
  if (in_slot->is_protected()) return RES_WRPRT;
  in_slot->see(buff);
  return in_slot->front().write(sector, filesystems::as_bytes(buff), count) ? RES_OK : RES_ERROR;
}

extern "C" DRESULT disk_ioctl(BYTE pdrv, BYTE cmd, void* buff) {
  if (pdrv != 0 || in_slot == nullptr) return RES_NOTRDY;
  switch (cmd) {
    case CTRL_SYNC: return in_slot->front().sync() ? RES_OK : RES_ERROR;
    case GET_SECTOR_COUNT: *static_cast<LBA_t*>(buff) = in_slot->sectors(); return RES_OK;
    case GET_SECTOR_SIZE: *static_cast<WORD*>(buff) = filesystems::kSectorBytes; return RES_OK;
    case GET_BLOCK_SIZE: *static_cast<DWORD*>(buff) = 1; return RES_OK;
    default: return RES_PARERR;
  }
}
