// The files of a life in flash memory, through littlefs: on flash that loses its power, or fails, at one of its
// operations, is full, and is pulled out.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "microparquet/port/littlefs_file.h"
#include "plan.h"
#include "store.h"
#include "support/chance.h"
#include "support/flash.h"

namespace filesystems {

class FlashStore final : public lives::Store {
 public:
  explicit FlashStore(const lives::Plan& plan);

  void power_on() override;
  void strike(const lives::Troubles& troubles) override;
  lives::mpq::File* open(unsigned slot) override;
  void remove(unsigned slot) override;
  bool is_off() const override { return off_ || (flash_.is_cut() && !pulls_); }
  bool is_out() const override { return out_ || (flash_.is_cut() && pulls_); }
  void come_back() override;
  void power_off(bool keeps_all) override;
  bool read(unsigned slot, lives::Bytes& bytes) override;
  void change_remains(unsigned slot, lives::Chance& chance) override;
  std::string complaint() override { return complaint_; }

 private:
  using Caches = std::array<std::byte, 1024>;

  void arm();
  bool refresh();
  void remount();
  void make_readable();
  void fill(std::uint64_t capacity);
  bool write_file(const char* path, std::uint64_t bytes, lives::Chance& chance);
  void complain(const char* text);

  Flash flash_;
  lives::Chance chance_;
  lives::Troubles troubles_;
  alignas(8) std::array<Caches, lives::kSlots + 1> caches_ = {};
  lives::mpq::LittleFsFile files_[lives::kSlots];
  bool pulls_ = false;  // the cut that is due is not of the power
  bool off_ = true;
  bool out_ = false;
  std::string complaint_;
};

}  // namespace filesystems
