#include "row_printer.h"

#include <algorithm>
#include <set>
#include <utility>

#include "value_text.h"

namespace mpq_tool {

namespace {
constexpr std::size_t kGap = 2;
}

void Table::add_column(std::string title, Align align, std::size_t width) {
  const std::size_t least = std::max(width, width_of(title));
  columns_.push_back({std::move(title), align, least});
}

void Table::add_row(std::vector<std::string> cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    columns_[i].width = std::max(columns_[i].width, width_of(cells[i]));
  }
  rows_.push_back(std::move(cells));
}

std::size_t Table::columns_within(std::size_t width, std::size_t indent) const {
  if (width == 0) {
    return columns_.size();
  }
  std::size_t used = indent;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    used += columns_[i].width + (i == 0 ? 0 : kGap);
    if (used > width) {
      return std::max<std::size_t>(i, 1);
    }
  }
  return columns_.size();
}

void Table::print_row(Output& output, const std::vector<std::string>& cells) const {
  std::string line(indent_, ' ');
  for (std::size_t i = 0; i < widths_.size(); ++i) {
    const std::string cell = shortened(cells[i], widths_[i]);
    const std::string padding(widths_[i] - width_of(cell), ' ');
    line += columns_[i].align == Align::kRight ? padding + cell : cell + padding;
    line.append(kGap, ' ');
  }
  line.erase(line.find_last_not_of(' ') + 1);
  output.line(line);
}

std::size_t Table::begin(Output& output, std::size_t indent, std::size_t width) {
  indent_ = indent;
  widths_.clear();
  std::vector<std::string> titles;
  for (const Column& column : columns_) {
    titles.push_back(column.title);
    widths_.push_back(column.width);
  }
  widths_.resize(columns_within(width, indent));
  if (widths_.size() == 1 && width != 0) {
    widths_.front() = std::min(widths_.front(), width - std::min(width, indent));
  }
  print_row(output, titles);
  return columns_.size() - widths_.size();
}

std::size_t Table::print(Output& output, std::size_t indent, std::size_t width) {
  const std::size_t left_out = begin(output, indent, width);
  for (const auto& row : rows_) {
    print_row(output, row);
  }
  return left_out;
}

namespace {

microparquet::Span<const std::byte> value_of(const microparquet::Cell& cell) {
  return {cell.data, cell.bytes};
}

constexpr std::size_t kMaxText = 48;  // longest text of a table's cell

// Adds `text` as a cell, in quotes where it needs them or would look like a null.
void add_csv(std::string& line, std::string_view text) {
  const bool plain = !text.empty() && text.find_first_of(",\"\r\n") == text.npos && text.front() != ' ' &&
                     text.back() != ' ';
  if (plain) {
    line += text;
    return;
  }
  line += '"';
  for (const char c : text) {
    line.append(c == '"' ? 2 : 1, c);
  }
  line += '"';
}

// Texts of all other types are digits, letters and what stands between these in a date.
bool may_need_quotes(const microparquet::SchemaElement& element) {
  return element.type == microparquet::Type::kByteArray ||
         element.type == microparquet::Type::kFixedLenByteArray;
}

std::string free_name(const std::string& name, std::set<std::string>& taken) {
  for (unsigned i = 1;; ++i) {
    const std::string candidate = name + "_" + std::to_string(i);
    if (taken.insert(candidate).second) {
      return candidate;
    }
  }
}

// Names that a JSON object can have side by side: one that comes again gets a number.
std::vector<std::string> unique_names(const std::vector<Column>& columns) {
  std::set<std::string> taken;
  std::set<std::string> seen;
  for (const Column& column : columns) {
    taken.insert(column.name);
  }
  std::vector<std::string> names;
  for (const Column& column : columns) {
    names.push_back(seen.insert(column.name).second ? column.name : free_name(column.name, taken));
    if (names.back() != column.name) {
      tell("another column is called " + column.name + " as well: it is " + names.back() + " here");
    }
  }
  return names;
}

// The cells of a table for people.
std::vector<std::string> table_cells(const std::vector<CellText>& cells) {
  std::vector<std::string> texts;
  for (const CellText& cell : cells) {
    texts.push_back(cell ? shortened(*cell, kMaxText) : "null");
  }
  return texts;
}

std::vector<std::string> table_cells(const std::vector<Column>& columns, const RowView& row) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const microparquet::Cell cell = row.cell(i);
    texts.push_back(cell.null() ? "null"
                                : shortened(value_text(columns[i].element, value_of(cell)), kMaxText));
  }
  return texts;
}

void print_left_out(std::size_t columns, Output& output) {
  if (columns != 0) {
    output.line("(" + std::to_string(columns) +
                (columns == 1 ? " more column: --columns chooses)" : " more columns: --columns chooses)"));
  }
}

}  // namespace

void CsvPrinter::begin() {
  line_.clear();
  for (const Column& column : columns_) {
    line_ += line_.empty() ? "" : ",";
    add_csv(line_, column.name);
  }
  output_.data_line(line_);
}

void CsvPrinter::row(const RowView& row) {
  line_.clear();
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    line_ += i == 0 ? "" : ",";
    const microparquet::Cell cell = row.cell(i);
    if (cell.null()) {
      continue;
    }
    if (may_need_quotes(columns_[i].element)) {
      add_csv(line_, value_text(columns_[i].element, value_of(cell)));
    } else {
      add_value_text(columns_[i].element, value_of(cell), line_);
    }
  }
  output_.data_line(line_);
}

void CsvPrinter::cells(const std::vector<CellText>& cells) {
  line_.clear();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line_ += i == 0 ? "" : ",";
    if (const CellText& cell = cells[i]; cell) {
      add_csv(line_, *cell);
    }
  }
  output_.data_line(line_);
}

JsonPrinter::JsonPrinter(const std::vector<Column>& columns, Output& output)
    : columns_(columns), output_(output) {
  for (const std::string& name : unique_names(columns)) {
    names_.push_back(json_string(name) + ":");
  }
}

void JsonPrinter::row(const RowView& row) {
  line_ = "{";
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    line_ += i == 0 ? "" : ",";
    line_ += names_[i];
    const microparquet::Cell cell = row.cell(i);
    line_ += cell.null() ? "null" : value_json(columns_[i].element, value_of(cell));
  }
  line_ += '}';
  output_.data_line(line_);
}

void JsonPrinter::cells(const std::vector<CellText>& cells) {
  line_ = "{";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line_ += i == 0 ? "" : ",";
    line_ += names_[i] + cells[i].value_or("null");
  }
  line_ += '}';
  output_.data_line(line_);
}

void TablePrinter::cells(const std::vector<CellText>& cells) { rows_.push_back(table_cells(cells)); }

void TablePrinter::row(const RowView& row) { rows_.push_back(table_cells(columns_, row)); }

void TablePrinter::end() {
  Table table;
  for (const Column& column : columns_) {
    table.add_column(column.name, is_number(column.element) ? Table::Align::kRight : Table::Align::kLeft);
  }
  for (auto& row : rows_) {
    table.add_row(std::move(row));
  }
  print_left_out(table.print(output_, 0, terminal_width()), output_);
}

namespace {

// Characters for the values of a column that nobody knows yet.
std::size_t usual_width(const microparquet::SchemaElement& element) {
  constexpr std::size_t kInstant = 27;  // to the microsecond
  constexpr std::size_t kNumber = 12;
  constexpr std::size_t kText = 16;
  if (element.logical.kind == microparquet::LogicalKind::kTimestamp) {
    return kInstant;
  }
  return mpq_tool::is_number(element) ? kNumber : kText;
}

}  // namespace

LivePrinter::LivePrinter(const std::vector<Column>& columns, Output& output)
    : columns_(columns), output_(output) {
  constexpr std::size_t kMostName = 20;
  for (const Column& column : columns) {
    table_.add_column(shortened(column.name, kMostName),
                      is_number(column.element) ? Table::Align::kRight : Table::Align::kLeft,
                      usual_width(column.element));
  }
}

void LivePrinter::begin() {
  const std::size_t left_out = table_.begin(output_, 0, terminal_width());
  if (!has_head_) {
    print_left_out(left_out, output_);
  }
  has_head_ = true;
  below_head_ = 0;
}

void LivePrinter::row(const RowView& row) { print(table_cells(columns_, row)); }

void LivePrinter::cells(const std::vector<CellText>& cells) { print(table_cells(cells)); }

void LivePrinter::print(const std::vector<std::string>& cells) {
  constexpr std::size_t kOthers = 2;  // the head, and the cursor
  const std::size_t height = terminal_height();
  if (height > kOthers && below_head_ + kOthers >= height) {
    begin();
  }
  table_.print_row(output_, cells);
  ++below_head_;
}

std::unique_ptr<RowPrinter> make_row_printer(RowFormat format, const std::vector<Column>& columns,
                                             Output& output) {
  switch (format) {
    case RowFormat::kCsv: return std::make_unique<CsvPrinter>(columns, output);
    case RowFormat::kJson: return std::make_unique<JsonPrinter>(columns, output);
    case RowFormat::kTable: return std::make_unique<TablePrinter>(columns, output);
    case RowFormat::kLive: return std::make_unique<LivePrinter>(columns, output);
  }
  return nullptr;
}

}  // namespace mpq_tool
