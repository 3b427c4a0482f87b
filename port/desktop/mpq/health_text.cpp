#include "health_text.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <vector>

#include "microparquet/text/grouped_digits.h"

namespace mpq_tool {

namespace {

using microparquet::text::grouped_digits;
using microparquet::text::whole_number;

// "name=word" in a text of such, between spaces.
std::optional<std::string_view> word_of(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    const bool is_it =
        part.size() > name.size() && part.substr(0, name.size()) == name && part[name.size()] == '=';
    if (is_it) {
      return part.substr(name.size() + 1);
    }
  }
  return std::nullopt;
}

// "longest append 250 ms at 4567.890 s", of "00250@0004567890"; empty: it took no time, or is no such word.
std::string call_text(const char* name, std::string_view word) {
  const std::size_t at = word.find('@');
  const auto took = whole_number(word.substr(0, at));
  const auto ended = at != word.npos ? whole_number(word.substr(at + 1)) : std::nullopt;
  if (!took || !ended || *took == 0) {
    return "";
  }
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.3f", static_cast<double>(*ended) / 1'000);
  return std::string("longest ") + name + " " + grouped_digits(*took) + " ms at " + seconds + " s";
}

struct HealthCount {
  const char* name;
  const char* before;
  const char* one;  // after the number
  const char* many;
};
constexpr HealthCount kHealthCounts[] = {
    {"queue", "up to ", " row waited", " rows waited"},
    {"errors", "", " error of the medium", " errors of the medium"},
    {"reconnects", "", " reconnect", " reconnects"},
    {"dropped", "", " row dropped by a full queue", " rows dropped by a full queue"},
    {"corrupted", "", " row lost in retained memory", " rows lost in retained memory"},
    {"free_mb", "", " MB free", " MB free"},
};

}  // namespace

std::string health_text(std::string_view value) {
  std::vector<std::string> parts;
  for (const char* const call : {"append", "tick"}) {
    parts.push_back(call_text(call, word_of(value, call).value_or("")));
  }
  for (const HealthCount& count : kHealthCounts) {
    const auto number = whole_number(word_of(value, count.name).value_or(""));
    const bool says = number && *number != 0;
    parts.push_back(says ? count.before + grouped_digits(*number) + (*number == 1 ? count.one : count.many)
                         : "");
  }
  // The reason is last, and may have spaces.
  const std::size_t reset = value.rfind("reset=");
  std::string_view reason = reset != value.npos ? value.substr(reset + 6) : std::string_view();
  while (!reason.empty() && reason.back() == ' ') {
    reason.remove_suffix(1);
  }
  parts.push_back(reason.empty() ? "" : "started by " + std::string(reason));
  std::string text;
  for (const std::string& part : parts) {
    text += text.empty() || part.empty() ? part : ", " + part;
  }
  const bool is_health = word_of(value, "append") && word_of(value, "errors");
  return !is_health ? "" : text.empty() ? "nothing happened" : text;
}

}  // namespace mpq_tool
