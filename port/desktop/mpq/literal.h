// Values of a condition, as values of the column they are compared with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microparquet/file_metadata.h"
#include "microparquet/span.h"
#include "values/value_order.h"
#include "where_parser.h"

namespace mpq_tool {

// A whole number in two's complement, big-endian, of as many bytes as it needs, and how much of what was
// written it is.
struct WholePart {
  std::vector<std::byte> number;
  bool exact = true;  // false: what was written lies between it and the next greater one
};

// The number "-12.50e3" times 10 to the `scale`, rounded down. Of more than 1,000 digits before its point it is
// cut to that many: beyond every column's. Requires: digits with at most one point, a sign and an exponent.
WholePart whole_part(std::string_view text, unsigned scale);

// Whether the number is one of `bytes` bytes; then `stored` is it, little-endian.
bool fits_in(const std::vector<std::byte>& number, std::size_t bytes, bool is_signed,
             std::vector<std::byte>& stored);

// A place among the values of a column: one of them, between two of them, or outside of all.
//
// The order is a total one: that of the column's type, in which -0 equals 0, and every NaN equals every other and
// comes after all numbers, as in PostgreSQL, DuckDB and Spark.
class Literal {
 public:
  // The column is_comparable(). `text` is the condition, for messages. Throws WrongRequest if the value is
  // none of the column's type.
  Literal(const std::string& text, const std::string& column, const microparquet::SchemaElement& element,
          const WrittenValue& written);

  // Compares a value of the column, in PLAIN and without a length, with it.
  microparquet::detail::Comparison compare(microparquet::Span<const std::byte> value) const;

  // Whether it is NaN.
  bool is_nan() const { return nan_; }

  // The only bytes, in PLAIN, that values equal to it can have. None: it equals no value, or several, as zero does.
  std::optional<microparquet::Span<const std::byte>> stored() const;

 private:
  enum class Place : unsigned char { kAt, kAfter, kBelowAll, kAboveAll };

  void set_number(const std::string& text);
  void set_float(const std::string& text);
  bool set_text(const WrittenValue& written);
  bool set_calendar(const std::string& text);
  bool set_uuid(const std::string& text);
  void set_bytes(const std::string& text);
  bool is_zero() const;
  bool set_units(std::int64_t units, bool exact);
  bool set_int96(const std::string& text);
  [[noreturn]] void refuse(const std::string& expected) const;

  const microparquet::SchemaElement* element_;  // while it is made
  const std::string* text_;
  const std::string* column_;
  const Word* word_;

  bool is_int96_;  // values are compared as moments, and never with bounds, of which nobody knows the order
  microparquet::detail::ValueOrder order_;
  Place place_ = Place::kAt;
  bool nan_ = false;
  std::vector<std::byte> value_;
};

// Whether values of such a column have an order: one of Parquet's or, as INT96 has it in all readers, that of time.
bool is_comparable(const microparquet::SchemaElement& element);

// A FLOAT16 as a FLOAT, which holds all of its values; each other value as it is. `room` holds it.
microparquet::Span<const std::byte> comparable(microparquet::detail::ValueOrder order,
                                               microparquet::Span<const std::byte> value,
                                               std::byte (&room)[4]);

}  // namespace mpq_tool
