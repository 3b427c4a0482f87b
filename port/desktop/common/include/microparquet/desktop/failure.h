// Why a program ends early.
#pragma once

#include <stdexcept>

namespace microparquet::desktop {

// Its text is a message for the user: which file, line or column, and what to do.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace microparquet::desktop
