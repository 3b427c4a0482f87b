#include "progress.h"

#include <unistd.h>
#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "microparquet/text/grouped_digits.h"

namespace csv_log {

Progress::Progress(std::uint64_t total_bytes)
    : terminal_(isatty(STDERR_FILENO) != 0), total_bytes_(total_bytes) {}

void Progress::show(std::uint64_t rows, std::uint64_t bytes_read) {
  if (!terminal_) {
    return;
  }
  const Clock::time_point now = Clock::now();
  if (now < next_) {
    return;
  }
  next_ = now + std::chrono::milliseconds(100);
  shown_ = true;
  const std::string count = microparquet::text::grouped_digits(rows);
  if (total_bytes_ != 0) {
    const std::uint64_t percent = std::min<std::uint64_t>(bytes_read * 100 / total_bytes_, 100);
    std::fprintf(stderr, "\r%3" PRIu64 " %%  %s rows\x1b[K", percent, count.c_str());
  } else {
    std::fprintf(stderr, "\r%s rows\x1b[K", count.c_str());
  }
}

void Progress::clear() {
  if (shown_) {
    std::fputs("\r\x1b[K", stderr);
    shown_ = false;
  }
}

}  // namespace csv_log
