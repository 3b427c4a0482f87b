// Some rows of a row group whose pages are placed, as a row group of their own: pages as they are, and made ones where a
// page has other rows as well.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "kept_rows.h"
#include "page_placing.h"
#include "row_ranges.h"
#include "schema_model.h"
#include "thrift_dom/page_headers.h"

namespace microparquet::recovery {

// The part of a column that may be null in the new file, though not in the old one.
enum class MadeOptional : std::uint8_t {
  kNothing,
  kLeaf,   // the value, in a column without levels
  kField,  // the child of the root that it lies in
};

class SlicedRows {
 public:
  // All must stay.
  SlicedRows(View& view, const PageList& list, PageTrial& trial, const SchemaModel& model)
      : view_(view), list_(list), trial_(trial), model_(model) {}

  // The rows of a column that are there in whole.
  RowRanges rows_of(const PlacedColumn& column, const ColumnModel& model) const;

  // The row group as it lies in the file; none: it is not all there, or there in parts.
  std::optional<Bytes> as_it_is(const PlacedRowGroup& group) const;

  // Lets columns have nulls from now on that may not in the file.
  void make_optional(std::vector<MadeOptional> columns) { optional_ = std::move(columns); }

  // Adds the rows `rows` to `to`. A column has nulls for what is not in its `known` rows. False: a page cannot be taken
  // apart.
  bool add(const PlacedRowGroup& group, const std::vector<RowRanges>& known, RowRange rows, WrittenRows& to);

 private:
  struct Chunk;
  // A row group, and which rows of its columns are known.
  struct Source {
    const PlacedRowGroup& group;
    const std::vector<RowRanges>& known;
  };
  // Rows whose levels are taken from another column.
  struct Loan {
    RowRange rows;
    std::size_t column;
  };
  using TakeItem = std::function<void(std::uint8_t definition, std::uint8_t repetition, const AnyBatch& batch,
                                      std::optional<std::size_t> value)>;

  bool add_column(const Source& from, std::size_t column, RowRange rows, Chunk& chunk);
  bool add_known(const Source& from, std::size_t column, RowRange rows, Chunk& chunk);
  bool add_missing(const Source& from, std::size_t column, RowRange rows, Chunk& chunk);
  std::vector<Loan> loans(const Source& from, std::size_t column, RowRange rows) const;
  bool visit_items(const Source& from, std::size_t column, const PlacedPage& page, RowRange rows,
                   const TakeItem& take);
  bool add_items(const Source& from, std::size_t column, const PlacedPage& page, RowRange rows, Items& items);
  bool add_made(std::size_t column, const Items& items, Chunk& chunk) const;
  void add_nulls(std::size_t column, std::uint64_t rows, Chunk& chunk) const;
  void copy_data(const ListedPage& page, std::size_t column, Chunk& chunk);
  SchemaElement element_of(std::size_t column) const;
  MadeOptional made_optional(std::size_t column) const {
    return optional_.empty() ? MadeOptional::kNothing : optional_[column];
  }
  void copy(const ListedPage& page, Chunk& chunk);
  static bool adjacent(const PlacedPage& a, const PlacedPage& b);

  View& view_;
  const PageList& list_;
  PageTrial& trial_;
  const SchemaModel& model_;
  std::vector<MadeOptional> optional_;  // empty: nothing in any column
};

}  // namespace microparquet::recovery
