// Some rows of a row group whose pages are placed, as a row group of their own: pages as they are, and made ones where a
// page has other rows as well.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kept_rows.h"
#include "made_page.h"
#include "page_placing.h"
#include "row_ranges.h"
#include "schema_model.h"

namespace microparquet::recovery {

class SlicedRows {
 public:
  // All must stay.
  SlicedRows(View& view, const PageList& list, PageTrial& trial, const SchemaModel& model)
      : view_(view), list_(list), trial_(trial), model_(model) {}

  // The rows of a column that are there in whole.
  RowRanges rows_of(const PlacedColumn& column, const ColumnModel& model) const;

  // The row group as it lies in the file; none: it is not all there, or there in parts.
  std::optional<Bytes> as_it_is(const PlacedRowGroup& group) const;

  // Adds the rows `rows` to `to`. A column has nulls for what is not in its `known` rows. False: a page cannot be taken
  // apart.
  bool add(const PlacedRowGroup& group, const std::vector<RowRanges>& known, RowRange rows, WrittenRows& to);

 private:
  struct Chunk;
  bool add_column(std::size_t column, const PlacedColumn& placed, const RowRanges& known, RowRange rows,
                  Chunk& chunk);
  bool add_known(std::size_t column, const PlacedColumn& placed, RowRange rows, Chunk& chunk);
  bool add_items(std::size_t column, const PlacedColumn& placed, const PlacedPage& page, RowRange rows,
                 Items& items);
  bool add_made(std::size_t column, const Items& items, Chunk& chunk) const;
  void add_nulls(std::size_t column, std::uint64_t rows, Chunk& chunk) const;
  void copy(const ListedPage& page, Chunk& chunk);
  static bool adjacent(const PlacedPage& a, const PlacedPage& b);

  View& view_;
  const PageList& list_;
  PageTrial& trial_;
  const SchemaModel& model_;
};

}  // namespace microparquet::recovery
