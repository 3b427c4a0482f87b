#include "volume.h"

#include <algorithm>
#include <optional>
#include <set>

#include "exfat_volume.h"
#include "fat_volume.h"
#include "numbers.h"

namespace microparquet::recovery {

namespace {

constexpr std::uint64_t kSectorSizes[] = {512, 1024, 2048, 4096};

// Places where a partition may begin. Only a file system there shows that one does.
class Partitions {
 public:
  explicit Partitions(File& image) : image_(image), bytes_(bytes_of(image)) {}

  std::set<std::uint64_t> places() {
    add_mbr();
    for (const std::uint64_t sector : kSectorSizes) {
      add_gpt(sector, sector);
      if (bytes_ >= sector) {
        add_gpt(bytes_ / sector * sector - sector, sector);  // the backup
      }
    }
    return std::move(places_);
  }

 private:
  void add_mbr() {
    constexpr std::size_t kEntries = 446;
    constexpr std::size_t kEntryBytes = 16;
    const Bytes sector = read_bytes(image_, 0, kSectorSizes[0]);
    if (sector.empty() || number_at<std::uint16_t>(sector, 510) != 0xAA55) {
      return;
    }
    for (std::size_t at = kEntries; at < kEntries + 4 * kEntryBytes; at += kEntryBytes) {
      if (byte_at(sector, at + 4) != 0) {
        for (const std::uint64_t sector_bytes : kSectorSizes) {
          add(number_at<std::uint32_t>(sector, at + 8), sector_bytes);
        }
      }
    }
  }

  void add_gpt(std::uint64_t header_at, std::uint64_t sector_bytes) {
    constexpr std::uint32_t kMostEntries = 1024;
    constexpr std::uint32_t kEntryBytes = 128;
    const Bytes header = read_bytes(image_, header_at, kSectorSizes[0]);
    if (header.empty() || std::memcmp(header.data(), "EFI PART", 8) != 0) {
      return;
    }
    const auto table = number_at<std::uint64_t>(header, 72);
    const auto entries = number_at<std::uint32_t>(header, 80);
    const auto each = number_at<std::uint32_t>(header, 84);
    for (std::uint32_t i = 0; i < std::min(entries, kMostEntries); ++i) {
      if (table >= bytes_ / sector_bytes || each < kEntryBytes || each > kSectorSizes[3]) {
        return;
      }
      const Bytes entry = read_bytes(image_, table * sector_bytes + std::uint64_t{i} * each, kEntryBytes);
      if (!entry.empty()) {
        add(number_at<std::uint64_t>(entry, 32), sector_bytes);
      }
    }
  }

  void add(std::uint64_t sector, std::uint64_t sector_bytes) {
    if (sector != 0 && sector < bytes_ / sector_bytes) {
      places_.insert(sector * sector_bytes);
    }
  }

  File& image_;
  std::uint64_t bytes_;
  std::set<std::uint64_t> places_;
};

}  // namespace

std::vector<Volume> find_volumes(File& image) {
  std::vector<Volume> volumes;
  const auto take = [&](std::uint64_t begin, std::optional<Volume> (*read)(File&, std::uint64_t)) {
    auto volume = read(image, begin);
    if (volume) {
      volume->taken.settle();
      volumes.push_back(std::move(*volume));
    }
    return volume.has_value();
  };
  const auto take_either = [&](std::uint64_t begin) {
    return take(begin, read_exfat_volume) || take(begin, read_fat_volume);
  };
  if (take_either(0)) {
    return volumes;
  }
  for (const std::uint64_t begin : Partitions(image).places()) {
    if (!take_either(begin)) {
      take(begin, read_exfat_by_backup);
    }
  }
  // A medium that is partitioned may have had one volume before, whose backup is still there.
  if (volumes.empty()) {
    take(0, read_exfat_by_backup);
  }
  return volumes;
}

}  // namespace microparquet::recovery
