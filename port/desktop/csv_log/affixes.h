// What stands beside the number in cells such as "20.5 °C" and "temp:20.5".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace csv_log {

struct Affixes {
  std::string before;  // with the colon or the equals sign that ends it, and spaces
  std::string after;   // a unit, with the spaces before it

  bool any() const { return !before.empty() || !after.empty(); }
  bool operator==(const Affixes& other) const { return before == other.before && after == other.after; }
};

// Those of a cell without spaces around it; none: it is no number with a label or a unit.
std::optional<Affixes> affixes_of(std::string_view text);

// The number of a cell that has these, else all of the cell.
std::string_view without_affixes(std::string_view text, const Affixes& affixes);

// "temp" of "temp: ".
std::string_view name_of_label(std::string_view before);

}  // namespace csv_log
