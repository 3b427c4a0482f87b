// Columns of arrays of numbers over time: few elements as lines, many as a picture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "channel.h"
#include "file_facts.h"
#include "log_timing.h"
#include "parquet_file.h"
#include "time_axis.h"
#include "time_window.h"

namespace mpq_tool {

// Whether it holds lists of numbers.
bool is_array_column(const Column& column);

// What a plot shows of such a column.
class ArrayDrawing {
 public:
  ArrayDrawing(const Column& column, const Facts& facts, std::size_t parts);

  // Of the array, without the names that the format puts between a list and its elements.
  const std::string& name() const { return channel_.column().name; }
  const Channel& channel() const { return channel_; }

  // A row at `place`, in parts; with `joined` the row before holds until there. Its elements follow.
  void begin_row(double place, bool joined);
  void add(double number);
  void end_row();

  std::size_t parts() const { return parts_; }
  // Elements of the longest row.
  std::size_t size() const { return size_; }
  // Whether each is a signal of its own, as x, y and z are: all rows have the same few.
  bool is_of_lines() const;
  const Envelope& line(std::size_t element) const { return lines_[element]; }
  // Least and largest of all numbers.
  const Extent& all() const { return all_; }
  // "0 to 62 Hz", "[0] to [31]", as the key-value of facts::kStepOf says.
  std::string elements_text() const;
  // The picture in that many lines, the first element at the bottom. `lines` is at most size().
  std::vector<std::string> picture(Ink ink, std::size_t lines) const;

 private:
  float& value(std::size_t part, std::size_t element) { return values_[part * kMostElements + element]; }
  double share_of(double number, bool logarithmic) const;
  double largest(std::size_t cell, std::size_t parts_in_cell, std::size_t begin, std::size_t end) const;

  static constexpr std::size_t kMostElements = 1'024;
  static constexpr std::size_t kMostLines = 8;

  Channel channel_;
  std::string step_;
  std::size_t parts_;
  std::vector<float> values_;  // the largest of each part and element; NaN: there is none
  std::vector<Envelope> lines_;
  std::vector<double> row_;
  double place_ = 0;
  double place_before_ = 0;
  bool joined_ = false;
  std::size_t size_ = 0;
  bool fixed_ = true;
  std::uint64_t rows_ = 0;
  std::uint64_t numbers_ = 0;
  double sum_ = 0;
  Extent all_;
};

// Reads all rows of the array's column that lie in `window`, at the places that draw_rows() gives them. Throws Failure; `drawing` has
// the rows before the damage then.
void draw_array(ParquetFile& file, const Column& column, const TimeAxis& axis, const TimeWindow& window,
                const std::optional<LogTiming>& timing, ArrayDrawing& drawing);

}  // namespace mpq_tool
