#include "plot_arrays.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>

#include "microparquet/facts.h"
#include "microparquet/records.h"
#include "microparquet/span.h"
#include "running_clock.h"

namespace mpq_tool {

namespace {

using microparquet::Event;
using microparquet::EventKind;

Column without_lists(Column column) {
  column.element.max_repetition_level = 0;
  return column;
}

// "channels.cn0" of "channels.list.element.cn0".
std::string array_name_of(const Column& column) {
  constexpr std::string_view kOfFormat = ".list.element";
  std::string name = column.name;
  if (const std::size_t at = name.find(kOfFormat); at != name.npos) {
    name.erase(at, kOfFormat.size());
  }
  return name;
}

Column with_array_name(const Column& column) {
  Column named = column;
  named.name = array_name_of(column);
  return named;
}

// A number, and the unit after it. None: it is something else.
std::optional<std::pair<double, std::string>> step_in(std::string_view text) {
  double step = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), step);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc() && std::isfinite(step) && step != 0
             ? std::optional(std::pair(step, std::string(text)))
             : std::nullopt;
}

// The elements of each row, one after another.
class ArrayRows {
 public:
  ArrayRows(ParquetFile& file, const std::vector<Column>& chosen) : file_(file) {
    constexpr std::size_t kNames = 4'096;  // more than the longest name
    file_.choose_items(chosen);
    const microparquet::Reader& reader = file_.reader();
    const std::size_t bytes =
        microparquet::Records::required_bytes(reader.schema_elements(), reader.chosen(), kNames);
    memory_.resize(bytes / sizeof(std::uint64_t) + 1);
    auto* const memory = reinterpret_cast<std::byte*>(memory_.data());
    records_ = std::make_unique<microparquet::Records>(
        file_.reader(), microparquet::Span<std::byte>(memory, memory_.size() * sizeof(std::uint64_t)));
    file_.begin(*records_);
  }

  // The numbers of the next row; NaN: it is null. False: there is none.
  bool next(const Channel& channel, std::vector<double>& numbers) {
    numbers.clear();
    bool in_list = false;
    Event event;
    while (file_.next(*records_, event)) {
      if (event.kind == EventKind::kEndRow) {
        return true;
      }
      in_list = in_list || event.kind == EventKind::kBeginList;
      const bool is_of_array = event.kind == EventKind::kValue ? event.place == 0 : in_list;
      if (is_of_array && (event.kind == EventKind::kValue || event.kind == EventKind::kNull)) {
        numbers.push_back(event.kind == EventKind::kValue ? channel.number(event.cell)
                                                          : std::numeric_limits<double>::quiet_NaN());
      }
    }
    return false;
  }

 private:
  ParquetFile& file_;
  std::vector<std::uint64_t> memory_;
  std::unique_ptr<microparquet::Records> records_;
};

bool is_in_window(const TimeWindow& window, std::int64_t at) {
  return (!window.from || at >= *window.from) && (!window.to || at <= *window.to);
}

}  // namespace

bool is_array_column(const Column& column) {
  return column.element.max_repetition_level == 1 && why_not_drawn(without_lists(column)).empty();
}

ArrayDrawing::ArrayDrawing(const Column& column, const Facts& facts, std::size_t parts)
    : channel_(with_array_name(column), facts),
      parts_(parts),
      values_(parts * kMostElements, std::numeric_limits<float>::quiet_NaN()),
      lines_(kMostLines, Envelope(parts)) {
  if (const auto step = facts.steps.find(name()); step != facts.steps.end()) {
    step_ = step->second;
  }
}

void ArrayDrawing::begin_row(double place, bool joined) {
  place_before_ = place_;
  place_ = place;
  joined_ = joined;
  row_.clear();
}

void ArrayDrawing::add(double number) {
  if (row_.size() < kMostElements) {
    row_.push_back(number);
  }
}

void ArrayDrawing::end_row() {
  fixed_ = fixed_ && (rows_ == 0 || row_.size() == size_);
  size_ = std::max(size_, row_.size());
  ++rows_;
  const auto part_of = [&](double place) {
    return std::min(parts_ - 1, static_cast<std::size_t>(std::max(place, 0.0)));
  };
  const std::size_t part = part_of(place_);
  // The row before holds until this one.
  for (std::size_t held = part_of(place_before_) + 1; joined_ && held < part; ++held) {
    std::copy_n(&value(part_of(place_before_), 0), kMostElements, &value(held, 0));
  }
  for (std::size_t i = 0; i < row_.size(); ++i) {
    const double number = row_[i];
    if (i < kMostLines) {
      lines_[i].add(place_, number, joined_);
    }
    if (std::isnan(number)) {
      continue;
    }
    all_.add(number);
    sum_ += number;
    ++numbers_;
    float& largest = value(part, i);
    largest = largest >= static_cast<float>(number) ? largest : static_cast<float>(number);
  }
}

bool ArrayDrawing::is_of_lines() const { return fixed_ && size_ > 0 && size_ <= kMostLines; }

std::string ArrayDrawing::elements_text() const {
  const std::string last = std::to_string(size_ == 0 ? 0 : size_ - 1);
  const auto step = step_in(step_);
  if (!step) {
    return "[0] to [" + last + "]";
  }
  const double most = step->first * static_cast<double>(size_ - 1);
  return "0 to " + channel_.text(most, 0) + step->second;
}

// Where a number lies between the least and the largest, from 0 to 1.
double ArrayDrawing::share_of(double number, bool logarithmic) const {
  constexpr double kDecades = 1e6;
  const double lowest = std::max(all_.least, all_.most / kDecades);
  if (logarithmic) {
    return std::log(std::max(number, lowest) / lowest) / std::log(all_.most / lowest);
  }
  return all_.most > all_.least ? (number - all_.least) / (all_.most - all_.least) : 0.5;
}

double ArrayDrawing::largest(std::size_t cell, std::size_t parts_in_cell, std::size_t begin,
                             std::size_t end) const {
  float most = std::numeric_limits<float>::quiet_NaN();
  for (std::size_t part = cell * parts_in_cell; part < (cell + 1) * parts_in_cell; ++part) {
    for (std::size_t element = begin; element < end; ++element) {
      const float number = values_[part * kMostElements + element];
      most = most >= number || std::isnan(number) ? most : number;
    }
  }
  return static_cast<double>(most);
}

std::vector<std::string> ArrayDrawing::picture(Ink ink, std::size_t lines) const {
  constexpr std::array<std::string_view, 5> kShades = {" ", "\u2591", "\u2592", "\u2593", "\u2588"};
  constexpr std::array<std::string_view, 10> kLetters = {" ", ".", ":", "-", "=", "+", "*", "#", "%", "@"};
  constexpr double kFar = 50;  // times the mean: shades are those of logarithms then
  const auto shades = ink == Ink::kAscii ? microparquet::Span<const std::string_view>(kLetters)
                                         : microparquet::Span<const std::string_view>(kShades);
  const double mean = sum_ / static_cast<double>(std::max<std::uint64_t>(numbers_, 1));
  const bool logarithmic = all_.least >= 0 && all_.most > kFar * mean;
  std::vector<std::string> text(lines);
  for (std::size_t line = 0; line < lines; ++line) {
    const std::size_t from_bottom = lines - 1 - line;
    const std::size_t begin = from_bottom * size_ / lines;
    const std::size_t end = (from_bottom + 1) * size_ / lines;
    for (std::size_t cell = 0; cell < parts_ / parts_in_cell(ink); ++cell) {
      const double number = largest(cell, parts_in_cell(ink), begin, end);
      const double share = std::isnan(number) ? 0 : share_of(number, logarithmic);
      const auto shade = static_cast<std::size_t>(share * static_cast<double>(shades.size()));
      text[line] += shades[std::min(shade, shades.size() - 1)];
    }
  }
  return text;
}

void draw_array(ParquetFile& file, const Column& column, const TimeAxis& axis, const TimeWindow& window,
                const std::optional<LogTiming>& timing, ArrayDrawing& drawing) {
  std::vector<Column> chosen = {column};
  std::optional<TimeCells> times;
  std::optional<RunningClock> clock;
  if (timing) {
    times.emplace(timing->time, chosen);
    clock.emplace(timing->time, timing->habits);
  }
  const bool by_values =
      timing && timing->time.is_timestamp();  // rows outside the window have no part in the clock
  ArrayRows rows(file, chosen);
  std::vector<double> numbers;
  std::int64_t before = 0;
  bool any = false;
  const auto parts = static_cast<double>(drawing.parts());
  for (std::uint64_t row = 0; rows.next(drawing.channel(), numbers); ++row) {
    std::int64_t at = static_cast<std::int64_t>(row);
    bool joined = any && (!timing || timing->regular);
    if (timing) {
      const auto time = times->time(file.reader(), row);
      if (!time || (by_values && !is_in_window(window, *time))) {
        continue;
      }
      clock->take(*time);
      at = time_after(clock->place(), timing->shift);
      if (!by_values && !is_in_window(window, at)) {
        continue;
      }
      joined = joined && clock->step() == RunningClock::Step::kOn &&
               !is_gap(*timing, time_between(std::max(at, before), std::min(at, before)));
    }
    drawing.begin_row(axis.place(at, parts), joined);
    for (const double number : numbers) {
      drawing.add(number);
    }
    drawing.end_row();
    before = at;
    any = true;
  }
}

}  // namespace mpq_tool
