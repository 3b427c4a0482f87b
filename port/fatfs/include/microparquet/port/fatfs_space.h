// The space and the layout of a volume of FatFs. Linked only where a program names them.
#pragma once

#include <cstdint>

#include "microparquet/port/fatfs_release.h"
#include "microparquet/status.h"

namespace microparquet {

// Counts the free clusters of a volume, a few sectors of its table in each call. f_getfree reads the whole table
// in one call, 8,192 sectors on a card of 32 GB, or returns what FSINFO says, which may be wrong. The count
// begins after the cluster that was allocated last, so that it soon has a few.
//
// Clusters that are allocated or become free while it counts may be missing from it. If none is allocated, the
// count becomes FatFs's own, and f_getfree returns it. One task; the volume's mutex is held for each sector.
class FreeClusters {
 public:
  // Begins to count, on a mounted volume, which must stay mounted.
  explicit FreeClusters(FATFS& volume);

  // Counts on, in at most `sectors` sectors.
  // - kOk: is_done() tells whether this was all
  // - kMediumLost: the card does not answer
  // - kIoError: another task holds the volume too long: repeat the call
  Status step(std::uint32_t sectors);

  // Returns whether all are counted.
  bool is_done() const { return left_ == 0; }

  // Returns the free clusters found so far.
  DWORD clusters() const { return found_; }

  // Returns how many bytes these are.
  std::uint64_t bytes() const { return bytes_of(found_); }
  // Returns how many bytes a number of clusters are.
  std::uint64_t bytes_of(DWORD clusters) const;

 private:
  bool count_sector();
  bool count_across_sectors();

  FATFS* volume_;
  DWORD first_;
  DWORD next_;
  DWORD left_;
  DWORD found_ = 0;
};

// Properties of a volume that make a card slow and wear it out, whatever the program does. A format mends them.
struct VolumeCosts {
  // Clusters are below 16 KiB: FatFs ends each command at the end of a cluster.
  bool small_clusters = false;
  // Clusters do not begin at multiples of 16 KiB, the page of a usual card: each write may touch a page more.
  bool unaligned = false;
};

// Returns the properties of a mounted volume.
VolumeCosts costs_of(const FATFS& volume);

}  // namespace microparquet
