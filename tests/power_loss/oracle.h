// Checks a file against the rows that it must hold.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "card.h"
#include "life.h"
#include "scenario.h"

namespace power_loss {

// The first rows of one life, but for those that a lost medium took with it.
struct Lived {
  unsigned life = 0;
  std::uint64_t rows = 0;
  std::uint64_t offered = 0;  // to append
  std::vector<Gap> gaps = {};
};
using History = std::vector<Lived>;

std::uint64_t rows_of(const History& history);

inline constexpr unsigned kLives = 5;

struct Found {
  bool opened = false;      // by the reader, as it is
  bool origin = false;      // kOrigin is there
  bool bad_page = false;    // of which the reader gives no row
  std::uint64_t right = 0;  // that many rows, from the first one on
};

// Knows a scenario's rows.
class Oracle {
 public:
  explicit Oracle(const Scenario& scenario);

  // Reads every value of the file on `medium`: the rows must be those of `before`, and after them the first
  // ones of `life`, at least that many and at most those that were offered; all pages must have their CRC.
  // Empty if so, else what is wrong.
  std::string read(const Medium& medium, const History& before, const Lived& life, std::uint64_t least,
                   Found& found) const;

  // The columns of the footer's extension.
  std::uint32_t extension_columns() const;

  const Scenario& scenario() const { return scenario_; }

 private:
  struct Cell {
    bool null = true;
    std::string bytes;
  };
  using Rows = std::vector<Cell>;  // row by row

  const Scenario& scenario_;
  std::vector<Rows> lives_;
};

}  // namespace power_loss
