#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

#include "commands.h"
#include "parquet_file.h"
#include "read_failure.h"
#include "row_printer.h"
#include "row_source.h"
#include "type_text.h"
#include "where_parser.h"

namespace mpq_tool {

namespace {

// "a int64, b string".
std::string columns_text(const std::vector<Column>& columns) {
  std::string text;
  for (const Column& column : columns) {
    text += (text.empty() ? "" : ", ") + column.name + " " + type_text(column.element);
  }
  return text;
}

class Rows {
 public:
  Rows(const RowsRequest& request, Output& output) : request_(request), output_(output), guard_(output) {}

  int run() {
    if (request_.where) {
      condition_ = parse_condition(*request_.where);
    }
    for (const std::string& path : request_.paths) {
      guard_.run([&] { inputs_.push_back(std::make_unique<InputFile>(path)); });
    }
    if (request_.style.format != RowFormat::kTable) {
      compare_columns();
    }
    for (const auto& input : inputs_) {
      guard_.run([&] { print(*input); });
    }
    return guard_.code();
  }

 private:
  // Compares the columns of all files before any row is printed. A file that cannot be opened is reported
  // when its turn comes.
  void compare_columns() {
    std::string first;
    std::string text;
    for (std::size_t i = 0; i < inputs_.size() && inputs_.size() > 1; ++i) {
      try {
        ParquetFile file(*inputs_[i]);
        const std::string own = columns_text(file.columns_named(request_.columns));
        if (text.empty()) {
          first = file.name();
          text = own;
        } else if (own != text) {
          throw WrongRequest(file.name() + " has other columns than " + first + ": " + own + "; and not " +
                             text +
                             "; choose those that are alike by --columns, or print one file at a time");
        }
      } catch (const WrongRequest&) {
        throw;
      } catch (const Failure&) {
        continue;  // said when its turn comes
      }
    }
  }

  void print(const InputFile& input) {
    ParquetFile file(input);
    const bool table = request_.style.format == RowFormat::kTable;
    if (table && inputs_.size() > 1) {
      if (&input != inputs_.front().get()) {
        output_.line("");
      }
      output_.line("==> " + file.name() + " <==");
    }
    if (!file.columns().empty()) {
      print_rows(file, table);
    }
    if (const std::string behind = file.rows_after_footer(); !behind.empty()) {
      output_.flush();
      tell(file.name() + ": " + behind);
    }
  }

  // Number of the first row to print, of a file of `rows` rows; `rows`: none.
  std::uint64_t first_row(std::uint64_t rows) const {
    if (request_.from_end) {
      return rows - std::min(rows, request_.limit.value_or(rows));
    }
    return std::min(rows, request_.skip);
  }

  void print_rows(ParquetFile& file, bool table) {
    RowSource source(file, file.columns_named(request_.columns), request_.style,
                     condition_ ? &*condition_ : nullptr, request_.where.value_or(""));
    std::uint64_t left = request_.limit.value_or(std::numeric_limits<std::uint64_t>::max());
    const std::uint64_t first = first_row(file.reader().rows());
    bool more = left != 0 && first != file.reader().rows();
    if (more) {
      source.pass_rows(first);
      more = source.next();  // a file that cannot be read prints no header either
    }
    if (table || !printer_) {
      columns_ = source.columns();
      printer_ = make_row_printer(request_.style.format, columns_, output_);
      printer_->begin();
    }
    try {
      while (more) {
        source.print(*printer_);
        more = --left != 0 && source.next();
      }
    } catch (const Failure&) {
      printer_->end();
      throw;
    }
    printer_->end();
  }

  const RowsRequest& request_;
  Output& output_;
  Guard guard_;
  std::vector<std::unique_ptr<InputFile>> inputs_;
  std::optional<Condition> condition_;
  std::vector<Column> columns_;  // columns that printer_ prints
  std::unique_ptr<RowPrinter> printer_;
};

}  // namespace

int print_rows(const RowsRequest& request, Output& output) { return Rows(request, output).run(); }

}  // namespace mpq_tool
