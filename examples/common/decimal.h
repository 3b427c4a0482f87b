// Decimal numbers as CSV files hold them, read without a C library.
#pragma once

#include <cstdint>
#include <string_view>

// Reads the whole of `text`, such as "-5.36E-05": a sign, digits, a point, an exponent of ten. Returns false,
// and leaves `value` alone, when it is anything else, has more than 18 digits or is beyond 22 powers of ten.
bool parse_float(std::string_view text, float& value);

// The same for a time in seconds, to microseconds, halves rounded up. Negative times are refused.
bool parse_seconds(std::string_view text, std::int64_t& microseconds);
