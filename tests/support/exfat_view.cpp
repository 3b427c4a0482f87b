#include "support/exfat_view.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace filesystems {

namespace {

constexpr unsigned kDeepest = 8;
constexpr std::size_t kMostEntries = 1 << 16;

}  // namespace

std::uint16_t set_sum(const std::byte* set, std::size_t bytes) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    if (i == 2 || i == 3) continue;
    sum = (((sum & 1) << 15) + (sum >> 1) + std::to_integer<std::uint32_t>(set[i])) & 0xFFFF;
  }
  return static_cast<std::uint16_t>(sum);
}

ExfatView::ExfatView(Sectors sectors, std::uint32_t count) : sectors_(std::move(sectors)), count_(count) {
  table_ = static_cast<std::uint32_t>(number(80, 4));
  table_sectors_ = static_cast<std::uint32_t>(number(84, 4));
  heap_ = static_cast<std::uint32_t>(number(88, 4));
  clusters_ = static_cast<std::uint32_t>(number(92, 4));
  root_ = static_cast<std::uint32_t>(number(96, 4));
  cluster_shift_ = static_cast<unsigned>(number(109, 1)) & 15;
  const std::uint32_t most = heap_ < count_ ? (count_ - heap_) >> cluster_shift_ : 0;
  clusters_ = std::min(clusters_, most);
  for (const std::uint64_t at : entries(nullptr)) {
    if (number(at, 1) == 0x81 && bitmap_ == 0) bitmap_ = static_cast<std::uint32_t>(number(at + 20, 4));
  }
}

const std::byte* ExfatView::entry(std::uint64_t at) const {
  return sectors_(static_cast<std::uint32_t>(at / kSector)) + at % kSector;
}

// Little-endian, within a sector.
std::uint64_t ExfatView::number(std::uint64_t at, unsigned bytes) const {
  const std::byte* const from = entry(at);
  std::uint64_t value = 0;
  for (unsigned i = bytes; i-- != 0;) value = value << 8 | std::to_integer<std::uint64_t>(from[i]);
  return value;
}

bool ExfatView::is_taken(std::uint32_t cluster) const {
  if (!has(bitmap_) || !has(cluster)) return false;
  const std::uint32_t bit = cluster - 2;
  const std::uint64_t at = std::uint64_t{first_sector(bitmap_)} * kSector + bit / 8;
  return at < std::uint64_t{count_} * kSector && (number(at, 1) >> bit % 8 & 1) != 0;
}

std::uint32_t ExfatView::next(std::uint32_t cluster) const {
  if (cluster / (kSector / 4) >= table_sectors_) return 0;
  return static_cast<std::uint32_t>(number(link_at(cluster), 4));
}

bool ExfatView::is_bookkeeping(std::uint32_t sector) const {
  if (sector < heap_) return true;
  const std::uint32_t cluster = 2 + ((sector - heap_) >> cluster_shift_);
  return cluster <= root_;
}

std::vector<std::uint32_t> ExfatView::chain(std::uint32_t first, bool in_table, std::uint64_t bytes,
                                            bool& sound) const {
  std::vector<std::uint32_t> clusters;
  const std::uint64_t wanted = bytes / cluster_bytes() + (bytes % cluster_bytes() != 0 ? 1U : 0U);
  std::uint32_t cluster = first;
  std::vector<bool> seen(end());
  while (clusters.size() < wanted && has(cluster) && !seen[cluster]) {
    seen[cluster] = true;
    clusters.push_back(cluster);
    cluster = in_table ? next(cluster) : cluster + 1;
  }
  sound = clusters.size() == wanted;
  return clusters;
}

// Where each entry of a folder is. The root has no length: its chain ends it.
std::vector<std::uint64_t> ExfatView::entries(const EntrySet* folder) const {
  bool sound = false;
  const std::vector<std::uint32_t> clusters =
      folder == nullptr ? chain(root_, true, ~std::uint64_t{0}, sound) : chain(*folder, sound);
  std::vector<std::uint64_t> places;
  for (const std::uint32_t cluster : clusters) {
    const std::uint64_t begin = std::uint64_t{first_sector(cluster)} * kSector;
    for (std::uint64_t at = begin; at < begin + cluster_bytes(); at += kEntry) {
      if (places.size() == kMostEntries) return places;
      places.push_back(at);
    }
  }
  return places;
}

EntrySet ExfatView::read_set(const std::vector<std::uint64_t>& entries, std::size_t at) const {
  EntrySet set;
  const auto secondary = static_cast<std::size_t>(number(entries[at] + 1, 1));
  const std::size_t last = std::min(at + secondary, entries.size() - 1);
  set.attributes = static_cast<std::uint16_t>(number(entries[at] + 4, 2));
  set.is_whole = secondary >= 2 && secondary <= 18 && last == at + secondary;
  std::vector<std::byte> bytes;
  for (std::size_t i = at; i <= last; ++i) {
    const std::uint64_t type = i == at ? 0x85 : i == at + 1 ? 0xC0 : 0xC1;
    if (number(entries[i], 1) != type) {
      set.is_whole = false;
      break;
    }
    set.places.push_back(entries[i]);
    const std::byte* const from = entry(entries[i]);
    bytes.insert(bytes.end(), from, from + kEntry);
    for (unsigned c = 0; i > at + 1 && c < 15; ++c) {
      const char letter = static_cast<char>(from[2 + 2 * c]);
      if (letter != 0) set.name += letter;
    }
  }
  if (set.places.size() > 1) {
    const std::uint64_t stream = set.places[1];
    set.flags = static_cast<std::uint8_t>(number(stream + 1, 1));
    set.valid = number(stream + 8, 8);
    set.first = static_cast<std::uint32_t>(number(stream + 20, 4));
    set.length = number(stream + 24, 8);
    if (number(stream + 3, 1) < set.name.size()) set.name.resize(number(stream + 3, 1));
  }
  set.has_right_sum = set.is_whole && set_sum(bytes.data(), bytes.size()) == number(entries[at] + 2, 2);
  return set;
}

std::vector<EntrySet> ExfatView::sets(const EntrySet* folder) const {
  const std::vector<std::uint64_t> places = entries(folder);
  std::vector<EntrySet> found;
  for (std::size_t i = 0; i < places.size() && number(places[i], 1) != 0;) {
    if (number(places[i], 1) != 0x85) {
      ++i;
      continue;
    }
    found.push_back(read_set(places, i));
    i += std::max<std::size_t>(1, found.back().is_whole ? found.back().places.size() : 1);
  }
  return found;
}

std::optional<EntrySet> ExfatView::find(const std::string& path) const {
  std::optional<EntrySet> at;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string name = path.substr(begin, end - begin);
    const std::vector<EntrySet> all = sets(at ? &*at : nullptr);
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const EntrySet& set) { return set.name == name; });
    if (found == all.end()) return std::nullopt;
    at = *found;
    begin = end + 1;
  }
  return at;
}

std::uint32_t ExfatView::used_entries(const EntrySet* folder) const {
  const std::vector<std::uint64_t> places = entries(folder);
  const auto unused =
      std::find_if(places.begin(), places.end(), [&](std::uint64_t at) { return number(at, 1) == 0; });
  return static_cast<std::uint32_t>(unused - places.begin());
}

void ExfatView::own(const EntrySet* folder, std::vector<bool>& owned, unsigned depth) const {
  for (const EntrySet& set : sets(folder)) {
    bool sound = false;
    for (const std::uint32_t cluster : chain(set, sound)) owned[cluster] = true;
    if (set.is_folder() && depth < kDeepest) own(&set, owned, depth + 1);
  }
}

std::uint32_t ExfatView::lost_clusters() const {
  std::vector<bool> owned(end());
  bool sound = false;
  for (const std::uint32_t cluster : chain(root_, true, ~std::uint64_t{0}, sound)) owned[cluster] = true;
  for (const std::uint64_t at : entries(nullptr)) {
    if (number(at, 1) != 0x81 && number(at, 1) != 0x82) continue;  // bitmap, table of capitals
    const auto first = static_cast<std::uint32_t>(number(at + 20, 4));
    for (const std::uint32_t cluster : chain(first, false, number(at + 24, 8), sound)) owned[cluster] = true;
  }
  own(nullptr, owned, 0);
  std::uint32_t lost = 0;
  for (std::uint32_t cluster = 2; cluster < end(); ++cluster) lost += is_taken(cluster) && !owned[cluster];
  return lost;
}

}  // namespace filesystems
