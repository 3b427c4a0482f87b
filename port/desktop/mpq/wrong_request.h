// Why the program ends early.
#pragma once

#include "microparquet/desktop/failure.h"

namespace mpq_tool {

using microparquet::desktop::Failure;

// The user asks for what there cannot be, however often it is tried.
class WrongRequest : public Failure {
 public:
  using Failure::Failure;
};

}  // namespace mpq_tool
