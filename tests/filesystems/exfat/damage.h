// Damage done to an exFAT volume by chance: entry sets whose checksum is right and whose content is not, loops
// in the table, a bitmap that is elsewhere, sets of which only a part is there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "place.h"
#include "support/chance.h"

namespace exfat {

// Damages a volume; the same again for a seed.
class Damage {
 public:
  // `log`: the path of the set that most damage is done to; `neighbour`: of one in the same folder; `stranger`: of a
  // file in the table, whose clusters damaged sets may claim.
  Damage(RamDisk& disk, std::uint64_t seed, std::string log, std::string neighbour, std::string stranger);

  const std::string& what() const { return what_; }
  // Files, by their paths, whose sets are not as they were.
  const std::vector<std::string>& damaged() const { return damaged_; }

 private:
  using Bytes = std::vector<std::byte>;

  void do_one(unsigned kind);
  void change_set();
  void change_numbers(Bytes& set);
  void change_shape(Bytes& set);
  void break_sum(const std::string& path);
  void lose_stream(const std::string& path);
  void claim_clusters(const std::string& path, std::uint64_t length, bool right_sum);
  void cut_off();
  void loop();
  void move_bitmap();
  std::uint32_t any_cluster();
  Bytes get(const filesystems::EntrySet& set) const;
  void put(const filesystems::EntrySet& set, Bytes bytes, bool right_sum);
  void poke(std::uint64_t at, const std::byte* data, std::size_t bytes);
  void poke_number(std::uint64_t at, std::uint64_t value, unsigned bytes);
  void use_all_entries(const ExfatView& view, const std::vector<std::uint32_t>& clusters);
  void touch(const std::string& path);
  filesystems::EntrySet find(const std::string& path) const;

  RamDisk& disk_;
  lives::Chance chance_;
  std::string log_;
  std::string neighbour_;
  std::string stranger_;
  std::string what_;
  std::vector<std::string> damaged_;
};

}  // namespace exfat
