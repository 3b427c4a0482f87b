// Rows of nested columns, read into structs column by column: the part common to all schemas.
#pragma once

#include <cstdint>

#include "microparquet/detail/nested_plan.h"
#include "microparquet/reader.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet::detail {

// Reader of nested rows. All bytes zero means that no file is open.
class NestedRows {
 public:
  // Finds the columns of the plan in the file that `reader` has open, and chooses them. `places` is as long
  // as the plan's nodes, `columns` as its leaves. All arguments but `columns` must stay.
  // - kInvalidArgument: a column is not in the file, or has another type or shape there
  // - as Reader::choose_items()
  Status begin(Reader& reader, const NestedPlan& plan, NestedPlace* places, Span<ColumnChoice> columns);

  // Functions of StaticReader of static_nested_reader.h. A null row is passed.
  Status next(void* row);
  Status more(void* row);
  Status seek_row_group(std::uint32_t index);
  Status seek_row(std::uint32_t row_group, std::uint64_t row);

 private:
  // Place in the file; kInRow and kInRest: a failed call is repeated there.
  enum class At : std::uint8_t { kNoFile, kBetweenRows, kInRow, kBeforeRest, kInRest };

  Status begin_row(const void* row);
  Status pass_rest();
  Status end_row_group();
  void enter_row_group();
  void begin_leaves(At at);
  void begin_leaf();
  Status read_leaves(void* row);
  Status read_leaf(void* row);
  Status store(void* row, ColumnCursor& column, std::uint8_t definition, std::uint8_t repetition);
  Status check_leaf();
  Status disagree(std::uint32_t leaf);
  bool is_full(std::uint8_t repetition) const;

  Reader* reader_ = nullptr;
  const NestedPlan* plan_ = nullptr;
  NestedPlace* places_ = nullptr;
  std::uint64_t rows_left_ = 0;  // rows left in the row group
  std::uint32_t leaf_ = 0;       // leaf being read
  NestedItem item_;
  At at_ = At::kNoFile;
  Status noted_ = Status::kOk;  // status of the row
  bool in_row_group_ = false;
  bool begun_ = false;    // whether an item of the leaf has been taken
  bool rest_ = false;     // whether an outermost list has more elements
  bool passing_ = false;  // whether the row is passed
};

}  // namespace microparquet::detail
