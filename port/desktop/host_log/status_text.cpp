#include "status_text.h"

#include <array>
#include <cstdio>

#include "microparquet/text/grouped_digits.h"

namespace host_log {

std::string status_text(const Sample& sample, std::uint64_t rows) {
  constexpr double kBytesPerMegabyte = 1e6;
  std::array<char, 160> text = {};
  std::snprintf(text.data(), text.size(), "%s rows   CPU %5.1f %%   memory %.0f MB   load %.2f",
                microparquet::text::grouped_digits(rows).c_str(), static_cast<double>(sample.cpu_percent),
                static_cast<double>(sample.memory_used_bytes) / kBytesPerMegabyte,
                static_cast<double>(sample.load_1min));
  std::string line = text.data();
  if (sample.temperature_c) {
    std::snprintf(text.data(), text.size(), "   %.1f C", static_cast<double>(*sample.temperature_c));
    line += text.data();
  }
  return line + "   Ctrl-C ends";
}

}  // namespace host_log
