#include "clusters.h"

#include <algorithm>
#include <unordered_set>

#include "numbers.h"

namespace microparquet::recovery {

Clusters::Clusters(std::uint64_t image_bytes, std::uint64_t begin, std::uint64_t count,
                   std::uint32_t bytes_each, Table kind)
    : image_bytes_(image_bytes), begin_(begin), count_(count), bytes_each_(bytes_each), kind_(kind) {
  there_ = std::min(count, image_bytes > begin ? clusters_of(image_bytes - begin) : 0);
}

bool Clusters::read_table(File& image, std::uint64_t begin, std::uint64_t bytes) {
  const std::uint64_t needed = entry_at(there_ + kFirst) + sizeof(std::uint32_t);
  const std::uint64_t there = begin < image_bytes_ ? image_bytes_ - begin : 0;
  table_ = read_bytes(image, begin, static_cast<std::size_t>(std::min({needed, bytes, there})));
  return !table_.empty();
}

std::uint64_t Clusters::entry_at(std::uint64_t cluster) const {
  switch (kind_) {
    case Table::kFat12: return cluster * 3 / 2;
    case Table::kFat16: return cluster * 2;
    default: return cluster * 4;
  }
}

std::optional<std::uint64_t> Clusters::cluster_at(std::uint64_t place) const {
  return place >= begin_ && place < end() ? std::optional((place - begin_) / bytes_each_ + kFirst)
                                          : std::nullopt;
}

// The table's entry of a cluster; 0, as for a free one, where the image does not have it.
std::uint64_t Clusters::next(std::uint64_t cluster) const {
  const auto at = static_cast<std::size_t>(entry_at(cluster));
  const bool is_short = kind_ == Table::kFat12 || kind_ == Table::kFat16;
  if (at + (is_short ? 2 : 4) > table_.size()) {
    return 0;
  }
  const std::uint32_t value =
      is_short ? number_at<std::uint16_t>(table_, at) : number_at<std::uint32_t>(table_, at);
  switch (kind_) {
    case Table::kFat12: return cluster % 2 != 0 ? value >> 4 : value & 0xFFF;
    case Table::kFat32: return value & 0x0FFFFFFF;
    default: return value;
  }
}

// Whether the table says by it that a cluster is free, bad or the last one.
bool Clusters::is_mark(std::uint64_t value) const {
  const auto bad = [this] {
    switch (kind_) {
      case Table::kFat12: return 0xFF7U;
      case Table::kFat16: return 0xFFF7U;
      case Table::kFat32: return 0x0FFFFFF7U;
      default: return 0xFFFFFFF7U;
    }
  };
  return value < kFirst || value >= bad();
}

void Clusters::add(ClusterChain& chain, std::uint64_t cluster, std::uint64_t clusters) const {
  const std::uint64_t begin = begin_ + (cluster - kFirst) * bytes_each_;
  const std::uint64_t bytes = std::min(clusters * bytes_each_, image_bytes_ - begin);
  if (!chain.pieces.empty() && chain.pieces.back().end() == begin) {
    chain.pieces.back().bytes += bytes;
  } else {
    chain.pieces.push_back({begin, bytes});
  }
  chain.clusters += clusters;
}

std::string Clusters::fault_of(std::uint64_t cluster, const ClusterChain& chain, std::uint64_t least) const {
  const std::string after =
      ", after " + std::to_string(chain.clusters) + " of " + std::to_string(least) + ", ";
  if (is_mark(cluster)) {
    return "its chain ends after " + std::to_string(chain.clusters) + " of " + std::to_string(least) +
           " clusters";
  }
  return "cluster " + std::to_string(cluster) + after +
         (cluster >= count_ + kFirst ? "is none that the volume has" : "lies beyond the end of the image");
}

ClusterChain Clusters::follow(std::uint64_t first, Links links, std::uint64_t least, const IsTail& is_tail) {
  const std::uint64_t behind = kFirst + there_;  // the first one that the image does not have
  ClusterChain chain;
  std::unordered_set<std::uint64_t> seen;
  std::uint64_t cluster = first;
  if (links == Links::kContiguous && first >= kFirst && first < behind && least != 0 && is_left()) {
    add(chain, first, std::min(least, behind - first));
    cluster = first + chain.clusters;
    named_ += chain.clusters;
  }
  while (chain.clusters < least || (cluster >= kFirst && cluster < behind && is_tail(cluster))) {
    const bool fits = cluster >= kFirst && cluster < behind;
    const bool again = links == Links::kTable && !seen.insert(cluster).second;
    if (!fits || again || !is_left()) {
      if (chain.clusters < least) {
        chain.fault = !fits   ? fault_of(cluster, chain, least)
                      : again ? "cluster " + std::to_string(cluster) + " comes twice, after " +
                                    std::to_string(chain.clusters) + " of " + std::to_string(least)
                              : "files of the volume name many times the clusters that it has";
      }
      break;
    }
    add(chain, cluster, 1);
    ++named_;
    cluster = links == Links::kTable ? next(cluster) : cluster + 1;
  }
  return chain;
}

}  // namespace microparquet::recovery
