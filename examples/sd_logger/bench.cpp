#include "bench.h"

#include <string_view>

#include "microparquet/port/semihosting.h"

namespace {

// Takes the text up to the next `end` off `line`.
std::string_view take(std::string_view& line, char end) {
  const std::size_t size = line.find(end) < line.size() ? line.find(end) : line.size();
  const std::string_view text(line.data(), size);
  line.remove_prefix(size < line.size() ? size + 1 : size);
  return text;
}

std::uint64_t parse(std::string_view digits) {
  std::uint64_t number = 0;
  for (const char digit : digits) number = number * 10 + static_cast<std::uint64_t>(digit - '0');
  return number;
}

}  // namespace

Bench asked_bench(const Bench& usual) {
  Bench bench = usual;
  char text[256];
  std::string_view line = microparquet::semihosting::command_line(microparquet::Span<char>(text));
  while (!line.empty()) {
    std::string_view word = take(line, ' ');
    const std::string_view name = take(word, '=');
    if (name == "first") bench.first = parse(word);
    if (name == "samples") bench.samples = parse(word);
    if (name == "split_bytes") bench.split.bytes = parse(word);
    if (name == "clock_ms") bench.clock_ms = static_cast<std::uint32_t>(parse(word));
    if (name == "started_s") bench.started_s = static_cast<std::uint32_t>(parse(word));
    if (name == "drop_oldest") bench.keeping.limits.when_full = microparquet::WhenFull::kDropOldest;
    if (name == "wakes") bench.keeping.boots_are_wakes = true;
    if (name == "split_ms") bench.split.ms = static_cast<std::uint32_t>(parse(word));
  }
  return bench;
}
