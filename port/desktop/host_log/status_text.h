// The last sample in one line, for the terminal.
#pragma once

#include <cstdint>
#include <string>

#include "sample.h"

namespace host_log {

std::string status_text(const Sample& sample, std::uint64_t rows);

}  // namespace host_log
