// What --where asks of a row, as it was written: names and values are only words yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "wrong_request.h"

namespace mpq_tool {

// A part of the text.
struct Word {
  std::string text;       // as it is meant: without quotes
  std::size_t begin = 0;  // in the text of the condition, in bytes
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

}  // namespace mpq_tool
