// The files of a life on a FAT or exFAT volume, through FatFs: on a card that loses any of the sectors that were not
// synced, tears or destroys one, fails before or after it has written, is full, and is pulled out.
//
// No sector of the volume's own is torn: what FAT then loses is counted by the tests that cut a boot at each write.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "medium.h"
#include "microparquet/port/fatfs_file.h"
#include "plan.h"
#include "store.h"
#include "support/chance.h"
#include "support/volume.h"

namespace filesystems {

// Losses that FatFs itself causes, in all lives.
struct FatLosses {
  std::uint64_t clusters = 0;
  std::uint64_t volumes = 0;  // that lost any
};

class FatStore final : public lives::Store {
 public:
  FatStore(const lives::Plan& plan, FatLosses& losses);
  ~FatStore() override;

  void power_on() override;
  void strike(const lives::Troubles& troubles) override;
  lives::mpq::File* open(unsigned slot) override;
  void remove(unsigned slot) override;
  bool is_off() const override { return off_; }
  bool is_out() const override { return out_; }
  void come_back() override;
  void power_off(bool keeps_all) override;
  bool read(unsigned slot, lives::Bytes& bytes) override;
  void change_remains(unsigned slot, lives::Chance& chance) override;
  std::string complaint() override { return complaint_; }

 private:
  // Nothing goes wrong as long as it exists.
  class Calm {
   public:
    explicit Calm(FatStore& store) : store_(store), before_(store.calm_) { store.calm_ = true; }
    ~Calm() { store_.calm_ = before_; }
    Calm(const Calm&) = delete;
    Calm& operator=(const Calm&) = delete;

   private:
    FatStore& store_;
    bool before_;
  };

  bool access(RamDisk::Access access, std::uint32_t sector, const std::byte* data);
  bool strikes(RamDisk::Access access);
  void take(std::uint32_t sector, const std::byte* data);
  void settle();
  void lose();
  bool refresh();
  void close_all();
  void fill(std::uint64_t capacity);
  bool move_sets();
  void complain(const char* text);
  lives::mpq::Span<DWORD> link_map(unsigned slot);

  const lives::Plan& plan_;
  const Format& format_;
  FatLosses& losses_;
  RamDisk disk_;          // what FatFs reads
  lives::Medium medium_;  // the same, and what may be left of it
  std::vector<std::uint32_t> unsynced_;
  std::uint32_t whole_below_ = 0;
  std::uint32_t free_clusters_ = 0;  // when it was formatted
  lives::Chance chance_;
  lives::Troubles troubles_;
  std::array<std::array<DWORD, 64>, lives::kSlots> link_maps_ = {};
  Volume volume_;
  lives::mpq::FatFsFile files_[lives::kSlots];
  unsigned accesses_ = 0;
  unsigned syncs_ = 0;
  bool calm_ = false;
  bool stale_ = true;  // the volume is to be mounted again
  bool off_ = true;
  bool out_ = false;
  std::string complaint_;
};

}  // namespace filesystems
