#include "where_parser.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "output.h"
#include "read_failure.h"

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

// Takes a word between quotes; a quote within it is written twice. `before`: bytes before the first quote.
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

namespace {

struct SignOfTest {
  std::string_view sign;
  Test test;
  Test turned;  // the test with its sides exchanged
};
constexpr std::array<SignOfTest, 8> kSignsOfTests = {{
    {"=", Test::kEqual, Test::kEqual},
    {"==", Test::kEqual, Test::kEqual},
    {"<>", Test::kNotEqual, Test::kNotEqual},
    {"!=", Test::kNotEqual, Test::kNotEqual},
    {"<", Test::kLess, Test::kGreater},
    {"<=", Test::kLessEqual, Test::kGreaterEqual},
    {">", Test::kGreater, Test::kLess},
    {">=", Test::kGreaterEqual, Test::kLessEqual},
}};

constexpr std::array<std::string_view, 10> kKeywords = {"and",  "or",   "not",   "in",      "is",
                                                        "null", "true", "false", "between", "like"};

class WhereParser {
 public:
  explicit WhereParser(const std::string& text) : words_(text) {}

  Condition parse() {
    Condition whole = condition();
    if (words_.token().kind != WordKind::kEnd) {
      refuse("expected AND, OR or the end here");
    }
    return whole;
  }

 private:
  static constexpr unsigned kMaxDepth = 200;  // depth of parentheses and NOT

  [[noreturn]] void refuse(const std::string& message) const {
    refuse_word(words_.text(), words_.token().word, message);
  }

  bool passes(std::string_view keyword) {
    const bool there = words_.is(keyword);
    if (there) {
      words_.next();
    }
    return there;
  }

  bool passes_sign(std::string_view sign) {
    const bool there = words_.is_sign(sign);
    if (there) {
      words_.next();
    }
    return there;
  }

  void expect_sign(std::string_view sign) {
    if (!passes_sign(sign)) {
      refuse("expected " + std::string(sign) + " here");
    }
  }

  // Parts with `keyword` between them; a single one is no list.
  template <typename Part>
  Condition list_of(Condition::Kind kind, std::string_view keyword, const Part& part) {
    Condition first = part();
    if (!words_.is(keyword)) {
      return first;
    }
    Condition list;
    list.kind = kind;
    list.parts.push_back(std::move(first));
    while (passes(keyword)) {
      list.parts.push_back(part());
    }
    return list;
  }

  Condition condition() {
    return list_of(Condition::Kind::kOr, "or",
                   [this] { return list_of(Condition::Kind::kAnd, "and", [this] { return negated(); }); });
  }

  Condition negated() {
    if (++depth_ > kMaxDepth) {
      refuse("this is nested deeper than 200 levels");
    }
    Condition result;
    if (passes("not")) {
      result.kind = Condition::Kind::kNot;
      result.parts.push_back(negated());
    } else if (passes_sign("(")) {
      result = condition();
      expect_sign(")");
    } else {
      result = test();
    }
    --depth_;
    return result;
  }

  const SignOfTest* sign_of_test() {
    const auto* const found =
        std::find_if(kSignsOfTests.begin(), kSignsOfTests.end(),
                     [&](const SignOfTest& candidate) { return words_.is_sign(candidate.sign); });
    if (found == kSignsOfTests.end()) {
      return nullptr;
    }
    words_.next();
    return found;
  }

  Condition test() {
    if (std::optional<WrittenValue> first = value_here()) {
      const SignOfTest* const sign = sign_of_test();
      if (sign == nullptr) {
        refuse("expected a comparison with a column here, such as = or <");
      }
      return comparison(column(), sign->turned, *std::move(first));
    }
    return test_of(column());
  }

  static Condition comparison(Word column, Test test, WrittenValue value) {
    Condition result;
    result.kind = Condition::Kind::kCompare;
    result.column = std::move(column);
    result.test = test;
    result.values.push_back(std::move(value));
    return result;
  }

  Condition test_of(Word column) {
    if (const SignOfTest* const sign = sign_of_test()) {
      return comparison(std::move(column), sign->test, value());
    }
    Condition result;
    result.column = std::move(column);
    if (passes("is")) {
      result.kind = Condition::Kind::kCompare;
      result.test = passes("not") ? Test::kNotNull : Test::kIsNull;
      if (!passes("null")) {
        refuse("expected NULL or NOT NULL here");
      }
      return result;
    }
    const bool negative = passes("not");
    if (passes("in")) {
      result.kind = negative ? Condition::Kind::kNotIn : Condition::Kind::kIn;
      expect_sign("(");
      do {
        result.values.push_back(value());
      } while (passes_sign(","));
      expect_sign(")");
      return result;
    }
    if (passes("between")) {
      return between(result.column, negative);
    }
    if (negative) {
      refuse("expected IN or BETWEEN here");
    }
    result.kind = Condition::Kind::kHolds;
    return result;
  }

  Condition between(const Word& column, bool negative) {
    WrittenValue lowest = value();
    if (!passes("and")) {
      refuse("expected AND and the second value of BETWEEN here");
    }
    Condition both;
    both.parts.push_back(comparison(column, Test::kGreaterEqual, std::move(lowest)));
    both.parts.push_back(comparison(column, Test::kLessEqual, value()));
    if (!negative) {
      return both;
    }
    Condition result;
    result.kind = Condition::Kind::kNot;
    result.parts.push_back(std::move(both));
    return result;
  }

  Word column() {
    const Token& token = words_.token();
    const bool keyword = std::any_of(kKeywords.begin(), kKeywords.end(),
                                     [&](std::string_view candidate) { return words_.is(candidate); });
    if ((token.kind != WordKind::kName && token.kind != WordKind::kQuotedName) || keyword) {
      refuse(token.kind == WordKind::kEnd
                 ? "expected a column's name here, at the end"
                 : "expected a column's name here" +
                       std::string(keyword ? "; put this one in \"double quotes\"" : ""));
    }
    Word word = token.word;
    words_.next();
    return word;
  }

  WrittenValue value() {
    std::optional<WrittenValue> found = value_here();
    if (!found) {
      refuse("expected a value here: a number, 'text' in single quotes, TRUE, FALSE or NULL");
    }
    return *std::move(found);
  }

  // None: what is next is no value.
  std::optional<WrittenValue> value_here() {
    WrittenValue result;
    result.word = words_.token().word;
    if (passes("true")) {
      result.kind = WrittenKind::kTrue;
    } else if (passes("false")) {
      result.kind = WrittenKind::kFalse;
    } else if (passes("null")) {
      result.kind = WrittenKind::kNull;
    } else if (passes_sign("-")) {
      const Word number = words_.token().word;
      if (words_.token().kind != WordKind::kNumber) {
        refuse("expected a number after the sign");
      }
      words_.next();
      result.kind = WrittenKind::kNumber;
      result.word.text += number.text;
      result.word.bytes = number.begin + number.bytes - result.word.begin;
    } else {
      switch (words_.token().kind) {
        case WordKind::kNumber: result.kind = WrittenKind::kNumber; break;
        case WordKind::kText: result.kind = WrittenKind::kText; break;
        case WordKind::kHex: result.kind = WrittenKind::kHex; break;
        default: return std::nullopt;
      }
      words_.next();
    }
    return result;
  }

  WhereWords words_;
  unsigned depth_ = 0;
};

}  // namespace

Condition parse_condition(const std::string& text) { return WhereParser(text).parse(); }

}  // namespace mpq_tool
