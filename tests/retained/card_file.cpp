#include "card_file.h"

#include <cstring>

#include "stepper.h"

namespace retained {

using mpq::Span;
using mpq::Status;

void CardFile::create(bool shrinks, std::uint32_t fails_at) {
  cached_.fill(false);
  taking_ = kNone;
  confirming_ = kNone;
  published_ = 0;
  end_ = 0;
  calls_ = 0;
  fails_at_ = fails_at;
  shrinks_ = shrinks;
}

bool CardFile::fails() {
  point();
  return fails_at_ != 0 && ++calls_ >= fails_at_;
}

Status CardFile::size(std::uint64_t& bytes) {
  bytes = end_;
  return Status::kOk;
}

Status CardFile::read_at(std::uint64_t offset, Span<std::byte> out) {
  if (offset + out.size() > end_) return Status::kIoError;
  std::memcpy(out.data(), now_.data() + offset, out.size());
  return Status::kOk;
}

Status CardFile::write_at(std::uint64_t offset, Span<const std::byte> data) {
  if (fails()) return Status::kIoError;
  if (offset + data.size() > kBytes) return Status::kNoSpace;
  for (std::size_t done = 0; done != data.size();) {
    const auto at = static_cast<std::size_t>(offset) + done;
    const std::size_t in_sector = kSector - at % kSector;
    const std::size_t part = in_sector < data.size() - done ? in_sector : data.size() - done;
    taking_ = at / kSector;
    asm volatile("" : : : "memory");
    std::memcpy(now_.data() + at, data.data() + done, part);
    cached_[at / kSector] = true;
    asm volatile("" : : : "memory");
    taking_ = kNone;
    done += part;
  }
  if (offset + data.size() > end_) end_ = offset + data.size();
  point();
  return Status::kOk;
}

Status CardFile::reserve(std::uint64_t end) { return end > kBytes ? Status::kNoSpace : Status::kOk; }

void CardFile::confirm(std::size_t sector) {
  confirming_ = sector;
  asm volatile("" : : : "memory");
  std::memcpy(safe_.data() + sector * kSector, now_.data() + sector * kSector, kSector);
  cached_[sector] = false;
  asm volatile("" : : : "memory");
  confirming_ = kNone;
}

Status CardFile::barrier() {
  if (fails()) return Status::kIoError;
  for (std::size_t sector = 0; sector != kSectors; ++sector) {
    if (cached_[sector]) confirm(sector);
  }
  point();
  return Status::kOk;
}

Status CardFile::sync(std::uint64_t size) {
  if (const Status status = barrier(); status != Status::kOk) return status;
  published_ = size;
  point();
  return Status::kOk;
}

Status CardFile::shrink(std::uint64_t size) {
  if (fails()) return Status::kIoError;
  published_ = size;
  end_ = size;
  point();
  return Status::kOk;
}

void CardFile::reset(lives::Chance& chance) {
  if (confirming_ != kNone) confirm(confirming_);
  if (taking_ != kNone) cached_[taking_] = false;
  taking_ = kNone;
  const unsigned share = chance.any_of({0U, 50U, 100U});
  for (std::size_t sector = 0; sector != kSectors; ++sector) {
    if (cached_[sector] && chance.percent(share)) confirm(sector);
    cached_[sector] = false;
  }
  std::memcpy(now_.data(), safe_.data(), kBytes);
  end_ = published_;
}

}  // namespace retained
