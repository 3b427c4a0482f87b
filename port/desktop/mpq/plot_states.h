// Texts of a column over time, as a band in the terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "parquet_file.h"

namespace mpq_tool {

// Whether mpq draws a column as states: it holds text, and no lists.
bool is_state_column(const Column& column);

// The states of a column by parts of a line; of several in a part the last.
class StateBand {
 public:
  explicit StateBand(std::size_t parts) : parts_(parts, kNone) {}

  // A row at `place`, in parts, with a text. With `joined` the state before holds until there.
  void add(double place, std::string_view text, bool joined);
  // A row without one.
  void add_none() { state_ = kNone; }

  // As many characters as there are cells: each state begins with '|', and has its text where there is room.
  std::string line(std::size_t parts_in_cell) const;
  // At most 1,000.
  std::size_t count() const { return texts_.size(); }

 private:
  static constexpr std::uint32_t kNone = 0;
  static constexpr std::size_t kMost = 1000;  // states, of which later ones count as the last

  std::size_t part_at(double place) const;
  std::uint32_t number_of(std::string_view text);

  std::vector<std::uint32_t> parts_;  // numbers of states, from 1 on
  std::vector<std::string> texts_;
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
  std::uint32_t state_ = kNone;  // of the row before
  std::size_t last_part_ = 0;
};

}  // namespace mpq_tool
