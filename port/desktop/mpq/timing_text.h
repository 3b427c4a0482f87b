// The times of a log in words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "log_timing.h"

namespace mpq_tool {

// A time of the column: a date and a time of day, a time of day alone or, of times since any start, seconds.
std::string instant_text(const TimeColumn& column, std::int64_t units);

// "2 h 3 min 4.5 s", "12.5 ms".
std::string duration_text(double seconds);

std::string span_text(const LogTiming& timing);

// "100 Hz", and where that is less than one "a row every 10 min".
std::string rate_text(const LogTiming& timing);

// The same in brief: "100 Hz", "every 10 min".
std::string rate_in_brief(const LogTiming& timing);

// Describes the missing rows, and what is known of them, a sentence each. `dropped`: the number in the
// key-values.
std::vector<std::string> missing_text(const LogTiming& timing, std::uint64_t dropped);

// How the clock went, where it did not just run, a sentence each.
std::vector<std::string> clock_text(const LogTiming& timing);

}  // namespace mpq_tool
