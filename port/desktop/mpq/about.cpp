#include "about.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "microparquet/facts.h"

namespace mpq_tool {

namespace {

namespace known = microparquet::facts;

struct NamedFact {
  std::string_view key;
  const char* name;
};
constexpr std::array<NamedFact, 4> kOrigin = {{{known::kDevice, "device"},
                                               {known::kFirmware, "firmware"},
                                               {known::kSession, "session"},
                                               {known::kSplit, "split"}}};

}  // namespace

std::string about_text(const std::vector<std::pair<std::string, std::string>>& key_values) {
  std::string text;
  for (const NamedFact& fact : kOrigin) {
    const auto found = std::find_if(key_values.begin(), key_values.end(),
                                    [&](const auto& pair) { return pair.first == fact.key; });
    if (found != key_values.end()) {
      text += (text.empty() ? "" : ", ") + std::string(fact.name) + " " + found->second;
    }
  }
  return text;
}

}  // namespace mpq_tool
