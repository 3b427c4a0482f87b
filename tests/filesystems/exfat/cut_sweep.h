// The power fails while a log at some place of an exFAT volume is created and written: before each write of a
// sector, with all before it on the card, and with any of those since the last sync.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "microparquet/port/fatfs_file.h"
#include "place.h"
#include "support/boot.h"

namespace exfat {

struct Tally {
  std::uint64_t cuts = 0;
  std::uint64_t in_order = 0;
  std::uint64_t rows_lost = 0;
  std::uint64_t files_lost = 0;    // cuts after which a durable file has not all its rows
  std::uint64_t dead_folders = 0;  // cuts after which the next boot cannot make files there, or open others
  std::uint64_t resumed = 0;
};

class CutSweep {
 public:
  // The volume as a cut left it, which may have parted an entry set; and the rows that its log must have.
  struct Left {
    const RamDisk& disk;
    std::string name;
    bool is_parted;
    filesystems::History durable;
  };
  using Keep = std::function<void(const Left& left)>;

  // Takes one cut of `share`, and all between two writes of one entry set, or around its first fragment.
  CutSweep(const Place& place, unsigned share, unsigned seed);

  // False: the log could not be written. With `keep` the cuts in order go there, and are not judged.
  bool run(Tally& tally, const Keep& keep = {});
  // What was wrong, the first few.
  const std::vector<std::string>& faults() const { return faults_; }

 private:
  using Status = microparquet::Status;

  // A sector write, and what was known before it.
  struct Moment {
    std::uint32_t sector = 0;
    filesystems::Sector data;
    filesystems::Sector before;
    std::uint32_t offered = 0;
    std::uint32_t durable = 0;
    std::uint64_t published = 0;
    std::uint64_t publishing = 0;
    unsigned syncs = 0;
  };

  bool record_first_boot();
  bool record();
  bool log(microparquet::FatFsFile& file, filesystems::WatchedFile& watched);
  void find_set();
  bool is_chosen(std::size_t index, unsigned variant) const;
  bool is_within_set(std::size_t index) const;
  bool fragments(std::size_t index) const;
  std::size_t first_of_epoch(std::size_t last) const;
  void lose_some(std::size_t index);
  void give(const Keep& keep, std::size_t index);
  void judge(const Moment& moment, const char* how, std::size_t index);
  std::string look(const Moment& moment, filesystems::History& found);
  std::string look_dead(std::size_t index);
  std::string make_folder_again();
  std::string go_on(const filesystems::History& before);
  void complain(const char* how, std::size_t index, const std::string& fault);

  Place place_;
  unsigned share_;
  unsigned seed_;
  RamDisk disk_;
  std::vector<Moment> moments_;
  std::vector<std::uint32_t> set_sectors_;
  std::uint64_t stream_ = 0;      // byte of the volume where the set's second entry is
  filesystems::History history_;  // of the boots before
  std::uint32_t earlier_ = 0;     // rows of them
  Tally* tally_ = nullptr;
  std::vector<std::string> faults_;
};

}  // namespace exfat
