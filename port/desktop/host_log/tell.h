// What host_log says of itself: on standard error, with its name.
#pragma once

#include <string>

#include "microparquet/text/printed_text.h"

namespace host_log {

inline void tell(const std::string& message) {
  microparquet::text::print_line(microparquet::text::To::kErrors, "host_log: " + message);
}

}  // namespace host_log
