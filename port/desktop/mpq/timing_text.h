// The times of a log for people.
#pragma once

#include <string>
#include <vector>

#include "log_timing.h"

namespace mpq_tool {

// A time of the column: a date and a time of day or, of times since any start, seconds.
std::string instant_text(const TimeColumn& column, std::int64_t units);

// "2 h 3 min 4.5 s", "12.5 ms".
std::string duration_text(double seconds);

// From the first row to the last.
double span_seconds(const LogTiming& timing);
std::string span_text(const LogTiming& timing);

// "100 Hz", and where that is less than one "a row every 10 min".
std::string rate_text(const LogTiming& timing);

// The same in brief: "100 Hz", "every 10 min".
std::string rate_in_brief(const LogTiming& timing);

// Of what is missing how much, and what is known of it; a sentence each. `dropped`: as the key-values say.
std::vector<std::string> missing_text(const LogTiming& timing, std::uint64_t dropped);

}  // namespace mpq_tool
