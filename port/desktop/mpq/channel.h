// Lines over time: their values, the memory to draw them, and their characters.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "file_facts.h"
#include "parquet_file.h"

namespace mpq_tool {

// The smallest and the largest value of a part of a line over time.
struct Extent {
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();

  bool empty() const { return least > most; }
  void add(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
};

class Envelope {
 public:
  explicit Envelope(std::size_t parts) : parts_(parts) {}

  // A value at `place`, from 0 to the number of parts; NaN: there is none. With `joined` the line leads there from the
  // value before, from left to right only.
  void add(double place, double value, bool joined) {
    if (std::isnan(value)) {
      last_ = value;
      return;
    }
    all_.add(value);
    if (joined && !std::isnan(last_) && place >= last_place_) {
      lead_to(place, value);
    }
    parts_[part_at(place)].add(value);
    last_ = value;
    last_place_ = place;
  }

  const std::vector<Extent>& parts() const { return parts_; }
  // Extent of all values.
  const Extent& all() const { return all_; }

 private:
  std::size_t part_at(double place) const {
    return std::min(parts_.size() - 1, static_cast<std::size_t>(std::max(place, 0.0)));
  }

  // Adds the places at which the line crosses from part to part.
  void lead_to(double place, double value) {
    const std::size_t end = part_at(place);
    for (std::size_t next = part_at(last_place_) + 1; next <= end; ++next) {
      const double share = (static_cast<double>(next) - last_place_) / (place - last_place_);
      const double crossing = last_ + (value - last_) * std::clamp(share, 0.0, 1.0);
      parts_[next - 1].add(crossing);
      parts_[next].add(crossing);
    }
  }

  std::vector<Extent> parts_;
  Extent all_;
  double last_ = std::numeric_limits<double>::quiet_NaN();
  double last_place_ = 0;
};

// The reason why a column cannot be drawn, such as "it holds text"; empty: it can.
std::string why_not_drawn(const Column& column);

class Channel {
 public:
  // Requires: why_not_drawn() is empty.
  Channel(const Column& column, const Facts& facts);

  const Column& column() const { return column_; }
  // Unit of the values that number() returns; empty: it is not known.
  const std::string& unit() const { return unit_; }

  // A value in its unit: times the column's scale, and its offset added; booleans are 0 and 1. Requires: not null.
  double physical(const microparquet::Cell& cell) const {
    return stored_number(cell) / divisor_ * scale_ + offset_;
  }
  // The same; of times their units. NaN: there is none, or no finite one.
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
  double divisor_ = 1;  // of decimals
  double scale_ = 1;
  double offset_ = 0;
  std::string unit_;
};

// The characters in which a line over time is drawn.
enum class Ink : unsigned char { kBraille, kAscii };

inline constexpr std::size_t kLeastStripLines = 2;

// Number of parts of an envelope that a character shows.
constexpr std::size_t parts_in_cell(Ink ink) { return ink == Ink::kBraille ? 2 : 1; }

// The envelope from its smallest value, at the bottom, to its largest, in that many lines. In ASCII '|' is a line that rises or falls.
std::vector<std::string> draw_strip(const Envelope& envelope, Ink ink, std::size_t lines);

}  // namespace mpq_tool
