#include "file_facts.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "calendar.h"
#include "microparquet/facts.h"
#include "microparquet/text/grouped_digits.h"

namespace mpq_tool {

namespace {

namespace keys = microparquet::facts;

// The column that a key such as "unit.NAME" speaks of; empty: it is another key.
std::string_view column_of(std::string_view key, std::string_view prefix) {
  return key.substr(0, prefix.size()) == prefix ? key.substr(prefix.size()) : std::string_view();
}

// Adds the number that `text` is to those of columns.
void add_number(std::string_view column, std::string_view text, std::map<std::string, double>& numbers) {
  double number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (error == std::errc() && end == last && std::isfinite(number) && number != 0) {
    numbers.emplace(column, number);
  }
}

std::string scale_text(double scale) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, scale).ptr};
}

}  // namespace

std::string Facts::unit_text(const std::string& column) const {
  const auto unit = units.find(column);
  const auto scale = scales.find(column);
  std::string text = scale == scales.end() ? "" : "x " + scale_text(scale->second);
  if (const auto offset = offsets.find(column); offset != offsets.end()) {
    text += (text.empty() ? "" : " ") + std::string(offset->second < 0 ? "- " : "+ ") +
            scale_text(std::abs(offset->second));
  }
  if (unit != units.end()) {
    text += (text.empty() ? "" : " ") + unit->second;
  }
  return text;
}

namespace {

// Adds what a key-value says.
void add_fact(std::string_view key, const std::string& value, Facts& facts) {
  if (const auto column = column_of(key, keys::kUnitOf); !column.empty()) {
    facts.units.emplace(column, value);
  } else if (const auto scaled = column_of(key, keys::kScaleOf); !scaled.empty()) {
    add_number(scaled, value, facts.scales);
  } else if (const auto moved = column_of(key, keys::kOffsetOf); !moved.empty()) {
    add_number(moved, value, facts.offsets);
  } else if (const auto array = column_of(key, keys::kStepOf); !array.empty()) {
    facts.steps.emplace(array, value);
  } else if (key == keys::kStartedAt) {
    const auto start = timestamp_value(value, microparquet::TimeUnit::kNanos);
    if (start && start->has_zone) {
      facts.started_at = start->units;
    }
  } else {
    facts.clocks.add(key, value);
  }
}

}  // namespace

Facts read_facts(ParquetFile& file) {
  Facts facts;
  file.visit_key_values(
      [&](const microparquet::KeyValue& pair) { add_fact(pair.key, std::string(pair.value), facts); });
  return facts;
}

Facts facts_in(const std::vector<std::pair<std::string, std::string>>& key_values) {
  Facts facts;
  for (const auto& [key, value] : key_values) {
    add_fact(key, value, facts);
  }
  return facts;
}

namespace {

// The other one is that of files from before it had a name.
constexpr std::string_view kKeys[] = {microparquet::facts::kRowsDropped, "rows_refused"};

}  // namespace

std::uint64_t dropped_rows(ParquetFile& file) {
  std::uint64_t rows = 0;
  file.visit_key_values([&](const microparquet::KeyValue& pair) {
    for (const std::string_view key : kKeys) {
      rows += pair.key == key ? microparquet::text::whole_number(pair.value).value_or(0) : 0;
    }
  });
  return rows;
}

}  // namespace mpq_tool
