// Takes text from the left, piece by piece.
#pragma once

#include <optional>
#include <string_view>

namespace csv_log {

struct Digits {
  int number = 0;
  int count = 0;
};

class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }
  bool next_is(char c) const { return !rest_.empty() && rest_.front() == c; }
  bool next_is_digit() const { return !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9'; }
  // A letter, or a byte of one that is not ASCII.
  bool next_is_letter() const {
    const auto c = rest_.empty() ? '\0' : static_cast<unsigned char>(rest_.front());
    return c >= 0x80 || static_cast<unsigned char>((c | 0x20) - 'a') < 26;
  }

  bool take(char c) {
    const bool is = next_is(c);
    rest_.remove_prefix(is ? 1 : 0);
    return is;
  }

  bool take_word(std::string_view word) {
    const bool is = rest_.substr(0, word.size()) == word;
    rest_.remove_prefix(is ? word.size() : 0);
    return is;
  }

  // All letters that follow.
  std::string_view take_letters() {
    const std::string_view before = rest_;
    while (next_is_letter()) {
      rest_.remove_prefix(1);
    }
    return before.substr(0, before.size() - rest_.size());
  }

  // Takes exactly `digits` decimal digits.
  std::optional<int> take_number(int digits) {
    const Digits taken = take_digits(digits);
    return taken.count == digits ? std::optional(taken.number) : std::nullopt;
  }

  // Takes all decimal digits that follow, up to `most`.
  Digits take_digits(int most) {
    Digits digits;
    for (; digits.count < most && next_is_digit(); ++digits.count) {
      digits.number = digits.number * 10 + take_digit();
    }
    return digits;
  }

  // Number of decimal digits that follow.
  std::size_t digits_ahead() const {
    const std::size_t end = rest_.find_first_not_of("0123456789");
    return end == rest_.npos ? rest_.size() : end;
  }

  // One of `characters`; 0: another comes next.
  char take_any(std::string_view characters) {
    const char c = rest_.empty() || characters.find(rest_.front()) == characters.npos ? '\0' : rest_.front();
    rest_.remove_prefix(c != '\0' ? 1 : 0);
    return c;
  }

  // Requires: next_is_digit().
  int take_digit() {
    const int digit = rest_.front() - '0';
    rest_.remove_prefix(1);
    return digit;
  }

 private:
  std::string_view rest_;
};

}  // namespace csv_log
