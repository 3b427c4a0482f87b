// The answer of a program to --version.
#pragma once

#include <string>

#include "microparquet/version.h"

namespace microparquet::text {

// "PROGRAM 1.2.3".
inline std::string version_text(const std::string& program) {
  return program + " " + std::to_string(kVersionMajor) + "." + std::to_string(kVersionMinor) + "." +
         std::to_string(kVersionPatch);
}

}  // namespace microparquet::text
