#include "quoted_cells.h"

namespace csv_log {

QuotedCells::Step QuotedCells::next(char byte) {
  switch (state_) {
    case State::kRowBegins:
    case State::kCellBegins: return begin_cell(byte);
    case State::kInCell:
      if (ends(byte)) return end_cell(byte);
      break;
    case State::kInQuotes:
      if (byte == '"') {
        state_ = State::kAfterQuote;
        return Step::kNone;
      }
      break;
    case State::kAfterQuote:
      if (ends(byte)) return end_cell(byte);
      if (byte != '"') cell_.push_back('"');
      state_ = State::kInQuotes;
      break;
  }
  cell_.push_back(byte);
  return Step::kNone;
}

QuotedCells::Step QuotedCells::begin_cell(char byte) {
  const bool is_delimiter = byte == delimiter_;
  if (ends(byte) && (is_delimiter || state_ == State::kCellBegins)) return end_cell(byte);
  if (ends(byte)) return Step::kNone;
  state_ = byte == '"' ? State::kInQuotes : State::kInCell;
  if (byte != '"') cell_.push_back(byte);
  return Step::kNone;
}

QuotedCells::Step QuotedCells::end_cell(char byte) {
  const bool is_delimiter = byte == delimiter_;
  state_ = is_delimiter ? State::kCellBegins : State::kRowBegins;
  return is_delimiter ? Step::kCell : Step::kRow;
}

}  // namespace csv_log
