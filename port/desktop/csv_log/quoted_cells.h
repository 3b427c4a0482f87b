// Cells of lines with quotes (RFC 4180).
#pragma once

#include <string>
#include <string_view>

namespace csv_log {

// Parses text byte by byte. Text that keeps the rules is one row a line; other text is read as most programs do: a quote within a
// cell without quotes is a quote, and so is one after which a cell in quotes continues. Line ends are CR or LF, and empty lines
// are none; spaces are part of a cell.
class QuotedCells {
 public:
  explicit QuotedCells(char delimiter) : delimiter_(delimiter) {}

  // Calls `take_cell(std::string_view)` for each cell that ends in the text, and `take_row()` where a row ends.
  template <typename TakeCell, typename TakeRow>
  void parse(std::string_view text, TakeCell take_cell, TakeRow take_row) {
    for (const char byte : text) {
      const Step step = next(byte);
      if (step == Step::kCell || step == Step::kRow) {
        take_cell(std::string_view(cell_));
        cell_.clear();
      }
      if (step == Step::kRow) take_row();
    }
  }

 private:
  enum class State : unsigned char { kRowBegins, kCellBegins, kInCell, kInQuotes, kAfterQuote };
  enum class Step : unsigned char { kNone, kCell, kRow };  // what ends

  Step next(char byte);
  Step begin_cell(char byte);
  Step end_cell(char byte);
  // Whether a cell that is not in quotes ends with this byte.
  bool ends(char byte) const { return byte == delimiter_ || byte == '\r' || byte == '\n'; }

  const char delimiter_;
  State state_ = State::kRowBegins;
  std::string cell_;
};

}  // namespace csv_log
