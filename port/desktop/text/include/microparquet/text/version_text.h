// The answer of a program to --version.
#pragma once

#include <string>

#include "microparquet/version.h"

namespace microparquet::text {

// "PROGRAM 1.2.3", or "PROGRAM 1.2.3-dev".
inline std::string version_text(const std::string& program) { return program + " " + kVersion; }

}  // namespace microparquet::text
