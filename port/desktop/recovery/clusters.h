// The clusters of a FAT or exFAT volume, and the table that links each to the next one of its file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "byte_views.h"
#include "view.h"

namespace microparquet::recovery {

// Bytes of a file or folder, in their order.
struct ClusterChain {
  std::vector<Piece> pieces;  // pieces that touch are one
  std::uint64_t clusters = 0;
  std::string fault;  // a sentence: why it has fewer clusters than it should have; empty: it has all
};

class Clusters {
 public:
  static constexpr std::uint64_t kFirst = 2;  // number of the first one

  // The way from a cluster to the next one.
  enum class Links : char {
    kTable,
    kContiguous,  // the next one on the medium
  };
  // Whether a cluster that comes after those that a file must have is the file's, too.
  using IsTail = std::function<bool(std::uint64_t cluster)>;

  enum class Table : char { kFat12, kFat16, kFat32, kExfat };

  // `count` clusters, numbered from 2 on; the image may end before they do.
  Clusters(std::uint64_t image_bytes, std::uint64_t begin, std::uint64_t count, std::uint32_t bytes_each,
           Table kind);

  // Reads the table, or what the image has of it. False: the image has nothing.
  bool read_table(File& image, std::uint64_t begin, std::uint64_t bytes);

  std::uint64_t begin() const { return begin_; }
  // The end of what the image has of them.
  std::uint64_t end() const {
    return std::min(begin_ + count_ * bytes_each_, std::max(image_bytes_, begin_));
  }
  // Clusters that the image has.
  std::uint64_t there() const { return there_; }
  std::uint32_t bytes_each() const { return bytes_each_; }
  // Clusters for that many bytes.
  std::uint64_t clusters_of(std::uint64_t bytes) const {
    return bytes / bytes_each_ + (bytes % bytes_each_ != 0 ? 1 : 0);
  }
  // The number of the cluster that holds the byte at `place`.
  std::optional<std::uint64_t> cluster_at(std::uint64_t place) const;

  // The clusters from `first` on: `least` of them, and then as long as `is_tail` says so. A cluster that comes again, or that
  // the image does not have, ends the chain; and so do chains that together name many times the clusters of the volume.
  ClusterChain follow(std::uint64_t first, Links links, std::uint64_t least, const IsTail& is_tail);

 private:
  bool is_left() const {
    constexpr std::uint64_t kMostTimes = 16;
    return named_ < kMostTimes * there_;
  }
  std::uint64_t next(std::uint64_t cluster) const;
  bool is_mark(std::uint64_t value) const;
  std::uint64_t entry_at(std::uint64_t cluster) const;
  std::string fault_of(std::uint64_t cluster, const ClusterChain& chain, std::uint64_t least) const;
  void add(ClusterChain& chain, std::uint64_t cluster, std::uint64_t clusters) const;

  std::uint64_t image_bytes_;
  std::uint64_t begin_;
  std::uint64_t count_;
  std::uint64_t there_;
  std::uint32_t bytes_each_;
  Table kind_;
  Bytes table_;
  std::uint64_t named_ = 0;  // clusters of all chains so far
};

}  // namespace microparquet::recovery
