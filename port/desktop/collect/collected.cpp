#include "collected.h"

#include <nlohmann/json.hpp>

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

}  // namespace mpq_tool
