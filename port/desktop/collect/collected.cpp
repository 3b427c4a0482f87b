#include "collected.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "input_file.h"
#include "log_timing.h"
#include "microparquet/facts.h"
#include "microparquet/text/grouped_digits.h"
#include "open_file.h"
#include "parquet_file.h"
#include "read_failure.h"
#include "time_choice.h"
#include "type_text.h"
#include "value_text.h"

namespace mpq_tool {

namespace {

using FactsJson = nlohmann::ordered_json;

// Texts of files may be no UTF-8.
FactsJson text_fact(const std::string& text) { return FactsJson::parse(json_string(text)); }

template <typename T>
FactsJson optional_fact(const std::optional<T>& value) {
  return value ? FactsJson(*value) : FactsJson();
}

template <typename T>
void take(const FactsJson& json, const char* key, T& value) {
  json.at(key).get_to(value);
}

template <typename T>
void take(const FactsJson& json, const char* key, std::optional<T>& value) {
  if (const FactsJson& found = json.at(key); !found.is_null()) {
    value = found.get<T>();
  }
}

FactsJson times_fact(const CollectedTimes& times) {
  FactsJson json;
  json["first_us"] = optional_fact(times.first_us);
  json["last_us"] = optional_fact(times.last_us);
  json["seconds"] = times.seconds;
  json["rate_hz"] = optional_fact(times.rate_hz);
  json["gaps"] = optional_fact(times.gaps);
  json["missing"] = optional_fact(times.missing);
  json["longest_gap"] = optional_fact(times.longest_gap);
  return json;
}

CollectedTimes times_from(const FactsJson& json) {
  CollectedTimes times;
  take(json, "first_us", times.first_us);
  take(json, "last_us", times.last_us);
  take(json, "seconds", times.seconds);
  take(json, "rate_hz", times.rate_hz);
  take(json, "gaps", times.gaps);
  take(json, "missing", times.missing);
  take(json, "longest_gap", times.longest_gap);
  return times;
}

FactsJson columns_fact(const std::vector<CollectedColumn>& columns) {
  FactsJson json = FactsJson::array();
  for (const CollectedColumn& column : columns) {
    json.push_back({text_fact(column.name), column.type});
  }
  return json;
}

FactsJson marks_fact(const std::vector<RowsMark>& marks) {
  FactsJson json = FactsJson::array();
  for (const RowsMark& mark : marks) {
    json.push_back({mark.rows, mark.sum});
  }
  return json;
}

}  // namespace

std::string to_text(const Collected& file) {
  FactsJson json;
  json["device"] = text_fact(file.device);
  json["firmware"] = text_fact(file.firmware);
  json["session"] = text_fact(file.session);
  json["split"] = text_fact(file.split);
  json["started_at"] = text_fact(file.started_at);
  json["file_id"] = file.file_id;
  json["rows"] = file.rows;
  json["recovered"] = file.recovered;
  json["lost"] = file.lost;
  json["first_lost"] = optional_fact(file.first_lost);
  json["dropped"] = file.dropped;
  json["times"] = file.times ? times_fact(*file.times) : FactsJson();
  json["columns"] = columns_fact(file.columns);
  json["source"] = text_fact(file.source);
  json["in_image"] = text_fact(file.in_image);
  json["source_bytes"] = file.source_bytes;
  json["source_sum"] = file.source_sum;
  json["marks"] = marks_fact(file.marks);
  return json.dump();
}

std::optional<Collected> collected_from(const std::string& text) {
  try {
    const FactsJson json = FactsJson::parse(text);
    Collected file;
    take(json, "device", file.device);
    take(json, "firmware", file.firmware);
    take(json, "session", file.session);
    take(json, "split", file.split);
    take(json, "started_at", file.started_at);
    take(json, "file_id", file.file_id);
    take(json, "rows", file.rows);
    take(json, "recovered", file.recovered);
    take(json, "lost", file.lost);
    take(json, "first_lost", file.first_lost);
    take(json, "dropped", file.dropped);
    if (!json.at("times").is_null()) {
      file.times = times_from(json.at("times"));
    }
    for (const FactsJson& column : json.at("columns")) {
      file.columns.push_back({column.at(0).get<std::string>(), column.at(1).get<std::string>()});
    }
    take(json, "source", file.source);
    take(json, "in_image", file.in_image);
    take(json, "source_bytes", file.source_bytes);
    take(json, "source_sum", file.source_sum);
    for (const FactsJson& mark : json.at("marks")) {
      file.marks.push_back({mark.at(0).get<std::uint64_t>(), mark.at(1).get<std::uint32_t>()});
    }
    return file;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

namespace {

namespace keys = microparquet::facts;
namespace rec = microparquet::recovery;

using Pairs = std::vector<rec::TextPair>;

// The value of the first of `names` that is there.
std::string fact_of(const Pairs& pairs, std::initializer_list<std::string_view> names) {
  for (const std::string_view key : names) {
    const auto found = std::find_if(pairs.begin(), pairs.end(),
                                    [key](const rec::TextPair& pair) { return pair.first == key; });
    if (found != pairs.end()) {
      return found->second;
    }
  }
  return {};
}

std::uint64_t count_in(const Pairs& pairs, std::string_view key) {
  return microparquet::text::whole_number(fact_of(pairs, {key})).value_or(0);
}

// Microseconds of a time since 1970.
std::int64_t microseconds(std::int64_t units, std::int64_t units_per_second) {
  constexpr std::int64_t kMicrosOfSecond = 1'000'000;
  return units_per_second > kMicrosOfSecond ? units / (units_per_second / kMicrosOfSecond)
                                            : units * (kMicrosOfSecond / units_per_second);
}

CollectedTimes times_of(const LogTiming& timing) {
  CollectedTimes times;
  const auto per_second = static_cast<double>(timing.time.units_per_second);
  const auto first = since_1970(timing.time, timing.first);
  const auto last = since_1970(timing.time, timing.last);
  if (first && last) {
    times.first_us = microseconds(*first, timing.time.units_per_second);
    times.last_us = microseconds(*last, timing.time.units_per_second);
  }
  times.seconds = span_seconds(timing);
  if (timing.regular) {
    times.rate_hz = per_second / static_cast<double>(timing.interval);
    times.gaps = timing.gaps;
    times.missing = timing.missing;
    times.longest_gap = static_cast<double>(timing.longest_gap) / per_second;
  }
  return times;
}

}  // namespace

void take_key_values(const Pairs& pairs, Collected& file) {
  file.device = fact_of(pairs, {keys::kDevice, "device"});
  file.firmware = fact_of(pairs, {keys::kFirmware, "firmware"});
  file.session = fact_of(pairs, {keys::kSession});
  file.split = fact_of(pairs, {keys::kSplit});
  file.started_at = fact_of(pairs, {keys::kStartedAt});
  file.dropped = count_in(pairs, keys::kRowsDropped) + count_in(pairs, "rows_refused") +
                 count_in(pairs, keys::kRowsLost);
}

std::uint64_t recovered_rows(rec::View& view, const rec::Found& found, std::uint64_t rows) {
  rec::OpenFile file;
  view.set_end({});
  if (found.footer_end != view.bytes() || file.open(view) != microparquet::Status::kOk) {
    return rows;  // no program could have read any
  }
  return rows - std::min(rows, file.reader().rows());
}

void take_timing(const std::string& path, const Pairs& key_values, const TimeRequest& request,
                 Collected& file) {
  const InputFile input(path);
  ParquetFile parquet(input);
  parquet.visit_schema([&](const microparquet::SchemaElement& element) {
    if (element.depth == 1) {
      const bool flat = element.leaf && element.max_repetition_level == 0;
      file.columns.push_back({std::string(element.name), flat ? type_text(element) : kNestedType});
    }
  });
  const Facts facts = facts_in(key_values);
  std::optional<TimeColumn> time;
  try {
    time = find_time_column(parquet, request, facts);
  } catch (const WrongRequest&) {
    time = find_time_column(parquet, TimeRequest(), facts);
  }
  if (const auto timing = time ? read_timing(parquet, *time, {}) : std::nullopt) {
    file.times = times_of(*timing);
  }
}

}  // namespace mpq_tool
