// Where a log lies on an exFAT volume, and how it comes to be: what decides in which sectors FatFs writes
// its entry set, and whether its clusters are one piece.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/exfat_view.h"
#include "support/volume.h"

namespace exfat {

using filesystems::ExfatView;
using filesystems::Format;
using filesystems::lengthen;
using filesystems::RamDisk;

enum class Life : std::uint8_t {
  kNew,      // no file of its name was there
  kResumed,  // a boot before was cut
  kBeside,   // another file grows beside it, so that it becomes fragmented
  kFolder,   // its folder is made first
};
constexpr unsigned kLives = 4;

enum class Where : std::uint8_t {
  kRoot,
  kFolder,
  kNested,     // in the third folder
  kLong,       // where the folder's first cluster ends
  kScattered,  // in the second cluster, which does not follow the first
};

// Place of one log. Slot: where in its sector of 16 entries the set begins; with Life::kFolder that of the
// folder which is made.
struct Place {
  unsigned slot = 0;
  unsigned name_entries = 1;  // that its name takes, of 15 letters each
  std::uint32_t cluster_bytes = 4096;
  Life life = Life::kNew;
  Where where = Where::kRoot;
  std::uint32_t rows = 600;
  std::uint32_t checkpoint_rows = 40;

  std::string name() const;    // says all this
  std::string parent() const;  // the folder that has the set; empty: the root
  std::string folder() const;  // the log's
  std::string log() const { return in(folder(), log_name()); }
  std::string next() const { return in(folder(), "NEXT.PQT"); }
  std::string next_in_parent() const { return in(parent(), "NEXT.PQT"); }
  std::string old() const { return in(parent(), kOld); }
  std::string beside() const { return in(folder(), "BESIDE.BIN"); }
  // The file or folder whose set is at the slot.
  std::string at_slot() const { return life == Life::kFolder ? folder() : log(); }

  Format format() const;
  // Formats the volume and leaves what was there before the log. False: FatFs refused.
  bool prepare(RamDisk& disk) const;

  static std::string in(const std::string& folder, const std::string& name) {
    return folder.empty() ? name : folder + "/" + name;
  }

 private:
  static constexpr const char* kOld = "OLD.TXT";
  std::string log_name() const;
  bool make_folders() const;
  bool fill_up(RamDisk& disk) const;
};

// Places of all 16 slots in each life, and of the slots whose sets lie in two sectors each kind of name and
// cluster.
std::vector<Place> all_places();

ExfatView view_of(RamDisk& disk);

}  // namespace exfat
