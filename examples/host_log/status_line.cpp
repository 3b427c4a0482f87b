#include "status_line.h"

#include <unistd.h>
#include <cstdio>

#include "microparquet/text/grouped_digits.h"

namespace host_log {

StatusLine::StatusLine() : terminal_(isatty(STDERR_FILENO) != 0) {}

void StatusLine::show(const Sample& sample, std::uint64_t rows) {
  constexpr double kBytesPerMegabyte = 1e6;
  const Clock::time_point now = Clock::now();
  if (!terminal_ || now < next_) {
    return;
  }
  next_ = now + std::chrono::milliseconds(200);
  shown_ = true;
  std::fprintf(stderr, "\r%s rows   CPU %5.1f %%   memory %.0f MB   load %.2f",
               microparquet::text::grouped_digits(rows).c_str(), static_cast<double>(sample.cpu_percent),
               static_cast<double>(sample.memory_used_bytes) / kBytesPerMegabyte,
               static_cast<double>(sample.load_1min));
  if (sample.temperature_c) {
    std::fprintf(stderr, "   %.1f C", static_cast<double>(*sample.temperature_c));
  }
  std::fputs("   Ctrl-C ends\x1b[K", stderr);
}

void StatusLine::clear() {
  if (shown_) {
    std::fputs("\r\x1b[K", stderr);
    shown_ = false;
  }
}

}  // namespace host_log
