#include "where_words.h"

#include <algorithm>
#include <array>

#include "output.h"
#include "wrong_request.h"

namespace mpq_tool {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool continues_name(char c) { return begins_name(c) || is_digit(c) || c == '.'; }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

constexpr std::array<std::string_view, 12> kSigns = {"<=", ">=", "<>", "!=", "==", "<",
                                                     ">",  "=",  "(",  ")",  ",",  "-"};

}  // namespace

WrongWord::WrongWord(const std::string& text, const Word& word, const std::string& message)
    : WrongRequest("--where: " + message) {
  const std::string_view condition = text;
  const std::size_t marks = std::max<std::size_t>(width_of(condition.substr(word.begin, word.bytes)), 1);
  text_ = "  " + text;
  marks_ = "  " + std::string(width_of(condition.substr(0, word.begin)), ' ') + std::string(marks, '^');
}

void refuse_word(const std::string& text, const Word& word, const std::string& message) {
  throw WrongWord(text, word, message);
}

bool WhereWords::is(std::string_view keyword) const {
  const std::string& word = token_.word.text;
  return token_.kind == WordKind::kName && word.size() == keyword.size() &&
         std::equal(word.begin(), word.end(), keyword.begin(), [](char a, char b) { return lower(a) == b; });
}

bool WhereWords::is_sign(std::string_view sign) const {
  return token_.kind == WordKind::kSign && token_.word.text == sign;
}

void WhereWords::take(WordKind kind, std::size_t bytes) {
  token_ = {kind, {text_.substr(at_, bytes), at_, bytes}};
  at_ += bytes;
}

// What stands between quotes, of which one within is written twice. `before`: bytes before the first quote.
void WhereWords::take_quoted(WordKind kind, std::size_t before) {
  const char quote = text_[at_ + before];
  std::string inside;
  for (std::size_t end = at_ + before + 1; end < text_.size(); ++end) {
    if (text_[end] != quote) {
      inside += text_[end];
    } else if (end + 1 < text_.size() && text_[end + 1] == quote) {
      inside += text_[end++];
    } else {
      token_ = {kind, {inside, at_, end + 1 - at_}};
      at_ = end + 1;
      return;
    }
  }
  refuse_word(text_, {{}, at_, text_.size() - at_}, "this quote is not closed");
}

// Digits with at most one point, and an exponent.
std::size_t WhereWords::number_bytes() const {
  std::size_t end = at_;
  const auto pass_digits = [&] {
    while (end < text_.size() && is_digit(text_[end])) {
      ++end;
    }
  };
  pass_digits();
  if (end < text_.size() && text_[end] == '.') {
    ++end;
    pass_digits();
  }
  if (end < text_.size() && lower(text_[end]) == 'e') {
    std::size_t digit = end + 1;
    if (digit < text_.size() && (text_[digit] == '+' || text_[digit] == '-')) {
      ++digit;
    }
    if (digit < text_.size() && is_digit(text_[digit])) {
      end = digit;
      pass_digits();
    }
  }
  return end - at_;
}

void WhereWords::next() {
  while (at_ < text_.size() &&
         (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r')) {
    ++at_;
  }
  if (at_ == text_.size()) {
    token_ = {WordKind::kEnd, {{}, at_, 0}};
    return;
  }
  const char c = text_[at_];
  const char after = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
  if (c == '\'') {
    return take_quoted(WordKind::kText, 0);
  }
  if (c == '"') {
    return take_quoted(WordKind::kQuotedName, 0);
  }
  if (lower(c) == 'x' && after == '\'') {
    return take_quoted(WordKind::kHex, 1);
  }
  if (is_digit(c) || (c == '.' && is_digit(after))) {
    take(WordKind::kNumber, number_bytes());
    if (at_ < text_.size() && continues_name(text_[at_])) {
      refuse_word(text_, {{}, token_.word.begin, token_.word.bytes + 1},
                  "this is no number; put a column's name that begins so in \"double quotes\"");
    }
    return;
  }
  if (begins_name(c)) {
    const auto end =
        std::find_if_not(text_.begin() + static_cast<std::ptrdiff_t>(at_), text_.end(), continues_name);
    return take(WordKind::kName, static_cast<std::size_t>(end - text_.begin()) - at_);
  }
  for (const std::string_view sign : kSigns) {
    if (text_.compare(at_, sign.size(), sign) == 0) {
      return take(WordKind::kSign, sign.size());
    }
  }
  refuse_word(text_, {{}, at_, 1}, "this sign means nothing here");
}

}  // namespace mpq_tool
