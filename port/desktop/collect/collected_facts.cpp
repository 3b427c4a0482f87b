#include "collected_facts.h"

#include <algorithm>
#include <charconv>

#include "input_file.h"
#include "log_timing.h"
#include "microparquet/facts.h"
#include "open_file.h"
#include "parquet_file.h"
#include "timing_text.h"
#include "type_text.h"

namespace mpq_tool {

namespace {

namespace keys = microparquet::facts;
namespace rec = microparquet::recovery;

using Pairs = std::vector<rec::TextPair>;

// Of the first of `names` that there is.
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
  const std::string text = fact_of(pairs, {key});
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && rest == end ? number : 0;
}

// Of a time since 1970.
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

void take_timing(const std::string& path, Collected& file) {
  const InputFile input(path);
  ParquetFile parquet(input);
  parquet.visit_schema([&](const microparquet::SchemaElement& element) {
    if (element.depth == 1) {
      const bool flat = element.leaf && element.max_repetition_level == 0;
      file.columns.push_back({std::string(element.name), flat ? type_text(element) : kNestedType});
    }
  });
  if (const auto timing = read_timing(parquet, "")) {
    file.times = times_of(*timing);
  }
}

}  // namespace mpq_tool
