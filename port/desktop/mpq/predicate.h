// A condition on the rows of one file, and what statistics rule out of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "literal.h"
#include "microparquet/reader.h"
#include "microparquet/span.h"
#include "parquet_file.h"
#include "values/value_order.h"
#include "where_parser.h"

namespace mpq_tool {

// Asks one column. Its value is never true of a null but for kIsNull: so a condition is turned, where it is made,
// such that NOT stands nowhere, and of SQL's three values only true counts.
struct ColumnTest {
  enum class Kind : std::uint8_t {
    kNever,    // is true of no value, as what compares with NULL
    kCompare,  // compares by `test`
    kIn,       // one of `literals`
    kNotIn,
  };

  Kind kind = Kind::kNever;
  Test test = Test::kEqual;
  std::uint32_t column = 0;  // number of the column in the file
  std::size_t cell = 0;      // among the chosen columns
  std::vector<Literal> literals;

  // Whether it is true of a value, null or not.
  bool holds(const microparquet::Cell& value) const;
};

// A tree of tests, of which all or any must hold.
struct Predicate {
  enum class Kind : std::uint8_t { kAll, kAny, kTest };

  Kind kind = Kind::kAll;
  std::vector<Predicate> parts;
  ColumnTest test;

  // Whether it is true of the row that the reader is at.
  bool holds(const microparquet::Reader& reader) const;
};

// The predicate of a file. `chosen` are the columns to be read; those that the condition asks and that are not
// among them are added at its end. `text` is the condition's. Throws WrongRequest.
Predicate make_predicate(const Condition& condition, const std::string& text, const ParquetFile& file,
                         std::vector<Column>& chosen);

// Claims of a file about its values. mpq believes bounds, as all readers do: false ones cost rows.
struct PossibleValues {
  bool has_min = false;
  bool has_max = false;
  microparquet::Span<const std::byte> min;  // no number is less; in PLAIN
  microparquet::Span<const std::byte> max;  // no number is greater
  bool nulls = true;                        // there may be some
  bool values = true;                       // there may be others than nulls
  bool nans = true;                         // among them

  // Leaves bounds out that no value of the column can be, and NaN where its type has none.
  void check(microparquet::detail::ValueOrder order);
};

// False: the test is true of no such value.
bool may_hold(const ColumnTest& test, const PossibleValues& possible);

}  // namespace mpq_tool
