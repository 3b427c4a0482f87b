#include "stall_trace.h"

namespace stalls {
namespace {

// Takes a line off the text, without its end.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line(text.data(), end < text.size() ? end : text.size());
  text.remove_prefix(end < text.size() ? end + 1 : text.size());
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

// Takes a number off the line, which ends at `separator` or with the line. False: there is none.
bool take_number(std::string_view& line, std::uint32_t& number) {
  std::uint64_t value = 0;
  std::size_t digits = 0;
  while (digits < line.size() && line[digits] >= '0' && line[digits] <= '9' && value < 1U << 31) {
    value = value * 10 + static_cast<unsigned>(line[digits++] - '0');
  }
  line.remove_prefix(digits);
  number = static_cast<std::uint32_t>(value);
  return digits != 0 && value < 1U << 31;
}

}  // namespace

bool StallTrace::read(std::string_view text) {
  count_ = next_ = 0;
  if (take_line(text) != "from_ms,latency_ms") return false;
  while (!text.empty()) {
    std::string_view line = take_line(text);
    if (line.empty() || count_ == kMaxStalls) return false;
    Stall& stall = stalls_[count_];
    if (!take_number(line, stall.from_ms) || line.empty() || line.front() != ',') return false;
    line.remove_prefix(1);
    if (!take_number(line, stall.latency_ms) || !line.empty()) return false;
    if (count_ != 0 && stall.from_ms < stalls_[count_ - 1].from_ms) return false;
    ++count_;
  }
  return count_ != 0;
}

std::uint32_t StallTrace::meet(std::uint32_t now_ms) {
  std::uint32_t latency_ms = 0;
  while (next_ != count_ && stalls_[next_].from_ms <= now_ms) latency_ms = stalls_[next_++].latency_ms;
  return latency_ms;
}

std::uint32_t StallTrace::end_ms() const {
  const Stall& last = stalls_[count_ - 1];
  return last.from_ms + last.latency_ms;
}

}  // namespace stalls
