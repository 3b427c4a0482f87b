// A simulated card: what is written is lost by any subset, calls fail before or after they have done their
// work, the card fills up, and is pulled out.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "microparquet/file.h"
#include "plan.h"
#include "store.h"
#include "support/chance.h"

namespace lives {

class Card final : public Store {
 public:
  explicit Card(const Plan& plan);
  ~Card() override;

  void power_on() override;
  void strike(const Troubles& troubles) override;
  mpq::File* open(unsigned slot) override;
  void remove(unsigned slot) override;
  bool is_off() const override { return off_; }
  bool is_out() const override { return out_; }
  void come_back() override;
  void power_off(bool keeps_all) override;
  bool read(unsigned slot, Bytes& file) override;
  bool is_full() const override { return full_; }
  std::string complaint() override { return complaint_; }
  Bytes remains(unsigned slot) override { return media_[slot].all(); }
  void change_remains(unsigned slot, Chance& chance) override;
  bool damage(unsigned slot, std::uint64_t offset, std::byte wrong) override;
  void heal(unsigned slot) override { media_[slot].heal(); }

  // A file of a slot begins where these lie.
  void lay_remains(unsigned slot, Bytes remains);

 private:
  class CardFile;
  // The part of a call that takes effect.
  enum class Extent { kNothing, kPart, kAll };
  struct Turn {
    Extent extent = Extent::kAll;
    mpq::Status status = mpq::Status::kOk;
  };

  Turn begin_call(bool is_sync);
  bool has_space(std::uint64_t end);
  void probe();
  Loss any_loss(const Medium& medium);

  const Plan& plan_;
  Medium media_[kSlots];
  bool exists_[kSlots] = {};
  std::unique_ptr<CardFile> files_[kSlots];
  Troubles troubles_;
  Chance chance_;
  unsigned calls_ = 0;
  unsigned syncs_ = 0;
  unsigned probe_in_ = 0;  // 0: none is due
  bool off_ = true;
  bool out_ = false;
  bool full_ = false;
  std::string complaint_;
};

}  // namespace lives
