// The flash of a card and what maps it: sectors come in pages, and units of pages are rewritten, merged or collected. One
// class for each kind of mapping that public sources describe; make_flash() knows them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "cards/commands.h"

namespace cards {

enum class Mapping : std::uint8_t {
  // Every unit lies anywhere. The block with the fewest valid units is collected when blocks run out.
  kPages,
  // A unit that is written goes to a log block of its own, page by page. There are as many as units can be open; one that is
  // full, or gives way, is merged with what lay there: by copying its rest if it was written in order, else by copying all.
  kLogBlocks,
  // A unit is written forward only: what is skipped is copied, and going back copies the rest and starts again.
  kForward,
  // Whole pages as kForward. Parts of pages go to one log block that all units share; when it is full, each unit that has a
  // part in it is rewritten.
  kSharedLog,
};

struct CardKind {
  const char* name = nullptr;
  Mapping mapping = Mapping::kPages;
  std::uint32_t page_bytes = 0;  // what one programming takes
  std::uint32_t unit_bytes = 0;  // what is mapped: a page's, or an allocation unit
  std::uint32_t open_units = 0;  // allocation units that may be open at once
  std::uint32_t table_bytes =
      0;                  // of the card's beginning that are mapped by pages, for a file allocation table
  double program_us = 0;  // of a page
  double copy_us = 0;     // of a page, read and programmed
  double folds = 0;       // times that a page is programmed again, from fast cells to those where it stays
  bool is_new = false;    // what was never written need not be copied
  std::uint32_t least_bytes = 0;  // programmed where a command ends, if more than a page
};

// What the flash has gone through.
struct Wear {
  double programmed = 0;  // bytes
  double merged = 0;      // of these, bytes that were copied
  std::array<double, kCauses> by_cause = {};
  double busy_us = 0;
};

struct PageWrite {
  std::uint32_t page = 0;
  Cause cause = Cause::kPages;
  bool is_whole = false;  // every sector of it was written by the command
  bool ends_command = false;
};

class Flash {
 public:
  explicit Flash(const CardKind& kind) : kind_(kind) {}
  virtual ~Flash() = default;
  virtual void program(const PageWrite& write) = 0;

  const Wear& wear() const { return wear_; }

 protected:
  std::uint32_t pages_in_unit() const { return kind_.unit_bytes / kind_.page_bytes; }
  void count(double bytes, Cause cause);
  void count_copies(double pages, Cause cause);
  void count_erase();

  CardKind kind_;
  Wear wear_;
};

std::unique_ptr<Flash> make_flash(const CardKind& kind);

}  // namespace cards
