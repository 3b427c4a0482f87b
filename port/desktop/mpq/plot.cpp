#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <vector>

#include "channel.h"
#include "commands.h"
#include "file_facts.h"
#include "input_file.h"
#include "log_timing.h"
#include "microparquet/text/grouped_digits.h"
#include "microparquet/text/terminal_kind.h"
#include "parquet_file.h"
#include "plot_arrays.h"
#include "plot_marks.h"
#include "plot_states.h"
#include "read_failure.h"
#include "time_axis.h"
#include "time_choice.h"
#include "time_window.h"
#include "timing_text.h"

namespace mpq_tool {

struct Drawing {
  Drawing(std::size_t channels, std::size_t states, std::size_t parts)
      : lines(channels, Envelope(parts)), states(states, StateBand(parts)), gaps(parts), runs(parts) {}

  std::vector<Envelope> lines;  // a line for each channel
  std::vector<StateBand> states;
  std::vector<bool> gaps;  // marks parts of the lines where rows are missing
  std::vector<bool> runs;  // marks parts in which the clock begins again, or is set
  PlotMarks marks;
  std::uint64_t rows = 0;  // drawn so far
};

// Reads the rows of `window` once, of which `timing` tells; without it, all rows by their numbers. Of rows that are taken
// regularly a line leads from one to the next, but not over gaps. Throws Failure; `drawing`, which is empty before, has the
// rows before the damage then. `states` are columns of text, and `marks` that of marks, if there is one.
void draw_rows(ParquetFile& file, const std::vector<Channel>& channels, const std::vector<Column>& states,
               const std::optional<Column>& marks, const TimeAxis& axis, const TimeWindow& window,
               const std::optional<LogTiming>& timing, Drawing& drawing);

namespace {

class RowDrawer {
 public:
  RowDrawer(const std::vector<Channel>& channels, bool has_marks, const TimeAxis& axis,
            const std::optional<LogTiming>& timing, Drawing& drawing)
      : channels_(channels),
        has_marks_(has_marks),
        axis_(axis),
        timing_(timing),
        parts_(drawing.gaps.size()),
        joins_(!timing || timing->regular),
        drawing_(drawing) {}

  // A row at `at`; `step` says how the clock came there.
  void draw(const microparquet::Reader& reader, std::int64_t at, RunningClock::Step step) {
    const auto parts = static_cast<double>(parts_);
    const double place = axis_.place(at, parts);
    bool joined = joins_ && drawing_.rows != 0 && step == RunningClock::Step::kOn;
    if (drawing_.rows != 0 && (step == RunningClock::Step::kRestart || step == RunningClock::Step::kSet)) {
      drawing_.runs[std::min(parts_ - 1, static_cast<std::size_t>(place))] = true;
    }
    if (joined && timing_ && is_gap(*timing_, time_between(std::max(at, before_), std::min(at, before_)))) {
      joined = false;
      mark_gap(std::min(axis_.place(before_, parts), place), std::max(axis_.place(before_, parts), place));
    }
    for (std::size_t i = 0; i < channels_.size(); ++i) {
      drawing_.lines[i].add(place, channels_[i].number(reader.cell(static_cast<std::uint32_t>(i))), joined);
    }
    const auto first = static_cast<std::uint32_t>(channels_.size());
    const auto states = static_cast<std::uint32_t>(drawing_.states.size());
    for (std::uint32_t i = 0; i < states; ++i) {
      const microparquet::Cell cell = reader.cell(first + i);
      if (cell.null()) {
        drawing_.states[i].add_none();
      } else {
        drawing_.states[i].add(place, cell.text(), joined);
      }
    }
    if (has_marks_) {
      add_mark(reader.cell(first + states), at, place);
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

  void add_mark(const microparquet::Cell& cell, std::int64_t at, double place) {
    if (!cell.null()) {
      drawing_.marks.add({place, at, std::string(cell.text())});
    }
  }

  const std::vector<Channel>& channels_;
  bool has_marks_;
  const TimeAxis& axis_;
  const std::optional<LogTiming>& timing_;
  std::size_t parts_;
  bool joins_;
  Drawing& drawing_;
  std::int64_t before_ = 0;
};

}  // namespace

void draw_rows(ParquetFile& file, const std::vector<Channel>& channels, const std::vector<Column>& states,
               const std::optional<Column>& marks, const TimeAxis& axis, const TimeWindow& window,
               const std::optional<LogTiming>& timing, Drawing& drawing) {
  RowDrawer drawer(channels, marks.has_value(), axis, timing, drawing);
  std::vector<Column> columns;
  for (const Channel& channel : channels) {
    columns.push_back(channel.column());
  }
  columns.insert(columns.end(), states.begin(), states.end());
  if (marks) {
    columns.push_back(*marks);
  }
  if (!timing) {
    file.choose(columns);
    for (std::int64_t row = 0; !columns.empty() && file.next_row(); ++row) {
      drawer.draw(file.reader(), row, RunningClock::Step::kOn);
    }
    return;
  }
  LogRows rows(file, columns, *timing, window);
  while (rows.next()) {
    drawer.draw(file.reader(), rows.place(), rows.clock().step());
  }
}

namespace {

using microparquet::text::counted;
using microparquet::text::grouped_digits;

// The most channels of a file: nobody looks at more, and each takes memory.
constexpr std::size_t kMostChannels = 500;
constexpr std::size_t kMostStates = 50;
constexpr std::size_t kMostArrays = 20;

// A number in the environment, which counts first: it may know of a pager. 0: there is none.
std::size_t number_in(const char* variable) {
  const char* const value = std::getenv(variable);
  const std::string_view text = value == nullptr ? "" : value;
  std::size_t said = 0;
  const bool is_number = std::from_chars(text.data(), text.data() + text.size(), said).ec == std::errc();
  return is_number ? said : 0;
}

std::size_t page_width() {
  constexpr std::size_t kLeast = 40;
  constexpr std::size_t kMost = 200;
  constexpr std::size_t kUsual = 80;
  const std::size_t width = terminal_width() == 0 ? kUsual : terminal_width();
  const std::size_t said = number_in("COLUMNS");
  return std::clamp(said == 0 ? width : said, kLeast, kMost);
}

// Lines for each strip of a file: those of the page that nothing else needs.
std::size_t strip_lines(std::size_t strips) {
  constexpr std::size_t kOthers = 9;  // name, times, gaps, runs, axis, and the prompt after them
  constexpr std::size_t kMost = 12;
  const std::size_t said = number_in("LINES");
  const std::size_t height = said == 0 ? terminal_height() : said;
  const std::size_t room = height > kOthers && strips != 0 ? (height - kOthers) / strips : 0;
  return std::clamp(room, kLeastStripLines, kMost);
}

std::string padded(std::string text, std::size_t width, bool right = false) {
  text = shortened(text, width);
  text.insert(right ? 0 : text.size(), width - width_of(text), ' ');
  return text;
}

// Division of a file's lines: names, strips, values.
struct PlotWidths {
  std::size_t names = 0;
  std::size_t strips = 0;
  std::size_t values = 0;

  PlotWidths(const std::vector<Channel>& channels, const std::vector<Column>& states,
             const std::vector<ArrayDrawing>& arrays, const std::string& axis, std::size_t page) {
    constexpr std::size_t kSpaces = 2;
    constexpr std::size_t kStates = 12;  // "1,000 states"
    names = width_of(axis);
    for (const Column& state : states) {
      names = std::max(names, width_of(state.name));
      values = kStates;
    }
    for (const ArrayDrawing& array : arrays) {
      constexpr std::size_t kElements = 15;  // "[0] to [1,023]"
      names = std::max({names, width_of(array.name()) + 3, 2 + width_of(array.channel().unit()), kElements});
      values = std::max(values, array.channel().text_width());
    }
    for (const Channel& channel : channels) {
      names = std::max({names, width_of(channel.column().name), 2 + width_of(channel.unit())});
      values = std::max(values, channel.text_width());
    }
    names = std::min(names, page / 4);
    values = std::min(values, page / 4);
    strips = page - names - values - kSpaces;
  }
};

class Plot {
 public:
  Plot(const PlotRequest& request, Output& output)
      : request_(request),
        output_(output),
        page_(page_width()),
        ink_(request.ascii || !microparquet::text::is_utf8_locale() ? Ink::kAscii : Ink::kBraille) {}

  void print(const std::string& path) {
    argument_ = path;
    const InputFile input(path);
    ParquetFile file(input);
    axis_ = {};
    const Facts facts = read_facts(file);
    axis_.time = find_time_column(file, request_.time, facts);
    marks_ = mark_column(file);
    facts_ = facts;
    const std::vector<Channel> channels = find_channels(file, facts);
    choose_rows(file);
    const std::string more = file.rows_after_footer();
    print_name(file.name());
    if (has_rows_) {
      print_times(file);
      draw(input, file, channels);
    } else if (file.reader().rows() != 0) {
      print_fact("no row has a time between --from and --to");
    } else {
      print_fact(more.empty() ? "no rows" : "no rows up to the last footer");
    }
    for (const std::string& text : left_out_) {
      print_fact(text);
    }
    if (!more.empty()) {
      output_.flush();
      tell(file.name() + ": " + more);
    }
  }

 private:
  // Prints a fact, on several lines if it is too long for one; these begin farther in.
  void print_fact(std::string text) {
    constexpr std::size_t kMostIndent = 4;
    text.insert(0, "  ");
    while (width_of(text) > page_) {
      const std::size_t space = text.find_last_of(' ', page_);
      if (space == text.npos || space <= kMostIndent) {
        break;
      }
      output_.line(text.substr(0, space));
      text.replace(0, space + 1, "    ");
    }
    output_.line(text);
  }

  void print_name(const std::string& name) {
    if (any_) {
      output_.line("");
    }
    any_ = true;
    output_.line(terminal_width() == 0 ? name : shortened(name, page_));
  }

  // Whoever names a column wants to see it.
  std::vector<Channel> find_channels(const ParquetFile& file, const Facts& facts) {
    std::vector<Channel> channels;
    std::size_t more = 0;
    left_out_.clear();
    states_.clear();
    arrays_.clear();
    for (const Column& column : file.columns_named(request_.columns)) {
      const std::string why = why_not_drawn(column);
      if (marks_ && column.number == marks_->number) {
        continue;
      }
      if (is_array_column(column) && arrays_.size() < kMostArrays) {
        arrays_.push_back(column);
        continue;
      }
      if (is_state_column(column) && states_.size() < kMostStates) {
        if (!request_.columns.empty() || !axis_.time || !axis_.time->has(column)) {
          states_.push_back(column);
        }
        continue;
      }
      if (!why.empty() && !request_.columns.empty()) {
        throw WrongRequest(file.name() + ": column " + column.name + " cannot be drawn: " + why +
                           "; leave it out of --columns");
      }
      if (!why.empty()) {
        left_out_.push_back(column.name + " is not drawn: " + why);
      } else if (!request_.columns.empty() || !axis_.time || !axis_.time->has(column)) {
        more += channels.size() < kMostChannels ? 0U : 1U;
        if (more == 0) {
          channels.emplace_back(column, facts);
        }
      }
    }
    if (more != 0) {
      left_out_.push_back(counted(more, "more column is", "more columns are") +
                          " not drawn; name by --columns which");
    }
    return channels;
  }

  // Sets the axis; without a time column it counts rows.
  void choose_rows(ParquetFile& file) {
    window_ = {};
    timing_.reset();
    if (!axis_.time) {
      refuse_endless_rows(file);
      if (!request_.from.empty() || !request_.to.empty()) {
        throw WrongRequest(
            file.name() +
            ": no column says when its rows were taken, as --from and --to need; name it by --time");
      }
      axis_.last = static_cast<std::int64_t>(file.reader().rows()) - 1;
      has_rows_ = axis_.last >= 0;
      return;
    }
    if (!request_.from.empty()) {
      window_.from = window_time("--from", request_.from, *axis_.time);
    }
    if (!request_.to.empty()) {
      window_.to = window_time("--to", request_.to, *axis_.time);
    }
    timing_ = read_timing(file, *axis_.time, window_);
    has_rows_ = timing_.has_value();
    if (timing_) {
      axis_.first = timing_->axis_first;
      axis_.last = timing_->axis_last;
    }
  }

  void print_times(ParquetFile& file) {
    if (!timing_) {
      print_fact(grouped_digits(file.reader().rows()) + " rows, without times");
      print_proposals(file);
      return;
    }
    const LogTiming& timing = *timing_;
    print_fact(instant_text(timing.time, timing.first) + " to " + instant_text(timing.time, timing.last));
    if (!timing.time.assumed.empty()) {
      print_fact("assumed: " + timing.time.assumed);
    }
    std::string text = span_text(timing) + ", " + counted(timing.rows, "row", "rows");
    if (timing.interval > 0) {
      text += ", " + rate_text(timing);
    }
    print_fact(text);
    for (const std::string& line : clock_text(timing)) {
      print_fact("clock: " + line);
    }
    const bool all = !window_.from && !window_.to;
    for (const std::string& line : missing_text(timing, all ? dropped_rows(file) : 0)) {
      print_fact("gaps: " + line);
    }
  }

  void print_proposals(ParquetFile& file) {
    const TimeProposals proposals = propose_times(file);
    if (!proposals.why.empty()) {
      print_fact("time: " + proposals.why);
    }
    for (const std::string& line : proposals.tries("plot", argument_)) {
      output_.line("  " + line);
    }
  }

  // Draws also the rows that could be read before a damage.
  void draw(const InputFile& input, ParquetFile& file, const std::vector<Channel>& channels) {
    std::vector<ArrayDrawing> arrays;
    for (const Column& column : arrays_) {
      arrays.emplace_back(column, facts_, 1);  // for its names
    }
    const PlotWidths widths(channels, states_, arrays, axis_title(), page_);
    const std::size_t parts = widths.strips * parts_in_cell(ink_);
    arrays.clear();
    Drawing drawing(channels.size(), states_.size(), parts);
    try {
      draw_rows(file, channels, states_, marks_, axis_, window_, timing_, drawing);
      for (const Column& column : arrays_) {
        arrays.emplace_back(column, facts_, parts);
        ParquetFile own(input);
        draw_array(own, column, axis_, window_, timing_, arrays.back());
      }
    } catch (const Failure&) {
      if (drawing.rows != 0) {
        print_drawing(channels, arrays, drawing, widths);
      }
      throw;
    }
    print_drawing(channels, arrays, drawing, widths);
  }

  std::string axis_title() const { return axis_.time ? axis_.time->name() : "row"; }

  void print_drawing(const std::vector<Channel>& channels, const std::vector<ArrayDrawing>& arrays,
                     const Drawing& drawing, const PlotWidths& widths) {
    constexpr unsigned kColors = 5;  // not red, which says that something is wrong
    if (marks_ && drawing.marks.any()) {
      print_cells(marks_->name, drawing.marks.letters(widths.strips, parts_in_cell(ink_)),
                  grouped_digits(drawing.marks.count()), widths);
    }
    const std::size_t lines = strip_lines(channels.size() + arrays.size());
    for (std::size_t i = 0; i < channels.size(); ++i) {
      std::vector<std::string> strip = draw_strip(drawing.lines[i], ink_, lines);
      for (std::string& cells : strip) {
        drawing.marks.draw_over(cells, parts_in_cell(ink_), ink_ == Ink::kAscii ? ":" : "\u250a");
      }
      const unsigned color = 2 + static_cast<unsigned>((i + 2) % kColors);  // blue first
      print_strip(channels[i], drawing.lines[i].all(), strip, widths, color);
    }
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      print_array(arrays[i], drawing.marks, lines, widths,
                  2 + static_cast<unsigned>((channels.size() + i + 2) % kColors));
    }
    for (std::size_t i = 0; i < states_.size(); ++i) {
      const StateBand& band = drawing.states[i];
      print_cells(states_[i].name, band.line(parts_in_cell(ink_)), counted(band.count(), "state", "states"),
                  widths);
    }
    if (timing_ && timing_->regular && timing_->gaps != 0) {
      print_cells("gaps", marks(drawing.gaps, 'x'), grouped_digits(timing_->gaps), widths);
    }
    if (timing_ && timing_->restarts + timing_->sets != 0) {
      print_cells("runs", marks(drawing.runs, '|'), grouped_digits(timing_->restarts + timing_->sets + 1),
                  widths);
    }
    print_cells(axis_title(), axis_line(axis_, widths.strips), "", widths);
    print_marks(drawing.marks);
  }

  // Few elements as strips of their own, many as a picture.
  void print_array(const ArrayDrawing& array, const PlotMarks& marks, std::size_t lines,
                   const PlotWidths& widths, unsigned color) {
    for (std::size_t i = 0; array.is_of_lines() && i < array.size(); ++i) {
      std::vector<std::string> strip = draw_strip(array.line(i), ink_, kLeastStripLines);
      for (std::string& cells : strip) {
        marks.draw_over(cells, parts_in_cell(ink_), ink_ == Ink::kAscii ? ":" : "\u250a");
      }
      Column element = array.channel().column();
      element.name += "[" + std::to_string(i) + "]";
      print_strip(Channel(element, unit_as(element.name, array)), array.line(i).all(), strip, widths, color);
    }
    if (array.is_of_lines()) {
      return;
    }
    constexpr std::size_t kLeastPicture = 4;
    const std::vector<std::string> picture =
        array.picture(ink_, std::min(std::max(lines, kLeastPicture), std::max<std::size_t>(array.size(), 1)));
    const Extent& all = array.all();
    const std::string unit = array.channel().unit();
    for (std::size_t i = 0; i < picture.size(); ++i) {
      const bool last = i + 1 == picture.size();
      const std::string title = i == 0   ? array.name()
                                : i == 1 ? "  " + array.elements_text()
                                : i == 2 ? (unit.empty() ? "" : "  " + unit)
                                         : "";
      const std::string value = all.empty() ? (i == 0 ? "no values" : "")
                                : i == 0    ? array.channel().text(all.most, all.least)
                                : last      ? array.channel().text(all.least, all.most)
                                            : "";
      print_cells(title, picture[i], value, widths, color);
    }
  }

  // Facts by which an element has the unit of its array.
  static Facts unit_as(const std::string& element, const ArrayDrawing& array) {
    Facts facts;
    facts.units[element] = array.channel().unit();
    return facts;
  }

  // What the letters over the strips mean.
  void print_marks(const PlotMarks& marks) {
    const std::vector<PlotMark>& shown = marks.shown();
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const std::string when = timing_ ? instant_text(timing_->time, shown[i].at)
                                       : "row " + grouped_digits(static_cast<std::uint64_t>(shown[i].at) + 1);
      output_.line(
          shortened(std::string("  ") + PlotMarks::letter(i) + " " + when + " " + shown[i].text, page_));
    }
    if (marks.count() > shown.size()) {
      print_fact(grouped_digits(marks.count() - shown.size()) +
                 " more marks are not shown; --from and --to choose");
    }
  }

  // A character for each of the strips', `mark` where a part of it is marked.
  std::string marks(const std::vector<bool>& parts, char mark) const {
    std::string line(parts.size() / parts_in_cell(ink_), ' ');
    for (std::size_t part = 0; part < parts.size(); ++part) {
      char& cell = line[part / parts_in_cell(ink_)];
      cell = parts[part] ? mark : cell;
    }
    return line;
  }

  // The largest value above, and the smallest below, but where they are one.
  void print_strip(const Channel& channel, const Extent& all, const std::vector<std::string>& strip,
                   const PlotWidths& widths, unsigned color) {
    const std::string unit = channel.unit().empty() ? "" : "  " + channel.unit();
    print_cells(channel.column().name, strip.front(),
                all.empty() ? "no values" : channel.text(all.most, all.least), widths, color);
    for (std::size_t i = 1; i + 1 < strip.size(); ++i) {
      print_cells(i == 1 ? unit : "", strip[i], "", widths, color);
    }
    print_cells(strip.size() == kLeastStripLines ? unit : "", strip.back(),
                all.least < all.most ? channel.text(all.least, all.most) : "", widths, color);
  }

  void print_cells(const std::string& name, const std::string& cells, const std::string& value,
                   const PlotWidths& widths, unsigned color = 0) {
    const std::string before = padded(name, widths.names) + " ";
    std::string after = " " + padded(value, widths.values, true);
    after.resize(after.find_last_not_of(' ') + 1);
    if (!after.empty()) {
      output_.line(before, cells, after, color);
    } else if (const std::size_t end = cells.find_last_not_of(' '); end != cells.npos) {
      output_.line(before, cells.substr(0, end + 1), "", color);
    } else {
      output_.line(before.substr(0, before.find_last_not_of(' ') + 1));
    }
  }

  const PlotRequest& request_;
  Output& output_;
  std::size_t page_;
  Ink ink_;
  bool any_ = false;  // file has been drawn
  // Members for the file that is being drawn.
  std::string argument_;
  std::vector<std::string> left_out_;
  std::vector<Column> states_;
  std::vector<Column> arrays_;
  Facts facts_;
  std::optional<Column> marks_;
  TimeAxis axis_;
  TimeWindow window_;
  std::optional<LogTiming> timing_;
  bool has_rows_ = false;
};

}  // namespace

int print_plots(const PlotRequest& request, Output& output) {
  Guard guard(output);
  Plot plot(request, output);
  const std::vector<std::string> files = named_files(request.paths);
  for (const std::string& path : files) {
    guard.run([&] { plot.print(path); });
  }
  return guard.code();
}

}  // namespace mpq_tool
