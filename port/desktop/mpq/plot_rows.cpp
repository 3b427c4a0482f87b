#include "plot_rows.h"

#include <algorithm>

namespace mpq_tool {

namespace {

class RowDrawer {
 public:
  RowDrawer(const std::vector<Channel>& channels, const TimeAxis& axis,
            const std::optional<LogTiming>& timing, Drawing& drawing)
      : channels_(channels),
        axis_(axis),
        timing_(timing),
        parts_(drawing.gaps.size()),
        joins_(!timing || timing->regular),
        drawing_(drawing) {}

  void draw(const microparquet::Reader& reader, std::int64_t at) {
    const double place = axis_.place(at, static_cast<double>(parts_));
    bool joined = joins_ && drawing_.rows != 0 && at >= before_;
    if (joined && timing_ && is_gap(*timing_, at - before_)) {
      joined = false;
      mark_gap(axis_.place(before_, static_cast<double>(parts_)), place);
    }
    for (std::size_t i = 0; i < channels_.size(); ++i) {
      drawing_.lines[i].add(place, channels_[i].number(reader.cell(i)), joined);
    }
    before_ = at;
    ++drawing_.rows;
  }

 private:
  void mark_gap(double from, double to) {
    const std::size_t last = std::min(parts_ - 1, static_cast<std::size_t>(to));
    for (auto part = static_cast<std::size_t>(from); part <= last; ++part) {
      drawing_.gaps[part] = true;
    }
  }

  const std::vector<Channel>& channels_;
  const TimeAxis& axis_;
  const std::optional<LogTiming>& timing_;
  std::size_t parts_;
  bool joins_;
  Drawing& drawing_;
  std::int64_t before_ = 0;
};

// The chosen column that is `column`, which is added where it is missing.
std::size_t cell_of(const Column& column, std::vector<Column>& chosen) {
  const auto found = std::find_if(chosen.begin(), chosen.end(),
                                  [&](const Column& one) { return one.number == column.number; });
  const auto cell = static_cast<std::size_t>(found - chosen.begin());
  if (found == chosen.end()) {
    chosen.push_back(column);
  }
  return cell;
}

}  // namespace

void draw_rows(ParquetFile& file, const std::vector<Channel>& channels, const TimeAxis& axis,
               const TimeWindow& window, const std::optional<LogTiming>& timing, Drawing& drawing) {
  RowDrawer drawer(channels, axis, timing, drawing);
  std::vector<Column> columns;
  for (const Channel& channel : channels) {
    columns.push_back(channel.column());
  }
  if (!axis.time) {
    file.choose(columns);
    for (std::int64_t row = 0; !columns.empty() && file.next_row(); ++row) {
      drawer.draw(file.reader(), row);
    }
    return;
  }
  const std::size_t cell = cell_of(axis.time->column, columns);
  WindowRows rows(file, columns, *axis.time, window);
  while (rows.next()) {
    if (const auto at = counted_time(file.reader().cell(cell), axis.time->column.element.type)) {
      drawer.draw(file.reader(), *at);
    }
  }
}

}  // namespace mpq_tool
