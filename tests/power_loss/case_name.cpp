// The names of cases; see trial.h.
#include <charconv>

#include "trial.h"

namespace power_loss {
namespace {

constexpr char kFaults[] = {'-', 'e', 'E', 'm', 'l', 'c'};
constexpr const char* kGroundNames[] = {"", "+other", "+same"};

std::string to_string(const Stage& stage) {
  std::string text;
  if (stage.fault.kind != CardFault::Kind::kNone) {
    text += kFaults[static_cast<unsigned>(stage.fault.kind)] + std::to_string(stage.fault.nth) + ",";
  }
  text += static_cast<char>(stage.cut.loss) + std::to_string(stage.cut.event);
  if (stage.cut.tear != kWhole) text += "." + std::to_string(stage.cut.tear);
  if (stage.cut.seed != 0) text += "~" + std::to_string(stage.cut.seed);
  return text;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  bool at_end() const { return text_.empty(); }
  bool take(char c) {
    if (at_end() || text_[0] != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  // One of the characters of `set`; `which` is its place there.
  bool take_one(std::string_view set, unsigned& which) {
    const std::size_t place = at_end() ? set.npos : set.find(text_[0]);
    if (place == set.npos) return false;
    which = static_cast<unsigned>(place);
    text_.remove_prefix(1);
    return true;
  }
  bool take(std::string_view word) {
    if (text_.substr(0, word.size()) != word) return false;
    text_.remove_prefix(word.size());
    return true;
  }
  template <typename Number>
  bool number(Number& value) {
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    return error == std::errc();
  }

  bool stage(Stage& stage) {
    constexpr std::string_view kLosses = "srwo";
    unsigned which = 0;
    if (take_one(std::string_view(kFaults, sizeof kFaults), which)) {
      stage.fault.kind = static_cast<CardFault::Kind>(which);
      if (!number(stage.fault.nth) || !take(',')) return false;
    }
    if (!take_one(kLosses, which) || !number(stage.cut.event)) return false;
    stage.cut.loss = static_cast<Loss>(kLosses[which]);
    if (take('.') && !number(stage.cut.tear)) return false;
    return !take('~') || number(stage.cut.seed);
  }

 private:
  std::string_view text_;
};

}  // namespace

std::string to_string(const Case& item) {
  std::string text = scenarios()[item.scenario].name + kGroundNames[static_cast<unsigned>(item.ground)];
  for (const Stage& stage : item.stages) text += ":" + to_string(stage);
  if (item.flipped_bit) text += "^" + std::to_string(*item.flipped_bit);
  return text;
}

std::optional<Case> parse_case(const std::string& text) {
  const std::size_t name = text.find_first_of("+:");
  Case item;
  const auto& all = scenarios();
  while (item.scenario < all.size() && all[item.scenario].name != text.substr(0, name)) ++item.scenario;
  if (item.scenario == all.size() || name == text.npos) return {};
  Parser parser(std::string_view(text).substr(name));
  if (parser.take(kGroundNames[1])) item.ground = Ground::kOther;
  if (parser.take(kGroundNames[2])) item.ground = Ground::kSame;
  while (parser.take(':')) {
    Stage stage;
    if (!parser.stage(stage)) return {};
    item.stages.push_back(stage);
  }
  if (parser.take('^') && !parser.number(item.flipped_bit.emplace())) return {};
  return parser.at_end() && !item.stages.empty() && item.stages.size() < kLives ? std::optional(item)
                                                                                : std::nullopt;
}

}  // namespace power_loss
