#include "merged_key_values.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "microparquet/facts.h"
#include "microparquet/text/grouped_digits.h"
#include "value_text.h"

namespace mpq_tool {

namespace {

namespace keys = microparquet::facts;
namespace rec = microparquet::recovery;
using MergedJson = nlohmann::ordered_json;

constexpr std::string_view kSummed[] = {keys::kRowsDropped, "rows_refused", keys::kRowsLost,
                                        "csv_log.bad_lines", "csv_log.bad_cells"};
constexpr std::string_view kArrowTypes =
    "ARROW:schema";  // Arrow types of the columns, as they are in the file

// The column that a key speaks of; empty: it speaks of the file.
std::string_view column_in(std::string_view key) {
  for (const std::string_view prefix : {keys::kUnitOf, keys::kScaleOf, keys::kOffsetOf}) {
    if (key.size() > prefix.size() && key.substr(0, prefix.size()) == prefix) {
      return key.substr(prefix.size());
    }
  }
  return {};
}

bool is_unit(std::string_view key) { return key.substr(0, keys::kUnitOf.size()) == keys::kUnitOf; }

bool is_summed(std::string_view key) {
  return std::find(std::begin(kSummed), std::end(kSummed), key) != std::end(kSummed);
}

const std::string* value_of(const MergeInput& input, std::string_view key) {
  const auto found = std::find_if(input.key_values.begin(), input.key_values.end(),
                                  [key](const rec::TextPair& pair) { return pair.first == key; });
  return found == input.key_values.end() ? nullptr : &found->second;
}

bool has_column(const MergeInput& input, std::string_view name) {
  const std::vector<Column>& columns = input.schema->columns;
  return std::any_of(columns.begin(), columns.end(),
                     [name](const Column& column) { return column.name == name; });
}

// The sum of counts; none: one of them is no number.
std::optional<std::string> sum_of(const std::vector<MergeInput>& inputs, std::string_view key) {
  std::uint64_t sum = 0;
  for (const MergeInput& input : inputs) {
    const std::string* const text = value_of(input, key);
    const auto number =
        text != nullptr ? microparquet::text::whole_number(*text) : std::optional<std::uint64_t>(0);
    if (!number || __builtin_add_overflow(sum, *number, &sum)) {
      return std::nullopt;
    }
  }
  return std::to_string(sum);
}

// The value that all files have that it speaks of; none: they differ.
std::optional<std::string> common_value(const std::vector<MergeInput>& inputs, const std::string& key) {
  const auto is_column = [&](std::string_view name) {
    return std::any_of(inputs.begin(), inputs.end(),
                       [name](const MergeInput& input) { return has_column(input, name); });
  };
  const std::string_view column = is_column(column_in(key)) ? column_in(key) : std::string_view();
  const std::string* common = nullptr;
  for (const MergeInput& input : inputs) {
    if (!column.empty() && !has_column(input, column)) {
      continue;
    }
    const std::string* const value = value_of(input, key);
    if (value == nullptr && is_unit(key)) {
      continue;  // it has not said otherwise
    }
    if (value == nullptr || (common != nullptr && *value != *common)) {
      return std::nullopt;
    }
    common = value;
  }
  return common != nullptr ? std::optional(*common) : std::nullopt;
}

// Whether the values that a key speaks of are no longer those that it means.
bool is_outdated(const std::string& key, const MergedColumns& columns) {
  const MergedColumn* const column = columns.find(column_in(key));
  return column != nullptr && (column->dates || (column->physical && !is_unit(key)));
}

// Anchors of clocks that still count ticks.
void add_clocks(const std::vector<MergeInput>& inputs, const std::vector<std::uint64_t>& rows,
                std::vector<rec::TextPair>& pairs) {
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < inputs.size(); before += rows[i++]) {
    for (const auto& [key, value] : inputs[i].key_values) {
      if (auto moved = moved_clock(key, value, before)) {
        pairs.emplace_back(std::move(moved->first), std::move(moved->second));
      }
    }
  }
}

bool makes_dates(const MergedColumns& columns) {
  const auto& all = columns.all();
  return std::any_of(all.begin(), all.end(), [](const MergedColumn& column) { return column.dates; });
}

MergedJson merged_text(const std::string& text) { return MergedJson::parse(json_string(text)); }

// What an earlier merge has said of its files; empty: nothing.
MergedJson earlier_files(const MergeInput& input) {
  const std::string* const text = value_of(input, kMergedKey);
  const MergedJson json = text != nullptr ? MergedJson::parse(*text, nullptr, false) : MergedJson();
  return json.is_object() && json.contains("files") && json["files"].is_array() ? json["files"]
                                                                                : MergedJson::array();
}

}  // namespace

MergedKeyValues merged_key_values(const std::vector<MergeInput>& inputs,
                                  const std::vector<std::uint64_t>& rows, const MergedColumns* columns) {
  MergedKeyValues merged;
  const bool stay = columns == nullptr || columns->stay();
  std::map<std::string, bool> seen;  // whether its values differ
  for (const MergeInput& input : inputs) {
    for (const auto& [key, value] : input.key_values) {
      const bool is_ours =
          key == kMergedKey || key == kCollectedKey || key.compare(0, keys::kClock.size(), keys::kClock) == 0;
      if (is_ours || !seen.try_emplace(key, false).second ||
          (columns != nullptr && is_outdated(key, *columns))) {
        continue;
      }
      const auto common = is_summed(key) ? sum_of(inputs, key) : common_value(inputs, key);
      if (key == kArrowTypes) {
        if (stay && common) {
          merged.pairs.emplace_back(key, *common);
        }
      } else if (common) {
        merged.pairs.emplace_back(key, *common);
      } else {
        seen[key] = true;
        merged.different.push_back(key);
      }
    }
  }
  if (columns == nullptr || !makes_dates(*columns)) {
    add_clocks(inputs, rows, merged.pairs);
  }
  MergedJson files = MergedJson::array();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    MergedJson file;
    file["name"] = merged_text(inputs[i].file->name());
    file["rows"] = rows[i];
    for (const auto& [key, value] : inputs[i].key_values) {
      const auto found = seen.find(key);
      if (found != seen.end() && found->second) {
        file["key_values"][merged_text(key).get<std::string>()] = merged_text(value);
      }
    }
    if (MergedJson earlier = earlier_files(inputs[i]); !earlier.empty()) {
      file["files"] = std::move(earlier);
    }
    files.push_back(std::move(file));
  }
  MergedJson about;
  about["files"] = std::move(files);
  merged.pairs.emplace_back(kMergedKey, about.dump());
  return merged;
}

}  // namespace mpq_tool
