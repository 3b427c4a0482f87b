#include "row_source.h"

#include <algorithm>

namespace mpq_tool {

namespace {

// As JSON a struct is an object; else its members are columns of their own, which need no nesting.
bool is_nested(const std::vector<Column>& leaves, RowFormat format) {
  return std::any_of(leaves.begin(), leaves.end(), [&](const Column& leaf) {
    return leaf.element.max_repetition_level != 0 || (format == RowFormat::kJson && leaf.element.depth > 1);
  });
}

}  // namespace

RowSource::RowSource(ParquetFile& file, const std::vector<Column>& leaves, RowStyle style,
                     const Condition* condition, const std::string& text)
    : file_(file) {
  std::vector<Column> chosen = leaves;
  if (condition != nullptr) {
    predicate_ = make_predicate(*condition, text, file, chosen);
  }
  if (is_nested(leaves, style.format)) {
    nested_ = std::make_unique<NestedRows>(file, leaves, chosen, style);
    columns_ = nested_->columns();
  } else {
    file.choose(chosen);
    columns_ = leaves;
  }
  if (predicate_ && !nested_) {
    matching_.emplace(file, *predicate_);
  }
}

void RowSource::pass_rows(std::uint64_t rows) {
  if (nested_) {
    nested_->pass_rows(rows);
  } else {
    file_.pass_rows(rows);
  }
}

bool RowSource::next() {
  if (!nested_) {
    return matching_ ? matching_->next() : file_.next_row();
  }
  while (nested_->next()) {
    if (!predicate_ || predicate_->holds(file_.reader())) {
      return true;
    }
  }
  return false;
}

void RowSource::print(RowPrinter& printer) const {
  if (nested_) {
    printer.cells(nested_->cells());
  } else {
    printer.row(file_.reader());
  }
}

}  // namespace mpq_tool
