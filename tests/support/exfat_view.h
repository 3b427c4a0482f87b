// An exFAT volume as its bytes have it: entry sets, chains and the bitmap, without a driver.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace filesystems {

// The entries that make one file or folder.
struct EntrySet {
  std::vector<std::uint64_t> places;  // byte of the volume at which each entry begins
  std::string name;
  std::uint16_t attributes = 0;
  std::uint8_t flags = 0;
  std::uint32_t first = 0;
  std::uint64_t valid = 0;
  std::uint64_t length = 0;
  bool is_whole = false;       // its entries have the types that they should have
  bool has_right_sum = false;  // and their checksum

  bool is_folder() const { return (attributes & 0x10) != 0; }
  bool is_in_table() const { return (flags & 2) == 0; }
};

// No volume makes it run for ever or look outside.
class ExfatView {
 public:
  // The bytes of a sector of the volume.
  using Sectors = std::function<const std::byte*(std::uint32_t sector)>;

  ExfatView(Sectors sectors, std::uint32_t count);

  std::uint32_t cluster_bytes() const { return std::uint32_t{kSector} << cluster_shift_; }
  // Clusters have the numbers from 2 to the one before this.
  std::uint32_t end() const { return clusters_ + 2; }
  std::uint32_t root() const { return root_; }
  std::uint32_t first_sector(std::uint32_t cluster) const {
    return heap_ + ((cluster - 2) << cluster_shift_);
  }
  bool has(std::uint32_t cluster) const { return cluster >= 2 && cluster < end(); }
  bool is_taken(std::uint32_t cluster) const;
  // The byte of the volume where the cluster's entry in the table begins, and what it has.
  std::uint64_t link_at(std::uint32_t cluster) const {
    return std::uint64_t{table_} * kSector + std::uint64_t{cluster} * 4;
  }
  std::uint32_t next(std::uint32_t cluster) const;
  // Sectors that hold no file's data: boot sectors, table, bitmap and those of folders.
  bool is_bookkeeping(std::uint32_t sector) const;

  // Clusters of a chain of that many bytes; not `sound`: it ends before them, or leads where it cannot.
  std::vector<std::uint32_t> chain(std::uint32_t first, bool in_table, std::uint64_t bytes,
                                   bool& sound) const;
  std::vector<std::uint32_t> chain(const EntrySet& set, bool& sound) const {
    return chain(set.first, set.is_in_table(), set.length, sound);
  }

  // Sets of a folder, the root without one: those too that are not whole.
  std::vector<EntrySet> sets(const EntrySet* folder = nullptr) const;
  // The set that a path with slashes leads to.
  std::optional<EntrySet> find(const std::string& path) const;
  // Entries of a folder before the first that was never used.
  std::uint32_t used_entries(const EntrySet* folder = nullptr) const;
  // Clusters of the whole volume that the bitmap says are taken and that nothing owns.
  std::uint32_t lost_clusters() const;

 private:
  static constexpr std::uint32_t kSector = 512;
  static constexpr std::uint32_t kEntry = 32;

  std::uint64_t number(std::uint64_t at, unsigned bytes) const;
  const std::byte* entry(std::uint64_t at) const;
  std::vector<std::uint64_t> entries(const EntrySet* folder) const;
  EntrySet read_set(const std::vector<std::uint64_t>& entries, std::size_t at) const;
  void own(const EntrySet* folder, std::vector<bool>& owned, unsigned depth) const;

  Sectors sectors_;
  std::uint32_t count_;
  std::uint32_t table_ = 0;
  std::uint32_t table_sectors_ = 0;
  std::uint32_t heap_ = 0;
  std::uint32_t clusters_ = 0;
  std::uint32_t root_ = 0;
  std::uint32_t bitmap_ = 0;
  unsigned cluster_shift_ = 0;
};

// Checksum of a set, whose bytes follow each other.
std::uint16_t set_sum(const std::byte* set, std::size_t bytes);

}  // namespace filesystems
