// Why the program ends early.
#pragma once

#include <stdexcept>

namespace mpq_tool {

// Its text is a message for the user: which file or column, and what to do.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The user asks for what there cannot be, however often it is tried.
class WrongRequest : public Failure {
 public:
  using Failure::Failure;
};

}  // namespace mpq_tool
