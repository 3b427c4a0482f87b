// A column as a line over time: its values as numbers, and how these are written beside it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "facts.h"
#include "parquet_file.h"

namespace mpq_tool {

// Why a column cannot be drawn, such as "it holds text"; empty: it can.
std::string why_not_drawn(const Column& column);

class Channel {
 public:
  // Requires: why_not_drawn() is empty.
  Channel(const Column& column, const Facts& facts);

  const Column& column() const { return column_; }
  // Of the values as number() has them; empty: it is not known.
  const std::string& unit() const { return unit_; }

  // A value times the column's scale; booleans are 0 and 1, times their units. NaN: there is none.
  double number(const microparquet::Cell& cell) const;

  // A number, told apart from `other` where they differ.
  std::string text(double number, double other) const;
  // Characters that has at most.
  std::size_t text_width() const;

 private:
  enum class Kind : std::uint8_t {
    kBoolean,
    kInt32,
    kUint32,
    kInt64,
    kUint64,
    kFloat,
    kDouble,
    kFloat16,
    kBytes
  };

  double stored_number(const microparquet::Cell& cell) const;
  bool is_calendar() const;

  Column column_;
  Kind kind_;
  double scale_ = 1;
  std::string unit_;
};

}  // namespace mpq_tool
