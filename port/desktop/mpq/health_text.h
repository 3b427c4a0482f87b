// How well a device's logging went, by the key-value of microparquet/log_health.h.
#pragma once

#include <string>
#include <string_view>

namespace mpq_tool {

// "longest append 250 ms at 4,567.890 s, longest tick 12 ms at 60.000 s, up to 31 rows waited, 2 errors of the medium, ..."; what is
// nothing is left out. Empty: the value is none of that key.
std::string health_text(std::string_view value);

}  // namespace mpq_tool
