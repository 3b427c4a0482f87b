// Why recovery or checking cannot continue.
#pragma once

#include <stdexcept>

namespace microparquet::recovery {

// Its text is a message for the user.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace microparquet::recovery
