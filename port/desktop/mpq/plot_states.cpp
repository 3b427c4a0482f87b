#include "plot_states.h"

#include <algorithm>
#include <functional>

#include "output.h"

namespace mpq_tool {

bool is_state_column(const Column& column) {
  using microparquet::LogicalKind;
  const LogicalKind kind = column.element.logical.kind;
  const bool is_text = kind == LogicalKind::kString || kind == LogicalKind::kEnum;
  return is_text && column.element.max_repetition_level == 0 && column.element.depth <= 1;
}

std::size_t StateBand::part_at(double place) const {
  return std::min(parts_.size() - 1, static_cast<std::size_t>(std::max(place, 0.0)));
}

std::uint32_t StateBand::number_of(std::string_view text) {
  if (state_ != kNone && texts_[state_ - 1] == text) {
    return state_;
  }
  if (const auto found = numbers_.find(text); found != numbers_.end()) {
    return found->second;
  }
  if (texts_.size() == kMost) {
    return static_cast<std::uint32_t>(kMost);
  }
  texts_.emplace_back(text);
  const auto number = static_cast<std::uint32_t>(texts_.size());
  numbers_.emplace(texts_.back(), number);
  return number;
}

void StateBand::add(double place, std::string_view text, bool joined) {
  const std::size_t part = part_at(place);
  for (std::size_t between = last_part_ + 1; joined && state_ != kNone && between < part; ++between) {
    parts_[between] = state_;
  }
  state_ = number_of(text);
  parts_[part] = state_;
  last_part_ = part;
}

std::string StateBand::line(std::size_t parts_in_cell) const {
  const std::size_t cells = parts_.size() / parts_in_cell;
  const auto state_of = [&](std::size_t cell) {
    std::uint32_t state = kNone;
    for (std::size_t part = 0; part < parts_in_cell; ++part) {
      state = parts_[cell * parts_in_cell + part] != kNone ? parts_[cell * parts_in_cell + part] : state;
    }
    return state;
  };
  std::string line;
  for (std::size_t begin = 0; begin < cells;) {
    const std::uint32_t state = state_of(begin);
    std::size_t end = begin + 1;
    while (end < cells && state_of(end) == state) {
      ++end;
    }
    const std::size_t room = end - begin - 1;
    if (state == kNone) {
      line.append(end - begin, ' ');
    } else {
      const std::string text = room == 0 ? "" : shortened(texts_[state - 1], room);
      line += '|' + text + std::string(room - std::min(room, width_of(text)), '-');
    }
    begin = end;
  }
  return line;
}

}  // namespace mpq_tool
