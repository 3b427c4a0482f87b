// What a cell looks like, for finding where the rows begin: coarser than a type.
#pragma once

#include <cstdint>
#include <string_view>

namespace csv_log {

enum class CellClass : std::uint8_t {
  kNothing,  // empty, or a spelling of no value
  kNumber,
  kTime,  // a date, a time or both
  kBool,
  kText,
};

// `text` may have spaces around it.
CellClass class_of(std::string_view text);

// Whether the text is a unit, a kind of value or the format of a column, as they stand under names: "mm/s", "Avg", "15s", "double".
bool is_unit_like(std::string_view text);

// Whether it is the form of a date or a time: "yyyy-mm-dd".
bool is_form_of_date(std::string_view text);

// "mm" of "[mm]" and of "(mm)".
std::string_view without_brackets(std::string_view text);

// Whether it is a unit, for unit.NAME: none of the others, and no number.
bool is_unit(std::string_view text);

}  // namespace csv_log
