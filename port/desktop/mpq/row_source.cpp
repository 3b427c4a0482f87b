#include "row_source.h"

#include <algorithm>
#include <utility>

#include "microparquet/bloom_filter.h"

namespace mpq_tool {

namespace {

using microparquet::IndexedPage;
using microparquet::RowRange;
using microparquet::Status;

microparquet::Value open_bound(microparquet::Type type) {
  microparquet::Value value;
  value.type = type;
  value.null = true;
  return value;
}

Ranges both(const Ranges& a, const Ranges& b) {
  Ranges result(a.size() + b.size() + 1);
  microparquet::RowRanges rows(result);
  rows.add_both(a, b);
  result.resize(rows.ranges().size());
  return result;
}

Ranges either(Ranges a, const Ranges& b) {
  a.insert(a.end(), b.begin(), b.end());
  std::sort(a.begin(), a.end(), [](const RowRange& x, const RowRange& y) { return x.begin < y.begin; });
  Ranges result(a.size() + 1);
  microparquet::RowRanges rows(result);
  for (const RowRange& range : a) {
    rows.add(range);
  }
  result.resize(rows.ranges().size());
  return result;
}

PossibleValues values_of_page(const IndexedPage& page, bool bounds, bool optional) {
  PossibleValues possible;
  possible.has_min = possible.has_max = bounds && page.has_bounds;
  possible.min = page.min;
  possible.max = page.max;
  possible.nulls = optional && (page.only_nulls || !page.has_null_count || page.null_count != 0);
  possible.values = !page.only_nulls;
  possible.nans = !page.has_nan_count || page.nan_count != 0;
  return possible;
}

}  // namespace

RowChoice::RowChoice(ParquetFile& file, const Predicate& predicate) : file_(file), predicate_(predicate) {
  add_orders(predicate);
}

void RowChoice::add_orders(const Predicate& predicate) {
  for (const Predicate& part : predicate.parts) {
    add_orders(part);
  }
  if (predicate.kind == Predicate::Kind::kTest) {
    microparquet::Reader& reader = file_.reader();
    const std::uint32_t column = predicate.test.column;
    const microparquet::Value open = open_bound(reader.column_type(column));
    file_.check(make_range(reader, column, open, open, orders_[column]));
  }
}

Ranges RowChoice::possible_rows(const Predicate& predicate) {
  if (predicate.kind == Predicate::Kind::kTest) {
    return possible_rows(predicate.test);
  }
  const bool all = predicate.kind == Predicate::Kind::kAll;
  const std::uint64_t rows = file_.reader().row_group_rows();
  Ranges result = all ? Ranges{{0, rows}} : Ranges();
  for (const Predicate& part : predicate.parts) {
    result = all ? both(result, possible_rows(part)) : either(std::move(result), possible_rows(part));
    const bool decided = all ? result.empty() : result.size() == 1 && result[0].end - result[0].begin == rows;
    if (decided) {
      break;
    }
  }
  return result;
}

Ranges RowChoice::possible_rows(const ColumnTest& test) {
  bool nans = true;
  return row_group_may_hold(test, nans) && bloom_filter_may_hold(test) ? rows_of_pages(test, nans) : Ranges();
}

// One that cannot tell of all values that are looked for is not asked.
bool RowChoice::bloom_filter_may_hold(const ColumnTest& test) {
  const bool equality = test.kind == ColumnTest::Kind::kIn ||
                        (test.kind == ColumnTest::Kind::kCompare && test.test == Test::kEqual);
  if (!equality) {
    return true;
  }
  for (const Literal& literal : test.literals) {
    bool may = true;
    if (const auto value = literal.stored()) {
      file_.check(microparquet::may_contain(file_.reader(), test.column, *value, may));
    }
    if (may) {
      return true;
    }
  }
  return false;
}

bool RowChoice::row_group_may_hold(const ColumnTest& test, bool& nans) {
  const microparquet::ColumnRange& order = orders_.at(test.column);
  const microparquet::Reader& reader = file_.reader();
  const std::optional<microparquet::ColumnStatistics> statistics =
      file_.column_statistics(test.column, bounds_);
  if (!statistics) {
    return true;
  }
  const bool believed = statistics->deprecated
                            ? !order.type_order && microparquet::detail::trusts_old_bounds(order.order)
                            : order.type_order;
  PossibleValues possible;
  possible.has_min = believed && statistics->has_min;
  possible.has_max = believed && statistics->has_max;
  possible.min = statistics->min;
  possible.max = statistics->max;
  possible.nulls = reader.max_definition_level(test.column) != 0 &&
                   (!statistics->has_null_count || statistics->null_count != 0);
  possible.values = !statistics->has_null_count || statistics->null_count != reader.row_group_rows();
  possible.nans = !statistics->has_nan_count || statistics->nan_count != 0;
  possible.check(order.order);
  nans = possible.nans;
  return may_hold(test, possible);
}

// False: there is no index.
bool RowChoice::read_pages(microparquet::PageIndex& pages, std::uint32_t column) {
  constexpr std::uint64_t kMostBytes = 256 << 20;
  Status status = pages.read(file_.reader(), column);
  while (status == Status::kOutOfMemory && file_.reader().needed_bytes() <= kMostBytes) {
    index_.resize(static_cast<std::size_t>(file_.reader().needed_bytes()) / sizeof(std::uint64_t) + 1);
    pages = microparquet::PageIndex(
        {reinterpret_cast<std::byte*>(index_.data()), index_.size() * sizeof(std::uint64_t)});
    status = pages.read(file_.reader(), column);
  }
  if (status != Status::kEnd && status != Status::kOutOfMemory) {
    file_.check(status);
  }
  return status == Status::kOk;
}

// Rules rows out by the index, and reads them all the same unless the headers of the pages on both sides
// agree with it.
Ranges RowChoice::rows_of_pages(const ColumnTest& test, bool nans) {
  microparquet::Reader& reader = file_.reader();
  Ranges all = {{0, reader.row_group_rows()}};
  index_.resize(std::max<std::size_t>(index_.size(), 1 << 13));
  microparquet::PageIndex index(
      {reinterpret_cast<std::byte*>(index_.data()), index_.size() * sizeof(std::uint64_t)});
  if (!read_pages(index, test.column)) {
    return all;
  }
  const microparquet::ColumnRange& order = orders_.at(test.column);
  const bool optional = reader.max_definition_level(test.column) != 0;
  Ranges result(index.pages().size() + 1);
  microparquet::RowRanges rows(result);
  bool before = true;
  for (std::size_t i = 0; i < index.pages().size(); ++i) {
    const IndexedPage& page = index.pages()[i];
    PossibleValues possible = values_of_page(page, order.type_order, optional);
    possible.nans = possible.nans && nans;
    possible.check(order.order);
    const bool may = may_hold(test, possible);
    if (i == 0 ? !may : may != before) {
      bool confirmed = true;
      bool also_before = true;
      file_.check(index.confirm(reader, i, confirmed));
      if (i != 0) {
        file_.check(index.confirm(reader, i - 1, also_before));
      }
      if (!confirmed || !also_before) {
        return all;
      }
    }
    before = may;
    if (may) {
      rows.add({page.first_row, page.first_row + page.rows});
    }
  }
  result.resize(rows.ranges().size());
  return result;
}

// Finds the next row that can match, if the reader is not before one.
bool MatchingRows::next_possible() {
  microparquet::Reader& reader = file_.reader();
  for (;;) {
    if (range_ < ranges_.size() && row_ < ranges_[range_].end) {
      if (row_ < ranges_[range_].begin) {
        row_ = ranges_[range_].begin;
        file_.seek_row(row_group_ - 1, row_, group_begin_ + row_);
      }
      return true;
    }
    if (range_ < ranges_.size()) {
      ++range_;
      continue;
    }
    if (row_group_ == reader.row_groups()) {
      return false;
    }
    group_begin_ += row_group_ == 0 ? 0 : reader.row_group_rows();
    file_.check(reader.seek_row_group(row_group_++));
    ranges_ = choice_.possible_rows();
    range_ = 0;
    row_ = ranges_.empty() ? 0 : ranges_.front().begin;
    if (!ranges_.empty()) {
      file_.seek_row(row_group_ - 1, row_, group_begin_ + row_);
    }
  }
}

bool MatchingRows::next() {
  while (next_possible()) {
    if (!file_.next_row()) {
      return false;
    }
    ++row_;
    if (predicate_.holds(file_.reader())) {
      return true;
    }
  }
  return false;
}

namespace {

// Whether rows need nesting. JSON has objects for structs; otherwise their members are columns of their own.
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
  if (style.physical) {
    physical_.emplace(file);
  }
  if (condition != nullptr) {
    predicate_ = make_predicate(*condition, text, file, chosen);
  }
  if (is_nested(leaves, style.format)) {
    nested_ = std::make_unique<NestedRows>(file, leaves, chosen, style, physical_ ? &*physical_ : nullptr);
    columns_ = nested_->columns();
  } else {
    file.choose(chosen);
    for (const Column& leaf : leaves) {
      columns_.push_back(physical_ ? physical_->shown(leaf) : leaf);
    }
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
    printer.row(RowView(file_.reader(), columns_, physical_ ? &*physical_ : nullptr));
  }
}

}  // namespace mpq_tool
