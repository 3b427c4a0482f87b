// Values as text that says them exactly.
#pragma once

#include <cstddef>
#include <string>

#include "microparquet/reader.h"
#include "microparquet/span.h"

namespace mpq_tool {

// `value`, as PLAIN has it and a byte array without its length. Floating point in the fewest digits that read
// back the same; timestamps, dates and intervals by ISO 8601, UTC with a Z; decimals with their point; UUIDs
// with hyphens; text as it is; other bytes in hexadecimal. Bytes of a wrong length come out in hexadecimal
// too.
std::string value_text(const microparquet::SchemaElement& element, microparquet::Span<const std::byte> value);

// Adds the same to the end of `text`.
void add_value_text(const microparquet::SchemaElement& element, microparquet::Span<const std::byte> value,
                    std::string& text);

// The same as a JSON value: booleans, integers and finite floating point as such, the rest as strings. Text
// that is not UTF-8 has U+FFFD in place of the wrong bytes.
std::string value_json(const microparquet::SchemaElement& element, microparquet::Span<const std::byte> value);

// Any text as a JSON string, as above, which a terminal shows as it is.
std::string json_string(std::string_view text);

// Whether value_text gives a number, for alignment.
bool is_number(const microparquet::SchemaElement& element);

}  // namespace mpq_tool
