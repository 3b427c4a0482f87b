// The words of a condition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "condition.h"

namespace mpq_tool {

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

}  // namespace mpq_tool
