// A card under FatFs, drive 0, over the disk functions of its driver. FatFs is built with FF_USE_EXPAND 1.
#pragma once

#include <cstdint>

#include "card_bench.h"
#include "ff.h"

class FatfsCard : public card_bench::Card {
 public:
  // Asks the driver for the card's number and sectors; a board says the rest.
  bool start(card_bench::Identity& identity) override;
  bool mount() override;
  card_bench::Allocated allocate(std::uint32_t bytes, std::uint32_t& first) override;
  bool remove() override;
  bool write(std::uint32_t sector, const std::uint8_t* data, std::uint32_t count) override;
  bool sync() override;
  bool go_to_end() override;
  card_bench::Allocated grow() override;
  bool ask(std::uint32_t argument, std::uint8_t* block) override;

 protected:
  ~FatfsCard() = default;

 private:
  bool remove_marked();

  FATFS volume_ = {};
  FIL file_ = {};
  FSIZE_t end_ = 0;  // of the file, a multiple of a cluster
  bool is_open_ = false;
};
