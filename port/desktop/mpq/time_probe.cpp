#include "time_probe.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "read_failure.h"
#include "time_column.h"

namespace mpq_tool {

namespace {

using microparquet::Cell;
using microparquet::Type;

constexpr std::size_t kRows = 4096;

double middle_of(std::vector<double> values) {
  if (values.empty()) {
    return 0;
  }
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::optional<double> number_in(const Cell& cell, const Column& column) {
  if (cell.null()) {
    return std::nullopt;
  }
  double number = 0;
  switch (column.element.type) {
    case Type::kFloat: number = static_cast<double>(cell.as<float>()); break;
    case Type::kDouble: number = cell.as<double>(); break;
    case Type::kInt96: {
      std::uint64_t nanos = 0;
      std::uint32_t day = 0;
      std::memcpy(&nanos, cell.data, sizeof nanos);
      std::memcpy(&day, cell.data + sizeof nanos, sizeof day);
      constexpr double kDayNanos = 86'400e9;
      number = day + static_cast<double>(nanos) / kDayNanos;
      break;
    }
    default: {
      const auto integer = integer_in(cell, column);
      if (!integer) {
        return std::nullopt;
      }
      number = static_cast<double>(*integer);
    }
  }
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

// The texts of columns all of whose cells are times.
class TimeTexts {
 public:
  void take(const Column& column, const Cell& cell) {
    const bool is_text = column.element.logical.kind == microparquet::LogicalKind::kString;
    const auto text = is_text ? time_text_in(cell.text()) : std::nullopt;
    ProbedValues& values = columns_[column.number];
    const bool is_first = values.values.empty();
    const auto form = text && (is_first || values.form != TimeForm::kNone)
                          ? form_of_both(values.form, text->form)
                          : std::nullopt;
    values.form = form.value_or(TimeForm::kNone);
    ++values.others;
    values.values.push_back(text ? static_cast<double>(text->nanos) : 0);
  }

  std::map<std::uint32_t, ProbedValues>& columns() { return columns_; }

 private:
  std::map<std::uint32_t, ProbedValues> columns_;
};

}  // namespace

bool ProbedValues::vary() const {
  return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) != values.end();
}

bool ProbedValues::go_one_way() const {
  return vary() && (std::is_sorted(values.begin(), values.end()) ||
                    std::is_sorted(values.begin(), values.end(), std::greater<>()));
}

double ProbedValues::median() const { return middle_of(values); }

double ProbedValues::interval() const {
  std::vector<double> intervals;
  for (std::size_t i = 1; i < values.size(); ++i) {
    intervals.push_back(std::abs(values[i] - values[i - 1]));
  }
  return middle_of(std::move(intervals));
}

bool ProbedValues::are_multiples_of(double step) const {
  return std::all_of(values.begin(), values.end(),
                     [step](double value) { return std::fmod(value, step) == 0; });
}

bool ProbedValues::are_whole() const { return are_multiples_of(1); }

TimeProbe::TimeProbe(ParquetFile& file, const std::vector<Column>& columns) {
  for (const Column& column : columns) {
    values_[column.number];
  }
  if (columns.empty() || file.reader().rows() == 0) {
    has_all_rows_ = true;
    return;
  }
  TimeTexts texts;
  try {
    file.choose(columns);
    for (std::size_t row = 0; row < kRows; ++row) {
      if (!file.next_row()) {
        has_all_rows_ = true;
        break;
      }
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const Cell cell = file.reader().cell(static_cast<std::uint32_t>(i));
        ProbedValues& values = values_[columns[i].number];
        if (const auto number = number_in(cell, columns[i])) {
          values.values.push_back(*number);
        } else if (!cell.null()) {
          ++values.others;
          texts.take(columns[i], cell);
        }
      }
    }
  } catch (const Failure&) {
    has_all_rows_ = false;  // who reads the rows says what is wrong with them
  }
  for (auto& [number, texts_of_it] : texts.columns()) {
    if (texts_of_it.form != TimeForm::kNone && values_[number].values.empty()) {
      values_[number] = std::move(texts_of_it);
    }
  }
}

bool TimeProbe::varies(ParquetFile& file, const Column& column) const {
  const ProbedValues& probed = of(column);
  if (probed.vary() || has_all_rows_) {
    return probed.vary() || probed.values.size() == 1;
  }
  std::vector<std::byte> bounds;
  std::string least;
  for (std::uint32_t group = 0; group < file.reader().row_groups(); ++group) {
    file.check(file.reader().seek_row_group(group));
    const auto statistics = file.column_statistics(column.number, bounds);
    if (!statistics || !statistics->has_min || !statistics->has_max) {
      continue;
    }
    const auto text = [](const auto& bound) {
      return std::string(reinterpret_cast<const char*>(bound.data()), bound.size());
    };
    const std::string min = text(statistics->min);
    if (min != text(statistics->max) || (!least.empty() && min != least)) {
      return true;
    }
    least = min;
  }
  return false;
}

}  // namespace mpq_tool
