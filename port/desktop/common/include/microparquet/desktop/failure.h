// Failures, which end a program early.
#pragma once

#include <stdexcept>

namespace microparquet::desktop {

// A failure whose text is a message for the user: which file, line or column, and what to do.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace microparquet::desktop
