#include "cards/trace.h"

#include <algorithm>
#include <cinttypes>
#include <cstring>

namespace cards {

void TraceWriter::write(std::uint32_t sector, std::uint32_t count, Cause cause) {
  begin_line();
  std::fprintf(out_, "W %" PRIu32 " %" PRIu32 " %s\n", sector, count,
               kCauseNames[static_cast<std::size_t>(cause)]);
}

void TraceWriter::read(std::uint32_t sector, std::uint32_t count) {
  begin_line();
  std::fprintf(out_, "R %" PRIu32 " %" PRIu32 "\n", sector, count);
}

void TraceWriter::sync() {
  begin_line();
  std::fputs("S\n", out_);
}

void TraceWriter::begin_call(std::uint32_t ms) {
  call_ms_ = ms;
  is_in_call_ = false;
}

void TraceWriter::forget_call() {
  begin_line();
  std::fputs("N\n", out_);
}

void TraceWriter::publish() {
  begin_line();
  std::fputs("P\n", out_);
}

void TraceWriter::begin_line() {
  if (!is_in_call_) std::fprintf(out_, "C %" PRIu32 "\n", call_ms_);
  is_in_call_ = true;
}

namespace {

bool replay_write(const char* line, Commands& to) {
  std::uint32_t sector = 0;
  std::uint32_t count = 0;
  char word[16];
  if (std::sscanf(line, "W %" SCNu32 " %" SCNu32 " %15s", &sector, &count, word) != 3) return false;
  const auto found = std::find_if(kCauseNames.begin(), kCauseNames.end(),
                                  [&](const char* name) { return std::strcmp(name, word) == 0; });
  if (found == kCauseNames.end()) return false;
  to.write(sector, count, static_cast<Cause>(found - kCauseNames.begin()));
  return true;
}

bool replay_line(const char* line, Commands& to) {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  switch (line[0]) {
    case 'W': return replay_write(line, to);
    case 'S': to.sync(); return true;
    case 'N': to.forget_call(); return true;
    case 'P': to.publish(); return true;
    case 'C':
      if (std::sscanf(line, "C %" SCNu32, &first) != 1) return false;
      to.begin_call(first);
      return true;
    case 'R':
      if (std::sscanf(line, "R %" SCNu32 " %" SCNu32, &first, &count) != 2) return false;
      to.read(first, count);
      return true;
    default: return false;
  }
}

}  // namespace

std::size_t replay(std::FILE* in, Commands& to) {
  char line[80];
  for (std::size_t number = 1; std::fgets(line, sizeof line, in) != nullptr; ++number) {
    if (!replay_line(line, to)) return number;
  }
  return 0;
}

}  // namespace cards
