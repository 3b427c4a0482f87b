#include "merged_columns.h"

#include <algorithm>
#include <utility>

#include "joined_type.h"
#include "microparquet/schema.h"
#include "physical_values.h"
#include "read_failure.h"
#include "type_text.h"

namespace mpq_tool {

namespace {

namespace mpq = microparquet;
using mpq::LogicalKind;
using mpq::SchemaElement;
using mpq::TimeUnit;

// The timestamps that counts become. Floating point since 1970 has no more digits than microseconds.
TimeUnit unit_for(const TimeColumn& time) {
  constexpr std::int64_t kMillisOfSecond = 1'000;
  constexpr std::int64_t kMicrosOfSecond = 1'000'000;
  if (time.units_per_second <= kMillisOfSecond) {
    return TimeUnit::kMillis;
  }
  const mpq::Type type = time.sources.front().column.element.type;
  const bool is_floating = type == mpq::Type::kFloat || type == mpq::Type::kDouble;
  return time.units_per_second <= kMicrosOfSecond || (is_floating && time.since_1970()) ? TimeUnit::kMicros
                                                                                        : TimeUnit::kNanos;
}

SchemaElement double_element() {
  SchemaElement element;
  element.leaf = true;
  element.depth = 1;
  element.type = mpq::Type::kDouble;
  return element;
}

// `second` may be empty.
Conversion one_after_another(const Conversion& first, const Conversion& second) {
  if (!second) {
    return first;
  }
  return [=](const mpq::ColumnData& data, std::size_t rows) { return second(first(data, rows), rows); };
}

SchemaElement timestamp_of(TimeUnit unit) {
  SchemaElement element;
  element.leaf = true;
  element.depth = 1;
  element.type = mpq::Type::kInt64;
  element.logical = mpq::timestamp_field("", unit).logical;
  return element;
}

bool is_time_of(const MergeInput& input, const std::string& name) {
  return input.time.is_known && input.time.column.sources.size() == 1 &&
         input.time.column.sources.front().column.name == name;
}

std::string named_unit(const std::map<std::string, double>& numbers, const std::string& column) {
  const auto found = numbers.find(column);
  return found == numbers.end() ? "none" : std::to_string(found->second);
}

}  // namespace

MergedColumns::MergedColumns(const std::vector<MergeInput>& inputs, bool physical, NameOf name_of)
    : physical_(physical), name_of_(std::move(name_of)) {
  for (const MergeInput& input : inputs) {
    for (const Column& column : input.schema->columns) {
      if (converts(input, column)) {
        in_units_.insert(column.name);
      }
    }
  }
  find_dates(inputs);
  for (const MergeInput& input : inputs) {
    for (const Column& column : input.schema->columns) {
      add(input, column);
    }
  }
  for (MergedColumn& column : columns_) {
    column.optional = column.optional || files_[column.name] != inputs.size();
    note_types(column);
  }
}

void check_scales(const std::vector<MergeInput>& inputs, bool physical) {
  std::map<std::string, const MergeInput*> first;
  for (const MergeInput& input : inputs) {
    for (const Column& column : input.schema->columns) {
      const auto [other, is_new] = first.try_emplace(column.name, &input);
      if (is_new || (physical && is_convertible(column))) {
        continue;
      }
      const auto scale = [&](const MergeInput& each) { return named_unit(each.facts.scales, column.name); };
      const auto offset = [&](const MergeInput& each) { return named_unit(each.facts.offsets, column.name); };
      if (scale(input) != scale(*other->second) || offset(input) != offset(*other->second)) {
        throw WrongRequest("column " + column.name + ": its values do not mean the same: " +
                           other->second->file->name() + " has scale " + scale(*other->second) + ", offset " +
                           offset(*other->second) + ", and " + input.file->name() + " scale " + scale(input) +
                           ", offset " + offset(input) + "; --physical merges them in their unit");
      }
    }
  }
}

bool MergedColumns::converts(const MergeInput& input, const Column& column) const {
  return physical_ && input.facts.converts(column.name) && is_convertible(column);
}

// A column becomes dates if it does so in every file that has it, or has timestamps there already.
void MergedColumns::find_dates(const std::vector<MergeInput>& inputs) {
  std::map<std::string, const MergeInput*> without;
  for (const MergeInput& input : inputs) {
    for (const Column& column : input.schema->columns) {
      const bool is_dated = is_time_of(input, column.name) && input.time.is_dated;
      if (is_dated) {
        const TimeUnit own = unit_for(input.time.column);
        TimeUnit& unit = dates_.try_emplace(column.name, own).first->second;
        unit = std::max(unit, own);
      }
      if (is_dated && input.time.makes_dates) {
        continue;
      }
      if (column.element.logical.kind == LogicalKind::kTimestamp && column.element.logical.utc) {
        const auto unit = dates_.find(column.name);
        if (unit != dates_.end()) {
          unit->second = std::max(unit->second, column.element.logical.unit);
        }
      } else {
        without.try_emplace(column.name, &input);
      }
    }
  }
  for (auto date = dates_.begin(); date != dates_.end();) {
    const auto not_dated = without.find(date->first);
    if (not_dated == without.end()) {
      ++date;
      continue;
    }
    notes_.push_back(date->first + " stays as it is counted: not every row of " +
                     not_dated->second->file->name() + " has a date");
    date = dates_.erase(date);
  }
}

SchemaElement MergedColumns::shown(const MergeInput& input, const Column& column) const {
  SchemaElement element = column.element;
  if (const auto unit = dates_.find(column.name);
      unit != dates_.end() && is_time_of(input, column.name) && input.time.makes_dates) {
    element.type = mpq::Type::kInt64;
    element.type_length = 0;
    element.logical = timestamp_of(unit->second).logical;
  } else if (in_units_.count(column.name) != 0 && is_convertible(column)) {
    element.type = mpq::Type::kDouble;
    element.type_length = 0;
    element.logical = {};
  }
  return element;
}

void MergedColumns::add(const MergeInput& input, const Column& column) {
  const std::string name = new_name(column.name);
  if (name.empty()) {
    return;
  }
  const SchemaElement element = shown(input, column);
  const auto [place, is_new] = places_.try_emplace(name, columns_.size());
  if (is_new) {
    MergedColumn& added = columns_.emplace_back();
    added.name = name;
    added.element = element;
  }
  MergedColumn& merged = columns_[place->second];
  const SchemaElement joined = joined_type(merged.element, element);
  merged.changes = merged.changes || type_text(joined) != type_text(column.element) ||
                   type_text(joined) != type_text(merged.element) || joined.type != merged.element.type;
  std::vector<std::string>& types = types_[name];
  if (std::find(types.begin(), types.end(), type_text(element)) == types.end()) {
    types.push_back(type_text(element));
  }
  merged.element = joined;
  merged.optional = merged.optional || column.element.max_definition_level != 0;
  if (const auto unit = dates_.find(column.name); unit != dates_.end()) {
    merged.dates = unit->second;
  }
  merged.physical = in_units_.count(column.name) != 0;
  ++files_[name];
}

void MergedColumns::note_types(const MergedColumn& column) {
  const std::vector<std::string>& types = types_.at(column.name);
  if (types.size() < 2) {
    return;
  }
  std::string list;
  for (const std::string& type : types) {
    list += (list.empty() ? "" : type == types.back() ? " and " : ", ") + type;
  }
  notes_.push_back(column.name + " becomes " + type_text(column.element) + ": it is " + list);
}

const MergedColumn* MergedColumns::find(std::string_view name) const {
  const auto place = places_.find(name);
  return place == places_.end() ? nullptr : &columns_[place->second];
}

bool MergedColumns::stay() const {
  return std::none_of(columns_.begin(), columns_.end(),
                      [](const MergedColumn& column) { return column.changes; });
}

std::vector<std::optional<ColumnSource>> MergedColumns::sources_in(const MergeInput& input) const {
  std::vector<std::optional<ColumnSource>> sources(columns_.size());
  for (std::size_t i = 0; i < input.schema->columns.size(); ++i) {
    const Column& column = input.schema->columns[i];
    const auto found = places_.find(new_name(column.name));
    if (found == places_.end()) {
      continue;
    }
    const std::size_t place = found->second;
    const MergedColumn& merged = columns_[place];
    const std::string where = input.file->name() + ": column " + column.name;
    ColumnSource source;
    source.number = i;
    if (merged.dates && is_time_of(input, column.name) && input.time.makes_dates) {
      source.conversion = converted_time(input.time, merged.element.logical.unit, where);
    } else if (merged.physical && is_convertible(column)) {
      source.conversion = one_after_another(converted_unit(Channel(column, input.facts)),
                                            converted_type(double_element(), merged.element, where));
    } else {
      source.conversion = converted_type(column.element, merged.element, where);
    }
    sources[place] = std::move(source);
  }
  return sources;
}

}  // namespace mpq_tool
