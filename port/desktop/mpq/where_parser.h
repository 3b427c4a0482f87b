// The condition of --where: its words, and their meaning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "read_failure.h"

namespace mpq_tool {

// A part of the text.
struct Word {
  std::string text;       // meaning of the word, without quotes
  std::size_t begin = 0;  // offset in the text of the condition, in bytes
  std::size_t bytes = 0;  // there, with quotes
};

enum class WrittenKind : std::uint8_t { kNumber, kText, kHex, kTrue, kFalse, kNull };

struct WrittenValue {
  WrittenKind kind = WrittenKind::kNull;
  Word word;
};

enum class Test : std::uint8_t {
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kIsNull,
  kNotNull
};

// A tree. Inner nodes are kAnd, kOr of two and more, and kNot of one; leaves test a column: kCompare with one
// value, or with none for kIsNull and kNotNull, kIn and kNotIn with a list, kHolds that a boolean is true.
struct Condition {
  enum class Kind : std::uint8_t { kAnd, kOr, kNot, kCompare, kIn, kNotIn, kHolds };

  Kind kind = Kind::kAnd;
  std::vector<Condition> parts;
  Word column;
  Test test = Test::kEqual;
  std::vector<WrittenValue> values;
};

// A condition that cannot be: what() says why.
class WrongWord final : public WrongRequest {
 public:
  // `text` is the condition.
  WrongWord(const std::string& text, const Word& word, const std::string& message);

  // A line with the condition, and one below it with marks under the word.
  const std::string& text() const { return text_; }
  const std::string& marks() const { return marks_; }

 private:
  std::string text_;
  std::string marks_;
};

// Throws it.
[[noreturn]] void refuse_word(const std::string& text, const Word& word, const std::string& message);

// The words of a condition.
enum class WordKind : std::uint8_t { kName, kQuotedName, kNumber, kText, kHex, kSign, kEnd };

struct Token {
  WordKind kind = WordKind::kEnd;
  Word word;
};

// Splits a text into words from its beginning on. Throws WrongRequest at what is none.
class WhereWords {
 public:
  // `text` must stay.
  explicit WhereWords(const std::string& text) : text_(text) { next(); }

  const std::string& text() const { return text_; }
  // The word that is next; kEnd after the last one.
  const Token& token() const { return token_; }
  // Passes it.
  void next();
  // Whether it is this word of the language, in letters of any case.
  bool is(std::string_view keyword) const;
  // The same of a sign, such as "<=".
  bool is_sign(std::string_view sign) const;

 private:
  void take(WordKind kind, std::size_t bytes);
  void take_quoted(WordKind kind, std::size_t before);
  std::size_t number_bytes() const;

  const std::string& text_;
  std::size_t at_ = 0;
  Token token_;
};

// Takes a text apart:
//
//   condition   all_of { OR all_of }
//   all_of      negated { AND negated }
//   negated     NOT negated | "(" condition ")" | test
//   test        column, which holds true or false
//             | column ( "=" | "<>" | "<" | "<=" | ">" | ">=" ) value, or the value first
//             | column [NOT] IN "(" value { "," value } ")"
//             | column [NOT] BETWEEN value AND value
//             | column IS [NOT] NULL
//   column      name | "name in double quotes"
//   value       number | 'text' | x'hexadecimal' | TRUE | FALSE | NULL
//
// "!=" is "<>", "==" is "=". Words of the language may be written in letters of any case. Throws WrongRequest.
Condition parse_condition(const std::string& text);

}  // namespace mpq_tool
