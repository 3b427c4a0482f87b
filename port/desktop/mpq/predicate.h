// A condition on the rows of one file: its columns are known, and its values are typed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "condition.h"
#include "literal.h"
#include "microparquet/reader.h"
#include "parquet_file.h"

namespace mpq_tool {

// Asks one column. Its value is never true of a null but for kIsNull: so a condition is turned, where it is made,
// such that NOT stands nowhere, and of SQL's three values only true counts.
struct ColumnTest {
  enum class Kind : std::uint8_t {
    kNever,    // is true of no value, as what compares with NULL
    kCompare,  // by `test`
    kIn,       // of `literals`
    kNotIn,
  };

  Kind kind = Kind::kNever;
  Test test = Test::kEqual;
  std::uint32_t column = 0;  // in the file
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

}  // namespace mpq_tool
