// Flash whose allocation units stay where they are, but for those that are open.
#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <unordered_set>
#include <vector>

#include "cards/flash.h"

namespace cards {

// What the three have in common: the table's own mapping, and whether a page has to be copied.
class UnitMappedFlash : public Flash {
 public:
  using Flash::Flash;
  void program(const PageWrite& write) final;

 protected:
  virtual void program_in_unit(const PageWrite& write) = 0;

  // Of pages `first` to `end` of a unit, those that hold something.
  std::uint32_t pages_held(std::uint32_t unit, std::uint32_t first, std::uint32_t end) const;
  void hold(std::uint32_t page) {
    if (kind_.is_new) held_.insert(page);
  }

 private:
  std::unordered_set<std::uint32_t> held_;  // pages written since the card was new
};

class LogBlockFlash final : public UnitMappedFlash {
 public:
  using UnitMappedFlash::UnitMappedFlash;

 private:
  struct Log {
    std::uint32_t unit = 0;
    std::uint32_t used = 0;
    bool is_in_order = true;
    std::array<double, kCauses> pages_by_cause = {};
  };

  void program_in_unit(const PageWrite& write) override;
  Log& log_of(std::uint32_t unit);
  void merge(const Log& log);

  std::list<Log> logs_;  // the one used last comes first
};

class ForwardFlash : public UnitMappedFlash {
 public:
  using UnitMappedFlash::UnitMappedFlash;

 protected:
  void program_in_unit(const PageWrite& write) override;

 private:
  struct OpenUnit {
    std::uint32_t unit = 0;
    std::uint32_t next = 0;  // page
  };

  OpenUnit& open(std::uint32_t unit, Cause cause);
  void copy(std::uint32_t unit, std::uint32_t first, std::uint32_t end, Cause cause);

  std::list<OpenUnit> open_;  // the one used last comes first
};

class SharedLogFlash final : public ForwardFlash {
 public:
  using ForwardFlash::ForwardFlash;

 private:
  struct Part {
    std::uint32_t unit = 0;
    Cause cause = Cause::kPages;
  };

  void program_in_unit(const PageWrite& write) override;
  void merge();

  std::vector<Part> parts_;
};

}  // namespace cards
