// Which values there may be in a part of a column, a row group or a page, and whether a test can be true there.
#pragma once

#include <cstddef>

#include "microparquet/span.h"
#include "predicate.h"
#include "values/value_order.h"

namespace mpq_tool {

// What a file claims. Bounds are believed, as by all readers: those that lie cost rows.
struct PossibleValues {
  bool has_min = false;
  bool has_max = false;
  microparquet::Span<const std::byte> min;  // in PLAIN: no number is less
  microparquet::Span<const std::byte> max;  // and none greater
  bool nulls = true;                        // there may be some
  bool values = true;                       // there may be others than nulls
  bool nans = true;                         // among them

  // Leaves bounds out that no value of the column can be, and NaN where its type has none.
  void check(microparquet::detail::ValueOrder order);
};

// False: the test is true of no such value.
bool may_hold(const ColumnTest& test, const PossibleValues& possible);

}  // namespace mpq_tool
