#include "affixes.h"

#include <algorithm>
#include <iterator>

#include "cell.h"
#include "cell_class.h"

namespace csv_log {

namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kOfNumbers = "0123456789.,";

// Where the number begins: at its first digit, or a sign or point right before that.
std::size_t begin_of_number(std::string_view text) {
  std::size_t begin = std::min(text.find_first_of(kDigits), text.size());
  begin -= begin != 0 && text[begin - 1] == '.' ? 1U : 0U;
  begin -= begin != 0 && (text[begin - 1] == '-' || text[begin - 1] == '+') ? 1U : 0U;
  return begin;
}

// "e-05" of "1.5e-05 V".
std::size_t end_of_exponent(std::string_view text, std::size_t at) {
  std::size_t next = at + 1;
  if (at >= text.size() || (text[at] | 0x20) != 'e') {
    return at;
  }
  next += next < text.size() && (text[next] == '-' || text[next] == '+') ? 1U : 0U;
  const std::size_t end = std::min(text.find_first_not_of(kDigits, next), text.size());
  return end != next ? end : at;
}

bool is_currency(std::string_view text) {
  constexpr std::string_view kCurrencies[] = {"$", "\u20AC", "\u00A3", "\u00A5"};
  return std::find(std::begin(kCurrencies), std::end(kCurrencies), text) != std::end(kCurrencies);
}

bool is_label(std::string_view before) {
  const std::string_view text = trimmed(before);
  return is_currency(text) || (text.size() > 1 && (text.back() == ':' || text.back() == '='));
}

// N, S, E and W stand for a sign after degrees.
bool is_hemisphere(std::string_view text) {
  return text.size() == 1 && std::string_view("NSEWnsew").find(text.front()) != text.npos;
}

}  // namespace

std::optional<Affixes> affixes_of(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  const std::size_t begin = begin_of_number(text);
  const std::size_t end =
      end_of_exponent(text, std::min(text.find_first_not_of(kOfNumbers, begin + 1), text.size()));
  if (begin > kLongest || end - begin > kLongest || text.size() - std::min(end, text.size()) > kLongest ||
      begin >= text.size() || !may_be_number(text.substr(begin, end - begin))) {
    return std::nullopt;
  }
  Affixes found = {std::string(text.substr(0, begin)), std::string(text.substr(end))};
  const bool is_labelled = found.before.empty() || is_label(found.before);
  const std::string_view after = trimmed(found.after);
  const bool has_unit = after.empty() || is_currency(after) || (is_unit(after) && !is_hemisphere(after));
  return found.any() && is_labelled && has_unit ? std::optional(std::move(found)) : std::nullopt;
}

std::string_view without_affixes(std::string_view text, const Affixes& affixes) {
  const std::size_t bytes = affixes.before.size() + affixes.after.size();
  const bool has = text.size() > bytes && text.substr(0, affixes.before.size()) == affixes.before &&
                   text.substr(text.size() - affixes.after.size()) == affixes.after;
  return has ? text.substr(affixes.before.size(), text.size() - bytes) : text;
}

std::string_view name_of_label(std::string_view before) {
  std::string_view name = trimmed(before);
  if (!name.empty()) {
    name.remove_suffix(1);
  }
  return trimmed(name);
}

}  // namespace csv_log
