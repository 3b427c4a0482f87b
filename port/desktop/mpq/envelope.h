// The smallest and the largest value of each part of a line over time: memory for a drawing, however many rows there are.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace mpq_tool {

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
  // Of all values.
  const Extent& all() const { return all_; }

 private:
  std::size_t part_at(double place) const {
    return std::min(parts_.size() - 1, static_cast<std::size_t>(std::max(place, 0.0)));
  }

  // Where the line crosses from part to part.
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

}  // namespace mpq_tool
