#include "cards/logged_card.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "format/record_format.h"

namespace cards {

namespace {

constexpr std::uint32_t kSectors = 4U << 21;
constexpr std::uint32_t kUnitSectors = 8192;

filesystems::RamDisk& format(filesystems::RamDisk& disk, std::uint32_t cluster_bytes) {
  filesystems::RamDisk::insert(&disk);
  std::vector<BYTE> work(1 << 20);
  const MKFS_PARM parameters = {FM_FAT32 | FM_SFD, 2, kUnitSectors, 0, cluster_bytes};
  if (f_mkfs("", &parameters, work.data(), static_cast<UINT>(work.size())) != FR_OK) std::abort();
  return disk;
}

// A page begins with its header: PageHeader's first three fields are an i32 each, its type and its sizes. No part of a footer
// begins so.
bool begins_a_page(microparquet::Span<const std::byte> data) {
  constexpr std::uint8_t kNextI32 = 0x15;
  constexpr std::uint8_t kMore = 0x80;
  std::size_t at = 0;
  for (int field = 0; field < 3; ++field) {
    if (at == data.size() || std::to_integer<std::uint8_t>(data[at++]) != kNextI32) return false;
    while (at < data.size() && (std::to_integer<std::uint8_t>(data[at]) & kMore) != 0) ++at;
    ++at;
  }
  return at <= data.size();
}

bool has_a_record(microparquet::Span<const std::byte> data) {
  std::byte tag[sizeof microparquet::write::kRecordTag];
  std::memcpy(tag, &microparquet::write::kRecordTag, sizeof tag);
  return std::search(data.begin(), data.end(), tag, tag + sizeof tag) != data.end();
}

}  // namespace

LoggedCard::LoggedCard(Commands& to, std::uint32_t cluster_bytes)
    : to_(to), disk_(kSectors), volume_(format(disk_, cluster_bytes)) {
  disk_.set_front(this);
}

Cause LoggedCard::cause_of(std::uint32_t sector) const {
  const FATFS& volume = const_cast<filesystems::Volume&>(volume_).fatfs();
  if (sector < volume.database) return Cause::kTable;
  return sector < volume.database + volume.csize ? Cause::kDirectory
                                                 : cause_;  // the root has the first cluster
}

bool LoggedCard::read(std::uint32_t first, std::byte* out, std::uint32_t count) {
  to_.read(first, count);
  return disk_.read(first, out, count);
}

bool LoggedCard::write(std::uint32_t first, const std::byte* data, std::uint32_t count) {
  to_.write(first, count, cause_of(first));
  return disk_.write(first, data, count);
}

bool LoggedCard::sync() {
  to_.sync();
  return disk_.sync();
}

// A footer is written after what the last one describes, and in place nothing else is; forward, pages and records are too.
microparquet::Status LoggedFile::write_at(std::uint64_t offset, microparquet::Span<const std::byte> data) {
  if (has_a_record(data)) {
    card_.set_cause(Cause::kRecords);
  } else if (offset < published_ || begins_a_page(data)) {
    card_.set_cause(Cause::kPages);
  } else {
    card_.set_cause(Cause::kFooters);
  }
  return ForwardingFile::write_at(offset, data);
}

microparquet::Status LoggedFile::sync(std::uint64_t size) {
  const microparquet::Status status = ForwardingFile::sync(size);
  if (status != microparquet::Status::kOk) return status;
  published_ = size;
  card_.commands().publish();
  return status;
}

void LoggedFile::begin_next() {
  before_ += published_;
  published_ = 0;
}

}  // namespace cards
